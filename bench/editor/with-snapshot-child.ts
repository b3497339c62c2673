import type { Search } from '../../src/engine/search.ts';
import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import { openTree } from '../../src/engine-parts/opening/open-tree.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { openForReading, openForWriting } from '../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../src/store/system-ports.ts';
import { evenTree } from '../trees/even-tree.ts';
import { leanModel } from '../trees/lean-model.ts';
import type { SnapshotResult } from './opening.ts';

const [folder, sealKey, what] = process.argv.slice(2) as [string, string, 'tree' | 'search'];
const ports = { clock: systemClock, random: systemRandom };
const model = leanModel(evenTree([]));

async function openSearch(): Promise<Search> {
  const store = await openForWriting(folder, { ...ports, sealKey });
  return await openHeldSearch({ kinds: KINDS, ...ports, store, model, folder: 'a/b' });
}

const begun = performance.now();
const opened =
  what === 'search'
    ? await openSearch()
    : await openTree(await openForReading(folder, sealKey), 'Slow build', 'reader');
const result: SnapshotResult = {
  nodes: 'tree' in opened ? opened.tree.size : opened.size,
  seconds: (performance.now() - begun) / 1000,
  mostResident: process.resourceUsage().maxRSS * 1024,
};
if ('close' in opened) await opened.close();
console.log(JSON.stringify(result));
