import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Model } from '../../src/core/ports/model.ts';
import type { Slots } from '../../src/engine/context.ts';
import type { Search } from '../../src/engine/search.ts';
import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import { FleetLeader } from '../../src/fleet/leader/fleet-leader.ts';
import { jobOf, queueOf } from '../../src/fleet/names.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { openDiskFiles } from '../../src/store/files/disk/disk-files.ts';
import { createSearch, openFilesForWriting } from '../../src/store/open-store.ts';
import { systemRandom } from '../../src/store/system-ports.ts';
import { DiskClock } from '../engine/disk-clock.ts';
import { heapInUse } from '../harness/in-child.ts';
import { answerTo, leanModel } from '../trees/lean-model.ts';
import { CALL_MS, type ThousandResult } from './thousand.ts';
import { DEPTH, NODES, thousandTree } from './thousand-tree.ts';
import { VirtualFleet } from './virtual-fleet.ts';

/** What answers: a model in this process, or workers behind a queue. */
interface Answering {
  readonly model: Model;
  readonly concurrency: number;
  readonly slots?: Slots;
  readonly meter: { readonly work: number; readonly own: number };
  readonly fleet?: VirtualFleet;
}

const clock = new DiskClock();
const count = Number(process.argv[2]);
const answering = process.argv[3] === 'queue' ? await withQueue(count) : withoutQueue(count);
const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
try {
  console.log(JSON.stringify(await searched(answering)));
} finally {
  await rm(folder, { recursive: true, force: true });
}

function withoutQueue(concurrency: number): Answering {
  const model = leanModel(thousandTree, clock, () => CALL_MS);
  return { model, concurrency, meter: model };
}

/** As a run with `--queue URL --concurrency fleet` opens it. */
async function withQueue(slots: number): Promise<Answering> {
  const [name, search] = ['ollama/tree', 'ab12'];
  const fleet = new VirtualFleet({
    ...{ clock, slots, callMs: CALL_MS, model: name, queue: queueOf(name, undefined) },
    answer: (request) => answerTo(thousandTree, request),
  });
  const leader = new FleetLeader({
    ...{ queue: fleet, title: 'Slow build', key: 'k', search: async () => search, lease: async () => 1 },
    notice: (what) => console.error(what.text),
  });
  const model = leader.model({ name, origin: undefined, price: undefined, seconds: 300 });
  await leader.meet(0);
  return {
    // Its own object, since its properties follow the fleet. What it packs and unpacks is work of which the clock knows nothing.
    model: Object.assign(Object.create(model) as Model, {
      generate: async (...[request, call]: Parameters<Model['generate']>) => {
        const job = jobOf(search, call.call, queueOf(name, undefined));
        clock.hold(job);
        try {
          return await model.generate(request, call);
        } finally {
          clock.release(job);
        }
      },
    }),
    concurrency: leader.planned,
    slots: {
      get count() {
        return leader.slots;
      },
      areAllTaken: true,
      onChange: (listener) => leader.onSlots(listener),
      takeBack: () => leader.takeBack(),
    },
    ...{ meter: fleet, fleet },
  };
}

async function searched({ model, concurrency, slots, meter, fleet }: Answering): Promise<ThousandResult> {
  const options = { maxDepth: DEPTH };
  await createSearch(folder, { version: 1, kind: 'research', title: 'Slow build', prompt: 'Why?', options });
  const ports = { clock, random: systemRandom };
  const store = await openFilesForWriting(await openDiskFiles(folder, { operations: clock.operations }), ports);
  const search = await openHeldSearch({
    ...{ kinds: KINDS, ...ports, store, model, folder: 'a/b', concurrency, limits: { size: 'all' as const } },
    ...(slots && { slots }),
  });
  const seen = watched(search);
  const heapBefore = heapInUse();
  const begun = clock.now();
  const before = process.cpuUsage();
  const outcome = await clock.run(search.run());
  const { user, system } = process.cpuUsage(before);
  fleet?.empty();
  const result: ThousandResult = {
    ...seen,
    nodes: search.tree.finished,
    seconds: (clock.now() - begun) / 1000,
    workSeconds: meter.work / 1000,
    cpuMs: (user + system) / 1000 - meter.own,
    ownMs: meter.own,
    heap: heapInUse() - heapBefore,
    largest: process.resourceUsage().maxRSS * 1024,
    ...(fleet && { looks: { follows: fleet.follows, registrations: fleet.looks } }),
  };
  await clock.run(search.close());
  await model.close?.();
  if (result.nodes !== NODES) throw new Error(`only ${result.nodes} nodes: ${JSON.stringify(outcome)}`);
  return result;
}

/** Counts the calls of a search. */
function watched(search: Search): Pick<ThousandResult, 'calls' | 'picks' | 'most' | 'mostPicks' | 'longestRanking'> {
  const seen = { calls: 0, picks: 0, most: 0, mostPicks: 0, longestRanking: 0 };
  const underWay = { pick: 0, work: 0 };
  search.listen((event) => {
    if (event.type === 'picked') seen.longestRanking = Math.max(seen.longestRanking, event.ranking.length);
    if (event.type !== 'call-started' && event.type !== 'call-ended') return;
    const kind = event.purpose === 'pick' ? 'pick' : 'work';
    underWay[kind] += event.type === 'call-started' ? 1 : -1;
    if (event.type === 'call-started') {
      seen.calls++;
      if (kind === 'pick') seen.picks++;
    }
    seen.most = Math.max(seen.most, underWay.work);
    seen.mostPicks = Math.max(seen.mostPicks, underWay.pick);
  });
  return seen;
}
