import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/core/ports/store.ts';
import type { SearchFile } from '../../src/core/search/search-file.ts';
import { Search } from '../../src/engine/search.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { createSearch, openForWriting } from '../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../src/store/system-ports.ts';
import { fastClock } from '../../test/support/virtual-clock.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { leanModel } from '../trees/lean-model.ts';
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
 * The tree of 900 nodes in real time, once with its files in memory and once on disk. Waits for the disk are real, but
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
    const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
    try {
      await createSearch(folder, FILE);
      const store = await openForWriting(folder, { clock: systemClock, random: systemRandom });
      const onDisk = await timed(store, slots, faster);
      const scaled = ({ took, atLeast }: Run): string => ((took * faster) / atLeast).toFixed(2);
      const note = `${(onDisk.took - memory.took).toFixed(1)} s more over ${onDisk.atLeast.toFixed(0)} s of answers`;
      figures.push({
        part: 'disk',
        what: `ratio added by the disk, ${slot} slots`,
        value: (onDisk.took - memory.took) / onDisk.atLeast,
        unit: '×',
        target: { atMost: 0.03 },
        note: `${note}; at ${faster} times the speed: memory ${scaled(memory)}, disk ${scaled(onDisk)}`,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

async function timed(store: Store, concurrency: number, faster: number): Promise<Run> {
  const clock = fastClock(faster);
  const model = leanModel(simulatedTree(1, 'wide'), clock, latencies(1));
  const parts = { store, model, clock, random: systemRandom, folder: 'thought-trees/slow-build', timeoutMs: 1e8 };
  const search = await Search.open({ kinds: KINDS, ...parts, concurrency, limits: { size: 'all' } });
  const begun = performance.now();
  await search.run();
  const took = (performance.now() - begun) / 1000;
  await search.close();
  if (search.tree.finished !== 900) throw new Error(`only ${search.tree.finished} of 900 nodes were worked on`);
  return { took, atLeast: model.work / concurrency / 1000 };
}
