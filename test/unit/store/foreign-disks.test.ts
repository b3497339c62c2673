import assert from 'node:assert/strict';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import type { Search } from '../../../src/engine/search.ts';
import { openDiskFiles } from '../../../src/store/files/disk/disk-files.ts';
import type { Files } from '../../../src/store/files/files.ts';
import { createSearchJson } from '../../../src/store/json/search-json.ts';
import { openFilesForWriting } from '../../../src/store/open-store.ts';
import type { SearchStore } from '../../../src/store/search-store.ts';
import { CrashingFiles } from '../../support/crashing-files.ts';
import { caseInsensitiveDisk, type ForeignDisk, windowsDisk } from '../../support/disks/foreign-disks.ts';
import { someOf } from '../../support/effort.ts';
import { simulatedModel } from '../../support/models/simulated-model.ts';
import { chanceTask, thoughtModel } from '../../support/models/thought-model.ts';
import { PowerDisk } from '../../support/power/power-disk.ts';
import { snapshotOf } from '../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../support/searches/simulated-search.ts';
import { simulateThoughts, thoughtFile } from '../../support/searches/simulated-thoughts.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { fastClock, seededRandom } from '../../support/virtual-clock.ts';

const CONCURRENCY = 3;
let runs = 0;

interface Kind {
  readonly file: SearchFile;
  readonly open: (store: SearchStore, seed: number) => Promise<Search>;
}

/** Titles that are one name on some disk, or that some system reserves. */
const TITLES = ['Ärger', 'A\u0308RGER', 'straße', 'STRASSE', 'CON', 'aux.txt', 'Prompts', 'NUL ', 'a', 'A'];
const clock = fastClock(1000);

const research: Kind = {
  file: { ...QUESTION, options: { size: 'all' } },
  open: async (store, seed) => {
    const tree = scriptedTree({
      fanout: (_path, depth) => [10, 2][depth] ?? 0,
      title: (_path, index) => TITLES[index] ?? 'more',
    });
    const model = simulatedModel({ tree, clock, latencyMs: ({ node }) => 500 + (node.length % 7) * 300 });
    return (await simulate({ store, seed, search: { concurrency: CONCURRENCY, clock, model } })).search;
  },
};

const given = {
  strategy: 'breadth-first',
  task: chanceTask,
  options: { candidates: 3, beam: 2, maxDepth: 2, threshold: 3 },
};
const thoughts: Kind = {
  file: thoughtFile(given),
  open: async (store, seed) => {
    const model = thoughtModel({ clock, latencyMs: () => 800 });
    return (await simulateThoughts({ ...given, store, seed, search: { concurrency: CONCURRENCY, clock, model } }))
      .search;
  },
};

function plainDisk(): ForeignDisk {
  const { folder, operations } = new PowerDisk(() => 0);
  return { folder, operations, platform: 'linux', refusals: () => 0 };
}

async function filesOn({ folder, operations, platform }: ForeignDisk): Promise<Files> {
  return await openDiskFiles(folder, { operations, platform });
}

async function withSearch({ file }: Kind, disk: ForeignDisk): Promise<ForeignDisk> {
  const files = await filesOn(disk);
  await files.makeFolder('.search');
  await createSearchJson(files, file);
  return disk;
}

/** Runs a search to its end, or until it is killed at a change; the number of changes. */
async function run({ open }: Kind, disk: ForeignDisk, killedAt?: number): Promise<number> {
  const seed = ++runs;
  const crashing = new CrashingFiles(await filesOn(disk), killedAt, seed % 2 === 0);
  const identity = { pid: 2 ** 22 + seed, host: 'here', bootId: 'boot' };
  const work = async (): Promise<void> => {
    const store = await openFilesForWriting(crashing, { clock, random: seededRandom(seed), identity });
    const search = await open(store, seed);
    const outcome = await search.run();
    assert.equal(outcome.state, 'finished', JSON.stringify(outcome));
    await search.close();
  };
  await crashing.ended(work());
  return crashing.changes;
}

const DISKS: Readonly<Record<string, () => ForeignDisk>> = {
  'that ignores case': caseInsensitiveDisk,
  'of Windows': windowsDisk,
  'of Windows without links': () => windowsDisk(false),
};

for (const [kind, search] of Object.entries({ research, thoughts }))
  describe(`a ${kind} search`, () => {
    let expected: Record<string, string>;
    before(async () => {
      const disk = await withSearch(search, plainDisk());
      await run(search, disk);
      expected = await snapshotOf(await filesOn(disk));
    });

    for (const [name, make] of Object.entries(DISKS))
      it(`runs on a disk ${name}, is killed and continued, with the same tree`, async () => {
        const disk = await withSearch(search, make());
        const changes = await run(search, disk);
        assert.deepEqual(await snapshotOf(await filesOn(disk)), expected);
        for (const part of someOf([1, 2, 3, 4, 5], 1)) {
          const killed = await withSearch(search, make());
          await run(search, killed, Math.floor((changes * part) / 6));
          await run(search, killed);
          assert.deepEqual(await snapshotOf(await filesOn(killed)), expected, `killed after ${part} of 6 parts`);
        }
        if (disk.platform === 'win32') assert.ok(disk.refusals() > 0, 'it refused nothing');
      });
  });
