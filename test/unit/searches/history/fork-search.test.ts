import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { SearchFile } from '../../../../src/core/search/search-file.ts';
import { joinedPath } from '../../../../src/core/tree/slug.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { compareSearches } from '../../../../src/searches/history/compare-searches.ts';
import { forkSearch, writeFork } from '../../../../src/searches/history/history.ts';
import { findSearches } from '../../../../src/store/open-store.ts';
import { PastFiles } from '../../../../src/store/past/past-files.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles, killsIn } from '../../../support/crashing-files.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const TREE = { fanout: (_: string, depth: number) => [3, 2, 1][depth] ?? 0, documentWords: 4 };
const limits = { size: 'all' as const, maxDepth: 2 };

async function finished(): Promise<{ files: MemoryFiles; events: JournalEvent[] }> {
  const files = new MemoryFiles();
  const { run, search, clock } = await simulate({
    store: createMemoryStore(QUESTION, files),
    tree: TREE,
    search: { limits },
  });
  await run();
  await clock.run(search.close());
  return { files, events: await createMemoryStore(QUESTION, files).readJournal() };
}

function open(files: MemoryFiles): SearchStore {
  return new SearchStore(files, { check: () => undefined, release: async () => undefined });
}

function contentOf(files: MemoryFiles, folder = ''): [string, string][] {
  return files.namesNow(folder).flatMap((name): [string, string][] => {
    const path = joinedPath(folder, name);
    return files.isFolderNow(path) ? contentOf(files, path) : [[path, files.readNow(path) as string]];
  });
}

async function copyOut(files: MemoryFiles, folder: string, path = ''): Promise<void> {
  await mkdir(join(folder, path), { recursive: true });
  for (const name of files.namesNow(path)) {
    const at = joinedPath(path, name);
    if (files.isFolderNow(at)) await copyOut(files, folder, at);
    else await writeFile(join(folder, at), files.readNow(at) as string);
  }
}

describe('forking a search', () => {
  it('goes on from any moment to the same end, and counts each call once', async () => {
    const { files, events } = await finished();
    const all = SearchRecord.of(events);
    const before = contentOf(files);
    const moments = events.filter(({ type }) => type === 'node-added' || type === 'call-ended').map(({ seq }) => seq);
    for (const seq of moments.filter((_, at) => at % 3 === 0)) {
      const fork = new MemoryFiles();
      const forkedFrom = { search: 'origin', event: seq, time: '' };
      const file = SearchFile.parse({ ...QUESTION, forkedFrom });
      await writeFork(fork, await PastFiles.open(files, String(seq), 0), {
        file,
        forkedFrom,
        guards: undefined,
        by: 'test',
      });
      const store = open(fork);
      const { search, run, clock } = await simulate({ store, tree: TREE, search: { limits }, seed: 7 });
      assert.equal(search.record.spend.calls, 0, `event ${seq}: nothing was spent in the fork`);
      await run();
      const own = search.record.spend.calls;
      await clock.run(search.close());
      const origin = SearchRecord.at(events, seq);
      const lost = origin.callsUnderWay.size;
      // A run that resumes may rank anew.
      const most = all.spend.calls - origin.spend.calls + lost + 1;
      assert.ok(own <= most, `event ${seq}: ${own} calls, at most ${most}`);
      const titles = (at: MemoryFiles): string[] =>
        contentOf(at)
          .filter(([path]) => /^[^.].*document\.md$/.test(path))
          .map(([path]) => path)
          .sort();
      assert.deepEqual(titles(fork), titles(files), `event ${seq}`);
      assert.deepEqual(store.problems, []);
    }
    assert.deepEqual(contentOf(files), before, 'the origin');
  });

  it('killed at any change, has no search.json unless it is whole', async () => {
    const { files, events } = await finished();
    const seq = events.at(-1)?.seq as number;
    const forkedFrom = { search: 'origin', event: seq, time: '' };
    const written = { file: SearchFile.parse({ ...QUESTION, forkedFrom }), forkedFrom, guards: undefined, by: 'test' };
    const before = contentOf(files);
    const counting = new CrashingFiles(new MemoryFiles());
    await writeFork(counting, await PastFiles.open(files, String(seq), 0), written);
    for (const { crashAt, made, where } of killsIn(counting.changes, true)) {
      const fork = new MemoryFiles();
      const crashing = new CrashingFiles(fork, crashAt, made);
      await crashing.ended(writeFork(crashing, await PastFiles.open(files, String(seq), 0), written));
      const isThere = fork.existsNow('search.json');
      assert.equal(isThere, crashAt === counting.changes && made, where);
    }
    assert.deepEqual(contentOf(files), before);
  });

  it('appears as a whole beside its origin, says what it is of, and has the trust of a clone where that is one', async () => {
    const workspace = temporaryFolder('fork');
    const folder = join(workspace, 'thought-trees', 'origin');
    const { files, events } = await finished();
    await copyOut(files, folder);
    await cp(folder, join(workspace, 'thought-trees', '.fork-left-behind'), { recursive: true });
    const middle = events[Math.floor(events.length / 2)]?.seq as number;
    const { place } = await forkSearch({ workspace, folder: `${folder}@${middle}` }, { kinds: KINDS, by: 'test' });
    const found = await findSearches(join(workspace, 'thought-trees'));
    assert.deepEqual(new Set(found.map(({ search }) => search?.forkedFrom?.event)), new Set([undefined, middle]));
    assert.equal(found.length, 2);
    const { divergence, alone } = await compareSearches(KINDS, `${folder}@${middle}`, place.folder);
    assert.deepEqual([divergence?.after, alone], [middle, []]);
    // Nobody of this user ran the origin here: nothing is remembered for the fork.
    assert.ok(!(await readdir(join(place.folder, '.search'))).includes('id'));
    const file = JSON.parse(await readFile(join(place.folder, 'search.json'), 'utf8')) as SearchFile;
    assert.equal(file.forkedFrom?.search, 'origin');
    await assert.rejects(
      forkSearch({ workspace, folder }, { kinds: KINDS, by: 'test', dir: place.folder }),
      /There is a search/,
    );
  });
});
