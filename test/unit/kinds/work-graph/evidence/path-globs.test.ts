import assert from 'node:assert/strict';
import fc from 'fast-check';
import picomatch from 'picomatch/posix.js';
import { matcherOf } from '../../../../../src/kinds/work-graph/evidence/path-globs.ts';
import { effort } from '../../../../support/effort.ts';
import { growsLinearly } from '../../../../support/grows-linearly.ts';
import '../../../../support/property-seed.ts';

describe('globs of paths', () => {
  it('match as one expects, also hidden files', () => {
    assert.equal(matcherOf(['src/**/*.ts'])('src/a/b.ts'), true);
    assert.equal(matcherOf(['src/**/*.ts'])('src/b.ts'), true);
    assert.equal(matcherOf(['**'])('.github/x.yml'), true);
    assert.equal(matcherOf(['*.md'])('doc/a.md'), false);
    assert.equal(matcherOf(['*.{md,txt}'])('a.txt'), true);
    assert.deepEqual(['a', 'b'].map(matcherOf(['[!a]'])), [false, true]);
    assert.equal(matcherOf([])('a'), false);
  });

  it('take the name of a folder for all that is in it', () => {
    for (const glob of ['src', 'src/', './src']) assert.equal(matcherOf([glob])('src/a/b.ts'), true, glob);
    assert.equal(matcherOf(['src'])('srcs/a'), false);
    assert.equal(matcherOf(['*'])('src/a'), false);
  });

  it('mean the same as for others', () => {
    const name = fc.stringMatching(/^[ab.*?]{1,4}$/).filter((each) => !/\*\*|^\.+$/.test(each));
    const wild = fc.oneof(name, fc.constantFrom('**', '[ab]', '{a,b}', '*.{a,b}'));
    const glob = fc
      .array(wild, { minLength: 1, maxLength: 4 })
      // Of a name before a last `/**`, libraries differ.
      .filter((parts) => /[*?[]/.test(parts.at(-1) as string) && (parts.length === 1 || parts.at(-1) !== '**'))
      .map((parts) => parts.join('/'));
    const path = fc.array(
      fc.stringMatching(/^[ab.]{1,4}$/).filter((each) => !/^\.+$/.test(each)),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(glob, path, (pattern, names) => {
        const whole = names.join('/');
        assert.equal(matcherOf([pattern])(whole), picomatch(pattern, { dot: true })(whole), `${pattern} ${whole}`);
      }),
      { numRuns: effort(3000) },
    );
  });

  it('take a time in proportion to the path, however hostile', async () => {
    const made = (size: number) => `${'a'.repeat(250)}/`.repeat(size / 251).concat('!');
    for (const part of ['*a', '?*', '[a-z]*', '{a,aa}', '{a,{b,c}}', '+(a|aa)', '**/', '**/*a/', '[', '{', '!('])
      for (const count of [12, 100])
        await growsLinearly(part, 4000, made, (path) =>
          assert.equal(matcherOf([`${part.repeat(count)}b`.slice(0, 500)])(path), false, part),
        );
  });
});
