import assert from 'node:assert/strict';
import type { Model } from '../../../../src/core/ports/model.ts';
import { whyNotEnd } from '../../../../src/kinds/investigation/protocol/ending.ts';
import { openQuotesModel } from '../../../../src/models/quotes/quotes-model.ts';
import { MemoryFiles } from '../../../../src/store/files/memory-files.ts';
import { createMemoryStore } from '../../../../src/store/memory-store.ts';
import { ledFile } from '../../../support/investigation/led-investigation.ts';
import { investigationOf, problemsIn } from '../../../support/investigation/led-problems.ts';
import { makeWorkspace, mochaWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { fastClock, seededRandom } from '../../../support/virtual-clock.ts';

interface Investigated extends Simulation {
  readonly files: MemoryFiles;
  readonly report: string;
}

async function investigate(workspace: string, prompt: string, concurrency: number): Promise<Investigated> {
  const model = openQuotesModel({ workspace });
  const random = seededRandom(concurrency);
  const slow: Model['generate'] = async (request, call) => {
    const answer = await model.generate(request, call);
    await new Promise((resolve) => setTimeout(resolve, random.next() * 8));
    return answer;
  };
  const files = new MemoryFiles();
  const store = createMemoryStore({ ...ledFile(), title: prompt, prompt }, files);
  const clock = fastClock(10);
  const simulation = await simulate({ store, search: { concurrency, clock, model: { ...model, generate: slow } } });
  await simulation.search.run();
  await model.close?.();
  return { ...simulation, files, report: (await store.readReport()) ?? '' };
}

/** Without what depends on when it was run. */
async function treeOf({ files }: Investigated): Promise<object> {
  const found = await snapshotOf(files);
  const timeless = Object.entries(found).map(([path, text]) => [
    path,
    text.replace(/"(proposedAt|call)": [^,\n]*/g, '"$1": …'),
  ]);
  return Object.fromEntries(timeless);
}

describe('an investigation by the quotes of a workspace', () => {
  after(removeWorkspaces);

  it('ends by the rules, with a report, and comes to the same tree whatever the timing', async function () {
    this.timeout(120_000);
    const workspace = mochaWorkspace();
    const prompt = 'How are hooks and retries run?';
    const one = await investigate(workspace, prompt, 1);
    const at = investigationOf(one.search);
    assert.equal(whyNotEnd(at), undefined);
    assert.deepEqual(problemsIn(one.search), []);
    assert.ok(at.nodes.size > 20, `only ${at.nodes.size} nodes`);
    assert.match(one.report, /## What was found\n\n- \[R4\./);
    assert.match(one.report, /lib\/\w+/);
    const several = await investigate(workspace, prompt, 6);
    assert.deepEqual(await treeOf(several), await treeOf(one));
  });

  it('finds nothing where nothing is, and says so', async function () {
    this.timeout(60_000);
    const workspace = makeWorkspace({ 'README.md': '# Birds\n\nThey sing.\n' });
    const { search, report } = await investigate(workspace, 'Why do requests time out?', 2);
    assert.equal(whyNotEnd(investigationOf(search)), undefined);
    assert.deepEqual(problemsIn(search), []);
    assert.match(report, /No answer was found\./);
  });
});
