import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import '../../test/support/own-state.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS } from '../../src/kinds/kinds.ts';
import { openModel } from '../../src/models/open-model.ts';
import { createSearch, openForWriting } from '../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../src/store/system-ports.ts';
import { QUESTION } from '../trees/simulated-tree.ts';
import { NODES_REAL, type RealRun } from './real.ts';

// A whole search as the command line runs it: the model behind HTTP, the files on the disk.

const [, , baseUrl = '', slots = ''] = process.argv;
const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
try {
  await createSearch(folder, { version: 1, kind: 'research', title: 'Slow build', prompt: QUESTION, options: {} });
  const ports = { clock: systemClock, random: systemRandom };
  const store = await openForWriting(folder, ports);
  const model = await openModel('openai-compatible/fast', { workspace: folder, baseUrl });
  const limits = { size: 'all' as const, guards: { tokens: 1e9, calls: 1e6 } };
  const parts = { store, model, folder: 'thought-trees/slow-build', concurrency: Number(slots), limits };
  const search = await openHeldSearch({ kinds: KINDS, ...ports, ...parts });
  const before = process.cpuUsage();
  const begun = performance.now();
  const outcome = await search.run();
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(before);
  await search.close();
  if (search.tree.finished !== NODES_REAL)
    throw new Error(`only ${search.tree.finished} nodes: ${JSON.stringify(outcome)}`);
  console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000 } satisfies RealRun));
} finally {
  await rm(folder, { recursive: true, force: true });
}
