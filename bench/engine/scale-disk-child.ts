import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { createSearch, openForWriting } from '../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../src/store/system-ports.ts';
import { evenTree, FANOUTS, nodesOf } from '../trees/even-tree.ts';
import { leanModel } from '../trees/lean-model.ts';
import type { DiskScaleResult } from './scale.ts';

const fanouts = FANOUTS[Number(process.argv[2])] as readonly number[];
const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
try {
  await createSearch(folder, { version: 1, kind: 'research', title: 'Slow build', prompt: 'Why?', options: {} });
  const ports = { clock: systemClock, random: systemRandom };
  const store = await openForWriting(folder, ports);
  const model = leanModel(evenTree(fanouts));
  const search = await openHeldSearch({ kinds: KINDS, ...ports, store, model, folder: 'a/b', limits: { size: 'all' } });
  const begun = performance.now();
  const before = process.cpuUsage();
  const outcome = await search.run();
  const { user, system } = process.cpuUsage(before);
  const wall = performance.now() - begun;
  await search.close();
  const nodes = nodesOf(fanouts);
  if (search.tree.finished !== nodes) throw new Error(`only ${search.tree.finished} nodes: ${JSON.stringify(outcome)}`);
  const microseconds = (user + system - 1000 * model.own) / nodes;
  const result: DiskScaleResult = { nodes, microseconds, wallMs: wall / nodes };
  console.log(JSON.stringify(result));
} finally {
  await rm(folder, { recursive: true, force: true });
}
