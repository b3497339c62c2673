import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Search } from '../src/engine/search.ts';
import { KINDS } from '../src/kinds/kinds.ts';
import { openDiskFiles } from '../src/store/files/disk/disk-files.ts';
import { createSearch, openFilesForWriting } from '../src/store/open-store.ts';
import { systemRandom } from '../src/store/system-ports.ts';
import { DiskClock } from './disk-clock.ts';
import { heapInUse } from './in-child.ts';
import { leanModel } from './lean-model.ts';
import { CALL_MS, type ThousandResult } from './thousand.ts';
import { DEPTH, NODES, thousandTree } from './thousand-tree.ts';

const concurrency = Number(process.argv[2]);
const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
try {
  const options = { maxDepth: DEPTH };
  await createSearch(folder, { version: 1, kind: 'research', title: 'Slow build', prompt: 'Why?', options });
  const clock = new DiskClock();
  const ports = { clock, random: systemRandom };
  const store = await openFilesForWriting(await openDiskFiles(folder, { operations: clock.operations }), ports);
  const model = leanModel(thousandTree, clock, () => CALL_MS);
  const limits = { size: 'all' as const };
  const search = await Search.open({ kinds: KINDS, ...ports, store, model, folder: 'a/b', concurrency, limits });
  let calls = 0;
  let picks = 0;
  let underWay = 0;
  let most = 0;
  search.listen((event) => {
    if (event.type === 'call-ended' && event.purpose !== 'pick') underWay--;
    if (event.type !== 'call-started') return;
    calls++;
    if (event.purpose === 'pick') picks++;
    else most = Math.max(most, ++underWay);
  });
  const heapBefore = heapInUse();
  const begun = clock.now();
  const before = process.cpuUsage();
  const outcome = await clock.run(search.run());
  const { user, system } = process.cpuUsage(before);
  const result: ThousandResult = {
    nodes: search.tree.finished,
    calls,
    picks,
    most,
    seconds: (clock.now() - begun) / 1000,
    workSeconds: model.work / 1000,
    cpuMs: (user + system) / 1000 - model.own,
    heap: heapInUse() - heapBefore,
    largest: process.resourceUsage().maxRSS * 1024,
  };
  await clock.run(search.close());
  if (result.nodes !== NODES) throw new Error(`only ${result.nodes} nodes: ${JSON.stringify(outcome)}`);
  console.log(JSON.stringify(result));
} finally {
  await rm(folder, { recursive: true, force: true });
}
