import assert from 'node:assert/strict';
import { Research } from '../../../../src/text/find/research.ts';
import { indexWorkspace } from '../../../../src/text/index/workspace-indexes.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

describe('the words that are in no file', () => {
  after(removeWorkspaces);

  const missing = async (text: string, question: string): Promise<string[]> =>
    new Research(await indexWorkspace(makeWorkspace({ 'a.ts': text })), question).missing;

  it('are not those of which another form is there', async () => {
    const text = 'export function children() {\n  return cancelled;\n}\n';
    assert.deepEqual(await missing(text, 'child cancellation kolibri'), ['kolibri']);
  });

  it('are not those that only ask why there is an error', async () => {
    assert.deepEqual(await missing('export const full = 1;\n', 'Why does it say that the queue is full?'), ['queue']);
  });

  it('are no particles of Japanese', async () => {
    const found = await missing('export const timeout = 1;\n', 'タイムアウトしたらどうなりますか');
    assert.deepEqual(
      found.filter((word) => /^\p{Script=Hiragana}+$/u.test(word)),
      [],
    );
  });
});
