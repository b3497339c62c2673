import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathOf, walk } from '../../../../src/core/tree/tree.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import type { Task } from '../../../../src/kinds/thoughts/tasks/task.ts';
import { createSearch, openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { chanceTask } from '../../../support/models/thought-model.ts';
import {
  simulateThoughts,
  type ThoughtSimulationOptions,
  thoughtFile,
} from '../../../support/searches/simulated-thoughts.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { namesOf, OfferedInEditor } from './offered-in-editor.ts';

const { FollowedSearch } = await import('../../../../src/extension/library/followed-search.ts');
const editor = new OfferedInEditor(KINDS);

/** Solved by its first thought, before any is judged. */
const SOLVED_AT_ONCE: Task = {
  ...chanceTask,
  verify: () => ({ ok: true }),
  solved: ({ thoughts }) => thoughts.at(-1)?.content === 'step.1',
};

async function offeredOn(folder: string, workspace: string): Promise<string[]> {
  const followed = new FollowedSearch(folder, workspace);
  await followed.refresh();
  followed.close();
  assert.equal(followed.state, 'finished');
  return namesOf(editor.available.onSearch(followed));
}

describe('a solved puzzle', () => {
  it('is not to be resumed, whatever is noted or pruned, also as a clone; but what a person adds is worked on', async () => {
    const workspace = temporaryFolder('solved');
    const folder = join(workspace, 'thought-trees', 'puzzle');
    const given: ThoughtSimulationOptions = { options: { candidates: 2 }, task: SOLVED_AT_ONCE };
    await createSearch(folder, thoughtFile(given));
    const ports = { clock: systemClock, random: systemRandom };
    const store = await openForWriting(folder, ports);
    const { search } = await simulateThoughts({ ...given, store, model: { clock: systemClock }, search: ports });
    const outcome = await search.run();
    assert.equal(outcome.state === 'finished' && outcome.reason, 'solved');
    assert.ok(search.results.open > 0, 'something is open');
    const paths = [...walk(search.tree.root)].filter(({ parent }) => parent).map(pathOf);
    await search.act({ action: 'note', text: 'Good.' }, 'test');
    await search.act({ action: 'prune', node: paths.at(-1) ?? '' }, 'test');
    const clone = join(workspace, 'thought-trees', 'clone');
    await cp(folder, clone, { recursive: true, filter: (path) => !path.includes('.search') });
    for (const each of [folder, clone]) assert.ok(!(await offeredOn(each, workspace)).includes('resume'), each);
    await search.act({ action: 'add', node: '', title: 'Mine' }, 'test');
    await search.close();
    assert.ok((await offeredOn(folder, workspace)).includes('resume'));
  });
});
