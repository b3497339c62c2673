import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wrappedModel } from '../../src/core/ports/model.ts';
import type { Purse } from '../../src/core/ports/purse.ts';
import type { Store } from '../../src/core/ports/store.ts';
import type { SearchFile } from '../../src/core/search/search-file.ts';
import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { OwnPurse } from '../../src/searches/purse/purse.ts';
import { PurseFile } from '../../src/searches/purse/purse-file.ts';
import { createSearch, openForWriting } from '../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../src/store/system-ports.ts';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import { fastClock } from '../../test/support/virtual-clock.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { type LeanModel, leanModel } from '../trees/lean-model.ts';
import { latencies, QUESTION, simulatedTree } from '../trees/simulated-tree.ts';

/** How many times faster than simulated the model answers, by number of slots: about 10 seconds per run. */
const FASTER: Readonly<Record<number, number>> = { 4: 200, 16: 60, 64: 12 };
const FILE: SearchFile = { version: 1, kind: 'research', title: 'Slow build', prompt: QUESTION, options: {} };

interface Run {
  /** Duration of the search, in seconds. */
  readonly took: number;
  /** The minimum duration of the model's answers at real speed, in seconds, shared by the slots. */
  readonly atLeast: number;
}

/**
 * The tree of 900 nodes in real time, once with its files in memory, once on disk, and once with limits over everything. Waits for the disk are real, but
 * closer together than in a real search, since the model answers so many times faster: so their sum is given relative
 * to the time that real answers would take, and is more than a real search would see.
 */
export async function disk({ quick, say }: PartOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [slot, faster] of Object.entries(FASTER)) {
    const slots = Number(slot);
    if (quick && slots !== 64) continue;
    say(`${slot} slots, a model ${faster} times faster, in memory`);
    const memory = await timed(createMemoryStore(FILE), slots, faster);
    say(`${slot} slots, on the disk`);
    const onDisk = await timedOnDisk(slots, faster, false);
    say(`${slot} slots, on the disk, and with limits over everything`);
    const limited = await timedOnDisk(slots, faster, true);
    const scaled = ({ took, atLeast }: Run): string => ((took * faster) / atLeast).toFixed(2);
    const added = (what: string, run: Run, before: Run, atMost: number): Figure => ({
      part: 'disk',
      what: `ratio added by the ${what}, ${slot} slots`,
      value: (run.took - before.took) / run.atLeast,
      unit: '×',
      target: { atMost },
      note: `${(run.took - before.took).toFixed(1)} s more over ${run.atLeast.toFixed(0)} s of answers; at ${faster} times the speed: without ${scaled(before)}, with ${scaled(run)}`,
    });
    figures.push(added('disk', onDisk, memory, 0.03), added('purse', limited, onDisk, 0.05));
  }
  return figures;
}

async function timedOnDisk(slots: number, faster: number, isLimited: boolean): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
  try {
    const search = join(folder, 'search');
    await createSearch(search, FILE);
    const store = await openForWriting(search, { clock: systemClock, random: systemRandom });
    if (!isLimited) return await timed(store, slots, faster);
    const file = PurseFile.open(join(folder, 'state'));
    if (!file) throw new Error('there is no purse');
    const purse = new OwnPurse(file, { folder, search: 'search' });
    for (const scope of ['day', 'month', 'folder'] as const) await purse.setLimit(scope, 1e6);
    return await timed(store, slots, faster, purse);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A model that costs something, so that its calls go through the purse. */
const DEAR = { free: false, price: { prompt: 3, cached: 0.3, completion: 15 } };
const LIMITS = { size: 'all', guards: { calls: 1e6, tokens: 1e12, usd: 1e6 } } as const;

async function timed(store: Store, concurrency: number, faster: number, purse?: Purse): Promise<Run> {
  const clock = fastClock(faster);
  const lean = leanModel(simulatedTree(1, 'wide'), clock, latencies(1));
  const model = wrappedModel(lean, DEAR) as LeanModel;
  const parts = {
    store,
    purse,
    model,
    clock,
    random: systemRandom,
    folder: 'thought-trees/slow-build',
    timeoutMs: 1e8,
  };
  const search = await openHeldSearch({ kinds: KINDS, ...parts, concurrency, limits: LIMITS });
  const begun = performance.now();
  await search.run();
  const took = (performance.now() - begun) / 1000;
  await search.close();
  if (search.tree.finished !== 900) throw new Error(`only ${search.tree.finished} of 900 nodes were worked on`);
  return { took, atLeast: model.work / concurrency / 1000 };
}
