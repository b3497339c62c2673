import assert from 'node:assert/strict';
import type { WorkspaceText } from '../../../../src/core/ports/workspace-text.ts';
import { Places, withReferences } from '../../../../src/engine-parts/report/findings.ts';

const FILE = [
  'if (options.dryRun) return skipHooks();',
  'if (!grep.test(title)) return skipHooks();',
  'setTimeout(resetTimeout, ms);',
  'process.on("SIGINT", stop);',
].join('\n');
const FINDING = {
  text: 'Hooks do not run in a dry run or for a filtered suite, and a late timeout starts its timer anew.',
  cites: ['src/a.js:1', 'src/a.js:2', 'src/a.js:3'],
};
const OTHER = { text: 'A signal stops it.', cites: ['src/a.js:1', 'src/a.js:4'] };

async function shown(answer: string): Promise<string> {
  const workspaceText = { read: async () => ({ text: FILE }) } as unknown as WorkspaceText;
  const places = await Places.lookUp({ workspaceText, folder: 'thought-trees/q' }, [...FINDING.cites, ...OTHER.cites]);
  return withReferences(answer, [FINDING, OTHER], places).replace(/\]\([^)]*\)/g, ']');
}

describe('the places of a finding that a sentence cites', () => {
  it('are those whose lines have its words, where the finding has more than are shown', async () => {
    assert.equal(
      await shown('It is skipped. A call of `setTimeout` with `ms` comes late [1].'),
      'It is skipped. A call of `setTimeout` with `ms` comes late ([src/a.js:3], [src/a.js:1]).',
    );
    assert.equal(
      await shown('Without a title that `grep` finds nothing runs, nor with dryRun [1].'),
      'Without a title that `grep` finds nothing runs, nor with dryRun ([src/a.js:2], [src/a.js:1]).',
    );
  });

  it('are one each where several findings are cited', async () => {
    assert.equal(
      await shown('After setTimeout a SIGINT can stop it [1, 2].'),
      'After setTimeout a SIGINT can stop it ([src/a.js:3], [src/a.js:4]).',
    );
  });

  it('are the first where no word decides', async () => {
    assert.equal(await shown('So it is [1].'), 'So it is ([src/a.js:1], [src/a.js:2]).');
  });
});
