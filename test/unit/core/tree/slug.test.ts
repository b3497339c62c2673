import assert from 'node:assert/strict';
import fc from 'fast-check';
import { childSlug, isSlug, slugify } from '../../../../src/core/tree/slug.ts';
import { effort } from '../../../support/effort.ts';

const hostile: [what: string, title: string, slug: string][] = [
  ['a way out', '../../x', 'x'],
  ['a device of Windows', 'CON', 'con-2'],
  ['a device with an extension', 'aux.txt', 'aux-txt'],
  ['a device with a raised digit', 'COM¹', 'com¹-2'],
  ['nothing', '', 'node'],
  ['marks alone', '…!?', 'node'],
  ['an invisible letter', '\u3164', 'node'],
  ['marks that turn the writing', 'a\u202eb\u202c', 'ab'],
  ['lines', 'one\ntwo\r\nthree', 'one-two-three'],
  ['front matter', '---js', 'js'],
  ['HTML', '<script>alert(1)</script>', 'script-alert-1-script'],
  ['YAML', 'key: [a, *b]', 'key-a-b'],
  ['Chinese', '为什么构建很慢？', '为什么构建很慢'],
  ['emoji', '🚀 fast ❤️ builds 🚀', 'fast-builds'],
  ['accents', 'Crème Brûlée à Ångström', 'creme-brulee-a-angstrom'],
  ['accents put on one by one', 'e\u0301te\u0301', 'ete'],
  ['a mark without a letter', ' \u0301 x', 'x'],
  ['a mark on a hyphen', 'a-\u0301b', 'a-b'],
  ['half a character', '\ud800x\udc00', 'x'],
  ['Russian, whose accents are letters', 'Йод и ёж', 'йод-и-ёж'],
  ['Turkish capitals', 'İstanbul', 'istanbul'],
  ['a path', 'C:\\Windows\\system32', 'c-windows-system32'],
  ['a dot in front', '.search', 'search'],
  ['a folder of ours', 'node.json', 'node-json'],
  ['what a search needs itself', 'Prompts', 'prompts-2'],
];

describe('slugs', () => {
  for (const [what, title, slug] of hostile)
    it(`are made of ${what}`, () => assert.equal(childSlug(title, '', new Set()), slug));

  it('have at most 60 characters, and do not end in a hyphen', () => {
    assert.equal(slugify('x'.repeat(10_000)).length, 60);
    assert.equal(slugify(`${'x'.repeat(59)} y`), 'x'.repeat(59));
  });

  it('end with a word where names are shorter than they were, unless little would be left', () => {
    const title = 'Why a suite waits for its hooks although it has a limit';
    assert.equal(childSlug(title, '', new Set()), 'why-a-suite-waits-for-its-hooks-although-it-has-a-limit');
    assert.equal(childSlug(title, '', new Set(), 40), 'why-a-suite-waits-for-its-hooks-although');
    assert.equal(
      childSlug(title.replace('although', 'even if'), '', new Set(), 40),
      'why-a-suite-waits-for-its-hooks-even-if',
    );
    assert.equal(
      childSlug(title, '', new Set([childSlug(title, '', new Set(), 40)]), 40),
      'why-a-suite-waits-for-its-hooks-2',
    );
    assert.equal(childSlug(`a ${'x'.repeat(80)}`, '', new Set(), 40), `a-${'x'.repeat(38)}`);
    assert.equal(childSlug('超'.repeat(80), '', new Set(), 40).length, 40);
  });

  it('never cut a character in two', () => {
    const slug = slugify(`a${'𠀀'.repeat(50)}`);
    assert.ok(slug.isWellFormed());
    assert.equal(slug.length, 59);
  });

  it('take `prompts` only from the first level', () => {
    assert.equal(childSlug('Prompts', 'a', new Set()), 'prompts');
  });

  it('are numbered if a sibling has the name', () => {
    const siblings = new Set<string>();
    for (const wanted of ['build', 'build-2', 'build-3']) {
      const slug = childSlug('Build', '', siblings);
      assert.equal(slug, wanted);
      siblings.add(slug);
    }
  });

  it('are numbered if a file system would treat two names as equal', () => {
    assert.equal(childSlug('build', '', new Set(['Build'])), 'build-2', 'by case');
    assert.equal(childSlug('ёж', '', new Set(['ёж'.normalize('NFD')])), 'ёж-2', 'by normal form');
    assert.equal(childSlug('STRASSE', '', new Set(['straße'])), 'strasse-2', 'by full case folding');
    assert.equal(childSlug('ΟΔΟΣ', '', new Set(['οδοσ'])), 'οδος-2', 'by a letter with two small forms');
  });

  it('leave room for the number in a long name', () => {
    const long = 'x'.repeat(60);
    assert.equal(childSlug(long, '', new Set([long])), `${'x'.repeat(58)}-2`);
  });
});

