import assert from 'node:assert/strict';
import type { Model } from '../../../../src/core/ports/model.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { EFFORT } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { seededRandom, VirtualClock } from '../../../support/virtual-clock.ts';

const right = { check: () => undefined, release: async () => undefined };
/** A tree in which several rankings are under way at once, and how many slots that takes. */
const [FANOUTS, MANY] = EFFORT < 10 ? [[12, 12, 6], 130] : [[6, 6, 6, 3, 2], 300];
const NODES = FANOUTS.reduceRight((below, fanout) => fanout * (1 + below), 0);
let runs = 0; // no two runs draw the same ids

interface Part {
  readonly concurrency: number;
  /** Which rankings fail, counted from 1. */
  readonly fails?: (nth: number) => boolean;
  readonly onEvent?: (event: JournalEvent) => void;
}

/** A model that takes 5 to 15 seconds, and a minute for a ranking. */
function slowModel(clock: VirtualClock, fails: Part['fails']): Model {
  const tree = scriptedTree({ fanout: (_path, depth) => FANOUTS[depth] ?? 0, documentWords: 5 });
  const random = seededRandom(runs);
  let picks = 0;
  return {
    name: 'simulated/tree',
    label: 'Simulated',
    free: true,
    generate: async ({ purpose, node, prompt }, { signal }) => {
      const isWrong = purpose === 'pick' && fails?.(++picks);
      await clock.sleep(purpose === 'pick' ? 60_000 : 5000 + 10_000 * random.next(), signal);
      const call = { n: 0, purpose, node, attempt: 1, model: '', messages: [], prompt, maxTokens: undefined };
      const text = isWrong ? 'I cannot say.' : tree.answer(call);
      return { text, finish: 'stop', usage: { prompt: 1, cached: 0, completion: 1 } };
    },
  };
}

/** Runs a search to its end, or until its files let it go no further. */
async function run(files: CrashingFiles, { concurrency, fails, onEvent }: Part): Promise<void> {
  const clock = new VirtualClock();
  const seed = ++runs;
  const model = slowModel(clock, fails);
  const work = async (): Promise<void> => {
    const store = new SearchStore(files, right);
    const limits = { size: 'all' as const, guards: {} };
    const { search } = await simulate({ store, seed, search: { concurrency, clock, model, limits } });
    if (onEvent) search.listen(onEvent);
    await clock.run(search.run());
  };
  await files.ended(work());
  clock.stop();
}

function emptySearch(): MemoryFiles {
  const files = new MemoryFiles();
  createMemoryStore({ ...QUESTION, options: { size: 'all', maxDepth: 5 } }, files);
  return files;
}

describe('research with very many slots', () => {
  let asOnFour: object = {};
  before(async () => {
    const files = emptySearch();
    await run(new CrashingFiles(files), { concurrency: 4 });
    asOnFour = await snapshotOf(files);
    assert.ok(Object.keys(asOnFour).length > 3 * NODES);
  });

  it('gives the same tree at 4 and at 1,000 slots', async () => {
    const files = emptySearch();
    await run(new CrashingFiles(files), { concurrency: 1000 });
    assert.deepEqual(await snapshotOf(files), asOnFour);
  });

  it('gives the same tree if it is killed in the midst of several rankings, and finds those that came', async () => {
    const whole = new CrashingFiles(emptySearch());
    const { midst, take } = severalRankings(() => whole.changes);
    await run(whole, { concurrency: MANY, onEvent: take });
    assert.ok(midst.length > 0, 'there never were several rankings');
    const files = emptySearch();
    const told: string[] = [];
    const onEvent = (event: JournalEvent): void => {
      if (event.type === 'picked') told.push(...event.ranking);
    };
    const crashAt = midst[Math.floor(midst.length / 2)];
    await run(new CrashingFiles(files, crashAt), { concurrency: MANY, onEvent });
    const { search } = await simulate({ store: new SearchStore(files, right), seed: ++runs });
    const { ranking } = search.record;
    assert.ok(ranking.length > 0 && ranking.every((path) => told.includes(path)));
    await run(new CrashingFiles(files), { concurrency: MANY });
    assert.deepEqual(await snapshotOf(files), asOnFour);
  });

  it('gives the same tree if every other ranking fails', async () => {
    const files = emptySearch();
    let failures = 0;
    const onEvent = (event: JournalEvent): void => {
      if (event.type === 'call-ended' && event.purpose === 'pick') failures++;
    };
    await run(new CrashingFiles(files), { concurrency: MANY, fails: (nth) => nth % 2 === 0, onEvent });
    assert.ok(failures > 0);
    assert.deepEqual(await snapshotOf(files), asOnFour);
  });
});

/** Notes how far the files were whenever several rankings were under way, after one had come. */
function severalRankings(changes: () => number): { midst: number[]; take: (event: JournalEvent) => void } {
  const midst: number[] = [];
  let underWay = 0;
  let come = 0;
  const take = (event: JournalEvent): void => {
    if (event.type === 'call-started' && event.purpose === 'pick') underWay++;
    if (event.type === 'call-ended' && event.purpose === 'pick') underWay--;
    if (event.type === 'picked') come++;
    if (underWay > 1 && come > 0) midst.push(changes());
  };
  return { midst, take };
}
