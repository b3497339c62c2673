import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { actOnSearch } from '../../../../src/searches/act-on-search.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';
import { createSearch, openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts, type ThoughtSimulation } from '../../../support/searches/simulated-thoughts.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const LIMITS = { size: 'all' as const, maxDepth: 2, guards: { calls: 8 } };
const TREE = { fanout: (_path: string, depth: number) => [3, 2][depth] ?? 0, documentWords: 30 };

async function interim({ search, store }: Pick<Simulation | ThoughtSimulation, 'search' | 'store'>): Promise<string> {
  await search.act({ action: 'interim' }, 'test');
  return (await store.readReport()) ?? '';
}

describe('an interim report', () => {
  it('says what there is at a limit, how far it is and how it goes on, without a call; the final one takes its place', async () => {
    const simulation = await simulate({ tree: TREE, search: { limits: LIMITS } });
    assert.equal((await simulation.run()).state, 'paused');
    const { calls } = simulation.search.record.spend;
    const seq = simulation.search.record.seq;
    const report = await interim(simulation);
    assert.match(
      report,
      /^# Why is the build slow\?\n\n> ⏸ Interim report: \d topics? done, \d+ open\. The search is not finished/,
    );
    assert.match(report, /\n## /, 'what was found is in it');
    assert.equal(simulation.search.record.spend.calls, calls);
    const since = simulation.events.filter((event) => event.seq > seq).map(({ type }) => type);
    assert.deepEqual(since, ['text-written'], 'nothing but the report');
    await simulation.search.act({ action: 'grow', guards: { calls: 100 } }, 'test');
    assert.equal((await simulation.run()).state, 'finished');
    const final = (await simulation.store.readReport()) ?? '';
    assert.doesNotMatch(final, /Interim/);
    assert.equal(await interim(simulation), final, 'what a model was asked for stays');
  });

  it('is written again as long as nobody changed it; a changed one stays, also of nobody knows whom', async () => {
    const simulation = await simulate({ tree: TREE, search: { limits: LIMITS } });
    await simulation.run();
    const { search, store } = simulation;
    await interim(simulation);
    const [first] = search.tree.root.children;
    assert.ok(first);
    await search.act({ action: 'prune', node: first.slug }, 'test');
    const again = await search.act({ action: 'interim' }, 'test');
    assert.deepEqual(again.value, { isEdited: false });
    const edited = `${await store.readReport()}\nWhat I think of it.\n`;
    await store.writeReport(edited);
    const kept = await search.act({ action: 'interim' }, 'test');
    assert.match(kept.say.text, /changed by hand, so it stays/);
    assert.equal(await store.readReport(), edited);
    await search.act({ action: 'report' }, 'test');
    assert.doesNotMatch((await store.readReport()) ?? '', /What I think/, 'a person said so');
  });

  it('is written while the search runs, and does not keep it from its own', async () => {
    const simulation = await simulate({ tree: TREE });
    const over = simulation.search.run();
    simulation.search.listen((event) => {
      if (event.type === 'node-added') void interim(simulation);
    });
    await simulation.clock.run(over);
    assert.doesNotMatch((await simulation.store.readReport()) ?? '', /Interim/);
  });

  it('shows the best path so far of a search for a solution', async () => {
    const simulation = await simulateThoughts({ search: { limits: { ...LIMITS, guards: { calls: 5 } } } });
    assert.equal((await simulation.run()).state, 'paused');
    const { calls } = simulation.search.record.spend;
    assert.match(
      await interim(simulation),
      /\n> ⏸ Interim report: .*\n\nNo solution was found yet\.(.|\n)*\n1\. \[step/,
    );
    assert.equal(simulation.search.record.spend.calls, calls);
  });

  it('needs no model where nobody runs the search, and does not make a clone look finished', async () => {
    const workspace = temporaryFolder('interim');
    const folder = join(workspace, 'thought-trees', 'one');
    await createSearch(folder, QUESTION);
    const store = await openForWriting(folder, { clock: systemClock, random: systemRandom });
    const { search } = await simulate({
      tree: TREE,
      store,
      model: { clock: systemClock },
      search: { clock: systemClock, limits: LIMITS },
    });
    await search.run();
    await search.close();
    const openModel = () => Promise.reject(new Error('no model is asked'));
    const done = await actOnSearch(
      { folder, workspace },
      { action: 'interim' },
      { kinds: KINDS, by: 'test', openModel },
    );
    assert.ok(done.ok, done.say.text);
    const clone = join(workspace, 'thought-trees', 'clone');
    await cp(folder, clone, { recursive: true, filter: (path) => !path.includes('.search') });
    assert.equal((await overviewOf(KINDS, clone)).state, 'interrupted');
  });
});
