import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import type { Targets } from '../../../../src/extension/commands/targets.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import type { SearchRunner } from '../../../../src/extension/library/search-runner.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { actOnSearch } from '../../../../src/searches/act-on-search.ts';
import { createSearch, openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake, workspace } from '../fake-vscode.ts';

const { SearchCommands } = await import('../../../../src/extension/commands/search-commands.ts');
const { FollowedSearch: Followed } = await import('../../../../src/extension/library/followed-search.ts');

const tree = { fanout: (_path: string, depth: number) => [3][depth] ?? 0, documentWords: 30 };

/** A search on disk that was run until it made as many calls, and how its report is opened. */
async function searchAfter(calls: number) {
  const workspace = temporaryFolder('open-report');
  const folder = join(workspace, 'thought-trees', 'one');
  await createSearch(folder, QUESTION);
  const store = await openForWriting(folder, { clock: systemClock, random: systemRandom });
  const limits = { size: 'all' as const, maxDepth: 1, guards: { calls } };
  const { search } = await simulate({
    tree,
    store,
    model: { clock: systemClock },
    search: { clock: systemClock, limits },
  });
  await search.run();
  await search.close();
  const place = { folder, workspace };
  const openModel = () => Promise.reject(new Error('no model is asked'));
  const act = async (_place: unknown, call: ActionCall) => {
    const { ok, say } = await actOnSearch(place, call, { kinds: KINDS, by: 'test', openModel });
    assert.ok(ok, say.text);
    return say;
  };
  const targets = { placeOf: () => place } as unknown as Targets;
  const commands = new SearchCommands({ act } as unknown as SearchRunner, targets, {} as SearchLibrary, '/bin');
  const followed = new Followed(folder, workspace) as FollowedSearch;
  const report = join(folder, 'report.md');
  return { commands, followed, report, act: (call: ActionCall) => act(place, call) };
}

describe('the report of a search', () => {
  beforeEach(() => fake.reset());

  it('is there at any time: of a search that is not finished, what there is so far', async () => {
    const { commands, followed, report } = await searchAfter(3);
    assert.equal(existsSync(report), false);
    await commands.openReport(followed);
    assert.match(readFileSync(report, 'utf8'), /Interim report/);
    assert.deepEqual(fake.messages, []);
  });

  it('stays as a person changed it, which is said with the way to replace it', async () => {
    const { commands, followed, report } = await searchAfter(3);
    await commands.openReport(followed);
    const edited = `${readFileSync(report, 'utf8')}\nWhat I think of it.\n`;
    writeFileSync(report, edited);
    fake.answer = () => 'Rewrite Report';
    await commands.openReport(followed);
    assert.equal(readFileSync(report, 'utf8'), edited);
    assert.deepEqual(fake.messages, [
      'The interim report of "Why is the build slow?" was changed by hand, so it was kept as it is.',
    ]);
    assert.deepEqual(fake.executed.at(-1), ['thoughtTree.report', { folder: followed.folder }]);
  });

  it('is not opened where there is none, and a folder that is not trusted gets none written', async () => {
    const { commands, followed, report } = await searchAfter(3);
    workspace.isTrusted = false;
    try {
      await assert.rejects(commands.openReport(followed), { reason: 'declined' });
      assert.equal(existsSync(report), false);
      assert.deepEqual(fake.executed, []);
    } finally {
      workspace.isTrusted = true;
    }
  });

  it('is opened as it is where it covers everything, and said to be older where it does not', async () => {
    const { commands, followed, report, act } = await searchAfter(100);
    const written = readFileSync(report, 'utf8');
    await commands.openReport(followed);
    assert.deepEqual(fake.messages, []);
    const [first = ''] = followed.paths();
    await act({ action: 'prune', node: first });
    fake.answer = () => 'Rewrite Report';
    await commands.openReport(followed);
    assert.equal(readFileSync(report, 'utf8'), written, 'what a model was asked for stays');
    assert.deepEqual(fake.messages, ['The report of "Why is the build slow?" is older than its tree.']);
    assert.deepEqual(fake.executed.at(-1), ['thoughtTree.report', { folder: followed.folder }]);
  });
});
