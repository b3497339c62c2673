import assert from 'node:assert/strict';
import type { WorkspaceText } from '../../../../src/core/ports/workspace-text.ts';
import { Places, withReferences } from '../../../../src/engine-parts/report/findings.ts';

const LINES = new Map([
  [1, 'if (options.dryRun) return skipHooks();'],
  [40, 'if (!grep.test(title)) return skipHooks();'],
  [80, 'setTimeout(resetTimeout, ms);'],
  [120, 'process.on("SIGINT", stop);'],
  [124, 'process.exitCode = failures;'],
]);
const FILE = Array.from({ length: 130 }, (_, at) => LINES.get(at + 1) ?? '').join('\n');
const FINDING = {
  text: 'Hooks do not run in a dry run or for a filtered suite, and a late timeout starts its timer anew.',
  cites: ['src/a.js:1', 'src/a.js:40', 'src/a.js:80'],
};
const OTHER = { text: 'A signal stops it.', cites: ['src/a.js:1', 'src/a.js:120'] };
const NEAR = {
  text: 'A signal counts failures.',
  cites: ['src/a.js:120', 'src/a.js:124', 'src/a.js:110-122', 'src/a.js:1'],
};
const GONE = { text: 'It was said elsewhere.', cites: ['src/a.js:900'] };

async function shown(answer: string): Promise<string> {
  const workspaceText = { read: async () => ({ text: FILE }) } as unknown as WorkspaceText;
  const findings = [FINDING, OTHER, NEAR, GONE];
  const places = await Places.lookUp({ workspaceText, folder: 'thought-trees/q' }, [
    answer,
    ...findings.flatMap(({ cites }) => cites),
  ]);
  return withReferences(answer, findings, places).replace(/\]\([^)]*\)/g, ']');
}

describe('the places of a finding that a sentence cites', () => {
  it('are those whose lines have its words, where the finding has more than are shown', async () => {
    assert.equal(
      await shown('It is skipped. A call of `setTimeout` with `ms` comes late [1].'),
      'It is skipped. A call of `setTimeout` with `ms` comes late ([src/a.js:80], [src/a.js:1]).',
    );
    assert.equal(
      await shown('Without a title that `grep` finds nothing runs [1].'),
      'Without a title that `grep` finds nothing runs ([src/a.js:40], [src/a.js:1]).',
    );
  });

  it('stay where two links lead to the same lines, and in code as they are written', async () => {
    assert.equal(
      await shown('It stops ([src/a.js:1](src/a.js#L1)) [3].'),
      'It stops ([src/a.js:110-124], [src/a.js:1]).',
    );
    assert.equal(await shown('See `f([i](j),[i](j))`.'), 'See `f([i],[i])`.');
  });

  it('are those whose names hold its words', async () => {
    assert.equal(
      await shown('A reset starts the timer again, e.g. for the failures of a title [1].'),
      'A reset starts the timer again, e.g. for the failures of a title ([src/a.js:40], [src/a.js:80]).',
    );
  });

  it('bear out the sentence before, where they stand behind its end', async () => {
    assert.equal(
      await shown('A call of setTimeout with ms comes late. [1]'),
      'A call of setTimeout with ms comes late. ([src/a.js:80], [src/a.js:1])',
    );
  });

  it('are one more where the claim is long', async () => {
    const long = 'whatever else may happen to it in the meantime, '.repeat(3);
    assert.equal(
      await shown(`So it is, ${long}[1].`),
      `So it is, ${long}([src/a.js:1], [src/a.js:40], [src/a.js:80]).`,
    );
    assert.equal(
      await shown(`So it is, ${long}[2], or not [1].`),
      `So it is, ${long}([src/a.js:1], [src/a.js:120]), or not ([src/a.js:1], [src/a.js:40]).`,
    );
  });

  it('are one of each finding first where several are cited', async () => {
    assert.equal(
      await shown('After setTimeout a SIGINT can stop it [1, 2].'),
      'After setTimeout a SIGINT can stop it ([src/a.js:80], [src/a.js:120]).',
    );
  });

  it('are first that of several findings, and then another', async () => {
    assert.equal(
      await shown('A dryRun goes on after setTimeout [1, 2].'),
      'A dryRun goes on after setTimeout ([src/a.js:1], [src/a.js:80]).',
    );
  });

  it('are one where they are near each other or within each other', async () => {
    assert.equal(await shown('A signal counts [3].'), 'A signal counts ([src/a.js:110-124], [src/a.js:1]).');
  });

  it('are the first where no word decides', async () => {
    assert.equal(await shown('So it is [1].'), 'So it is ([src/a.js:1], [src/a.js:40]).');
  });
});

describe('the marks of references', () => {
  it('are one list where they stand beside each other', async () => {
    assert.equal(
      await shown('So it is [2] (src/a.js:40) and more.'),
      'So it is ([src/a.js:1], [src/a.js:120], [src/a.js:40]) and more.',
    );
    assert.equal(await shown('So it is [2][3].'), 'So it is ([src/a.js:1], [src/a.js:110-124]).');
  });

  it('name no lines that are within others', async () => {
    assert.equal(await shown('So it is (src/a.js:7-19, src/a.js:7-16) today.'), 'So it is ([src/a.js:7-19]) today.');
  });

  it('have one pair of brackets', async () => {
    assert.equal(await shown('So it is ([2]).'), 'So it is ([src/a.js:1], [src/a.js:120]).');
  });

  it('leave nothing behind where a finding has no lines', async () => {
    assert.equal(await shown('So it is [4]. And so [4], too ([4]).'), 'So it is. And so, too.');
  });
});