const title = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.string({
    unit: fc.constantFrom('a', 'A', 'é', 'e', '\u0301', '-', '.', ' ', '\u200d', '\ufe0f', 'ß', 'ς', '𠀀', '1'),
  }),
  fc.constantFrom('con', 'LPT1', 'prompts', 'nul.txt', '..', '.', '~', '-rf', '\0', 'İ', 'ﬁ', 'K'),
);

describe('any slug', () => {
  it('is one safe segment in normal form', () => {
    fc.assert(
      fc.property(title, (text) => {
        const slug = childSlug(text, '', new Set());
        assert.ok(isSlug(slug), JSON.stringify(slug));
        assert.match(slug, /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(-[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u);
        assert.equal(slug.normalize('NFC'), slug);
        assert.equal(slug.toLowerCase(), slug);
        assert.ok(slug.length <= 60 && slug.isWellFormed());
        assert.doesNotMatch(slug, /\p{Default_Ignorable_Code_Point}/u);
      }),
    );
  });

  it('is its own slug', () => {
    fc.assert(fc.property(title, (text) => assert.equal(slugify(slugify(text)), slugify(text))));
  });

  it('differs from all its siblings, whatever the file system', () => {
    const fold = (name: string): string => name.normalize('NFKC').toUpperCase().normalize('NFKD');
    const alike = fc.constantFrom('a', 'A', 'á', 'ß', 'SS', 'ς', 'σ', 'Σ', 'ﬁ', 'fi', 'ſ', 's', 'con', '', 'ı', 'i');
    fc.assert(
      fc.property(fc.array(fc.oneof(alike, title), { maxLength: 40 }), (titles) => {
        const siblings = new Set<string>();
        for (const text of titles) siblings.add(childSlug(text, 'parent', siblings));
        assert.equal(siblings.size, titles.length);
        const compatible = new Set([...siblings].filter((slug) => slug === slug.normalize('NFKC')).map(fold));
        assert.equal(compatible.size, [...siblings].filter((slug) => slug === slug.normalize('NFKC')).length);
      }),
    );
  });

  it('keeps the path within 200 characters as long as it can', () => {
    fc.assert(
      fc.property(
        fc.array(title, { maxLength: 40 }),
        fc.string({ unit: 'grapheme', minLength: 300 }),
        (titles, last) => {
          let path = '';
          for (const text of [...titles, last]) {
            const slug = childSlug(text, path, new Set());
            assert.ok(slug.length <= 60);
            const next = path === '' ? slug : `${path}/${slug}`;
            assert.ok(next.length <= 200 || (path.length > 191 && slug.length <= 8), next);
            path = next;
          }
        },
      ),
      { numRuns: effort(50) },
    );
  });

  it('stays short and different for three hundred of one name', () => {
    const siblings = new Set<string>();
    const deep = 'x'.repeat(199);
    for (let i = 0; i < 300; i++) siblings.add(childSlug('the same', deep, siblings));
    assert.equal(siblings.size, 300);
    for (const slug of siblings) assert.ok(slug.length <= 8 && isSlug(slug), slug);
  });
});

describe('a name found on disk', () => {
  for (const name of ['a', 'node_1_2', 'Größe', 'a.b', '为什么', 'ё'.normalize('NFD'), '-rf'])
    it(`can be a node's: ${name}`, () => assert.ok(isSlug(name)));
  for (const name of ['', '.', '..', '.search', 'a/b', 'a\\b', 'a b', 'c:', 'con', 'CON.txt', 'a.', 'x\n', '\0', '*'])
    it(`cannot be a node's: ${JSON.stringify(name)}`, () => assert.ok(!isSlug(name)));
  it('cannot be a node’s where it is longer than a file system takes', () => assert.ok(!isSlug('x'.repeat(256))));
});
