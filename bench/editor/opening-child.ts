import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import { openTree } from '../../src/engine-parts/opening/open-tree.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { openForReading, openForWriting } from '../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../src/store/system-ports.ts';
import { heapInUse } from '../harness/in-child.ts';
import { evenTree } from '../trees/even-tree.ts';
import { leanModel } from '../trees/lean-model.ts';
import type { OpeningResult } from './opening.ts';

/** The duration of some work in seconds, and the bytes of the heap that its result holds. */
async function measured<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number; bytes: number }> {
  const before = heapInUse();
  const begun = performance.now();
  const value = await work();
  const seconds = (performance.now() - begun) / 1000;
  return { value, seconds, bytes: heapInUse() - before };
}

const folder = process.argv[2] as string;
const reading = await openForReading(folder);
const tree = await measured(() => openTree(reading, 'Slow build', 'reader'));
const nodes = tree.value.size;
if (reading.problems.length > 0) throw new Error(reading.problems[0]?.message);
const journal = await measured(() => reading.readJournal());
const events = journal.value.length;
(journal as { value: unknown }).value = undefined;
(tree as { value: unknown }).value = undefined;

const ports = { clock: systemClock, random: systemRandom };
const model = leanModel(evenTree([]));
const search = await measured(async () => {
  const store = await openForWriting(folder, ports);
  return openHeldSearch({ kinds: KINDS, ...ports, store, model, folder: 'a/b' });
});
if (search.value.tree.finished !== nodes)
  throw new Error(`only ${search.value.tree.finished} of ${nodes} are finished`);
await search.value.close();
const result: OpeningResult = {
  nodes,
  events,
  tree: { seconds: tree.seconds, bytes: tree.bytes },
  journal: { seconds: journal.seconds, bytes: journal.bytes },
  search: { seconds: search.seconds, bytes: search.bytes },
  mostResident: process.resourceUsage().maxRSS * 1024,
};
console.log(JSON.stringify(result));
