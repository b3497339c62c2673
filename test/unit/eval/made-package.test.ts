import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePackage, type Triple } from '../../../eval/fit/made-package.ts';
import { firstSentenceOf, masked } from '../../../eval/fit/sentences.ts';
import { makeWorkspace, removeWorkspaces } from '../../support/quotes/quotes-workspace.ts';

const SENTENCE = 'Waits until every open socket has drained its buffer';
const JS = `const a = 1;

/**
 * ${SENTENCE}. Then it closes them.
 *
 * @param {number} ms at most
 */
export function drainAll(ms) {
  const end = Date.now() + ms;
  return end;
}

/** Kept, as its function is too low for a question. */
export function low() {}
`;
const PYTHON = `def read_frame(stream):
    """Return the next frame of a compressed stream
    without its header.

    More about it.
    """
    head = stream.read(4)
    size = int(head)
    return stream.read(size)
`;
const RUST = `impl Pool {
    /// Takes an idle connection that is still healthy, if any. See [\`put\`].
    #[inline]
    pub fn take(&mut self) -> Option<Conn> {
        let one = self.idle.pop();
        one
    }
}
`;
const FILES = {
  'src/drain.js': JS,
  'dist/drain.js': JS,
  'dist/drain.d.ts': `/** ${SENTENCE}. Then it closes them. */ export declare function drainAll(ms: number): number;\n`,
  'README.md': `# Drain\n\nThe function \`drainAll\` ${SENTENCE.replace('Waits', 'waits').replace('open ', 'open\n')}, and more.\n`,
  'frames.py': PYTHON,
  'pool.rs': RUST,
};

describe('the questions made from a package', () => {
  let made = '';
  let triples: Triple[] = [];
  before(async () => {
    made = makeWorkspace({});
    triples = await makePackage('toy', makeWorkspace(FILES), made);
  });
  after(removeWorkspaces);

  const content = (path: string): string => readFileSync(join(made, path), 'utf8');

  it('are the first sentences of comments, half of them without the name', () => {
    const questions = triples.map(({ question }) => question).sort();
    assert.equal(triples.length, 3);
    assert.equal(triples.filter((one) => one.masked).length, 2);
    assert.ok(
      questions.every((one) => !/[.*/]|More|Then/.test(one)),
      questions.join(' | '),
    );
  });

  it('have their function as the answer, where it is once the comment is gone', () => {
    for (const { file, start, end, name } of triples) {
      const lines = content(file).split('\n');
      assert.match(lines[start - 1] ?? '', new RegExp(name.split(/[^\w]+/).at(-1) ?? ''));
      assert.match(lines[end - 1] ?? '', /\}|return/);
    }
  });

  it('have compiled twins as right answers too, and what was written first', () => {
    const one = triples.find(({ name }) => name === 'drainAll');
    assert.equal(one?.file, 'src/drain.js');
    assert.deepEqual(one?.files, ['src/drain.js', 'dist/drain.js']);
  });

  it('are in no file any more: comment, twin, declaration, document', () => {
    for (const path of Object.keys(FILES)) {
      assert.doesNotMatch(content(path), /drained|without its header|still healthy/, path);
      assert.doesNotMatch(content(path), /Then it closes|More about it/, path);
    }
    assert.match(content('dist/drain.d.ts'), /export declare function drainAll/);
    assert.match(content('README.md'), /^# Drain\n\nThe function `drainAll`[\s\S]*, and more\.\n$/);
    assert.match(content('src/drain.js'), /Kept, as its function/);
  });

  it('are the same each time', async () => {
    assert.deepEqual(await makePackage('toy', makeWorkspace(FILES), makeWorkspace({})), triples);
  });
});

describe('the first sentence of a comment', () => {
  for (const [lines, expected] of [
    [['/** Opens it, e.g. for reading. Then more. */'], 'Opens it, e.g. for reading'],
    [['/**', ' * Opens', ' * {@link File} again', ' * @param a'], 'Opens File again'],
    [['// Open opens the `file`:', '//', '// more'], 'Open opens the file'],
    [['    """Opens it."""'], 'Opens it'],
    [['/// <summary>', '/// Opens <see>it</see> now.', '/// </summary>'], 'Opens it now'],
    [['// TODO: open it'], undefined],
    [['/* eslint-disable no-console */'], undefined],
    [['/** @returns {string} */'], undefined],
    [['// const a = { b };'], undefined],
  ] as const)
    it(`is found: ${lines.join(' ')}`, () => {
      assert.equal(firstSentenceOf(lines), expected);
    });

  it('loses the words of the name', () => {
    assert.equal(masked('Sends pending pings of send_pending_ping now', 'send_pending_ping'), 'of now');
    assert.equal(masked('GetName returns the names of a route', 'GetName'), 'returns the of a route');
  });
});
