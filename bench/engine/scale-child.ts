import type { SearchFile } from '../../src/core/search/search-file.ts';
import type { Search } from '../../src/engine/search.ts';
import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import type { Files } from '../../src/store/files/files.ts';
import { searchText } from '../../src/store/json/search-json.ts';
import { SearchStore } from '../../src/store/search-store.ts';
import { MemoryFiles } from '../../test/support/memory-store.ts';
import { seededRandom, stillClock } from '../../test/support/virtual-clock.ts';
import { heapInUse } from '../harness/in-child.ts';
import { evenTree, FANOUTS, nodesOf } from '../trees/even-tree.ts';
import { leanModel } from '../trees/lean-model.ts';
import type { ScaleResult } from './scale.ts';

const FILE: SearchFile = { version: 1, kind: 'research', title: 'Slow build', prompt: 'Why?', options: {} };
/** Nodes worked on before anything is measured, so that the compiler has seen the code. */
const WARM_UP = 2500;

/** Files that can be released while the search on them is still held. */
function droppable(): { files: Files; drop: () => void } {
  let target: Files | undefined = new MemoryFiles();
  const files = new Proxy({} as Files, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target as Files, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    files,
    drop: () => {
      target = undefined;
    },
  };
}

async function searched(fanouts: readonly number[], seed: number) {
  const { files, drop } = droppable();
  await files.createExclusive('search.json', searchText(FILE));
  await files.makeFolder('.search');
  const store = new SearchStore(files, { check: () => undefined, release: async () => undefined });
  const model = leanModel(evenTree(fanouts));
  const random = seededRandom(seed);
  const search = await openHeldSearch({
    kinds: KINDS,
    store,
    model,
    clock: stillClock,
    random,
    folder: 'a/b',
    limits: { size: 'all' },
  });
  const before = process.cpuUsage();
  const outcome = await search.run();
  const { user, system } = process.cpuUsage(before);
  if (search.tree.finished !== nodesOf(fanouts))
    throw new Error(`only ${search.tree.finished} nodes: ${JSON.stringify(outcome)}`);
  return { search, drop, ms: (user + system) / 1000 - model.own };
}

const fanouts = FANOUTS[Number(process.argv[2])] as readonly number[];
const small = FANOUTS[100] as readonly number[];
for (let done = 0; done < WARM_UP; done += nodesOf(small)) await searched(small, done);

const nodes = nodesOf(fanouts);
const repeats = Math.max(1, Math.round(6000 / nodes));
const before = heapInUse();
const held: Search[] = [];
let ms = 0;
for (let i = 0; i < repeats; i++) {
  const { search, drop, ms: own } = await searched(fanouts, i);
  drop();
  held.push(search);
  ms += own;
}
const heap = heapInUse() - before;
const total = repeats * nodes;
const result: ScaleResult = { nodes, microseconds: (1000 * ms) / total, bytes: heap / total, held: held.length };
console.log(JSON.stringify(result));
