import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { effort } from '../../../support/effort.ts';
import '../../../support/property-seed.ts';
import type { SearchEvent } from '../../../../src/core/search/events.ts';
import { NodesSeen } from '../../../../src/core/search/record/nodes-seen.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { TreeRecord } from '../../../../src/core/tree/tree-record.ts';
import { type DiskFiles, openDiskFiles } from '../../../../src/store/files/disk/disk-files.ts';
import { SearchReadStore } from '../../../../src/store/search-read-store.ts';
import { keepSnapshot } from '../../../../src/store/snapshot/keep-snapshot.ts';
import { writeNodeFolder } from '../../../support/searches/folder-editor.ts';
import { newFolder, removeFolders } from '../support/places.ts';

const KEY = 'the key of this user';
const LIMITS = { size: 'all', maxDepth: 4, guards: {} } as const;
const USAGE = { prompt: 10, cached: 0, completion: 5, usd: 0.1 };

const EVENTS: readonly SearchEvent[] = [
  { type: 'search-started', model: 'm', limits: LIMITS },
  { type: 'node-added', node: '', children: [{ id: 'id-a', slug: 'a', title: 'Title a', status: 'leaf' }] },
  { type: 'node-status', node: 'a', status: 'pruned' },
  { type: 'node-status', node: 'a', status: 'leaf', document: 'f'.repeat(32) },
  { type: 'node-removed', node: 'a' },
  { type: 'call-started', call: 'c', purpose: 'document', node: 'a', model: 'm', attempt: 1, worst: { tokens: 100 } },
  { type: 'call-ended', call: 'c', purpose: 'document', node: 'a', outcome: 'ok', ms: 5, charged: true, usage: USAGE },
  { type: 'budget-changed', by: 'user', limits: { ...LIMITS, maxDepth: 7 } },
  { type: 'picked', ranking: ['a', 'b'] },
  { type: 'adopted' },
];

let seq = 0;
const lineOf = (number: number): string =>
  `${JSON.stringify({ seq: ++seq, time: '2026-01-01T00:00:00.000Z', ...EVENTS[number % EVENTS.length] })}\n`;

/** What may happen to a journal while no process of ours looks at it. */
const CHANGES: Readonly<Record<string, (journal: string, at: number) => void>> = {
  nothing: () => undefined,
  appended: (journal, at) => appendFileSync(journal, lineOf(at)),
  torn: (journal) => appendFileSync(journal, '{"seq":'),
  damaged: (journal) => appendFileSync(journal, '{"seq":\n'),
  truncated: (journal, at) => writeFileSync(journal, readFileSync(journal).subarray(0, at)),
  replaced: (journal, at) => {
    writeFileSync(
      `${journal}.new`,
      `${readFileSync(journal, 'utf8')}${lineOf(at)}`.replace('"tokens":100', '"tokens":900'),
    );
    renameSync(`${journal}.new`, journal);
  },
  'edited in place': (journal) => {
    const { atime, mtime } = statSync(journal);
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"prompt":10', '"prompt":90'));
    utimesSync(journal, atime, mtime);
  },
  'edited and appended': (journal, at) => {
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"leaf"', '"failed"'));
    appendFileSync(journal, lineOf(at));
  },
};

const make = () => ({ record: new SearchRecord(new NodesSeen()), told: new TreeRecord() });

async function newSearch(lines: readonly number[]): Promise<{ root: string; journal: string; files: DiskFiles }> {
  const root = await newFolder();
  mkdirSync(join(root, '.search'));
  const journal = join(root, '.search/journal.jsonl');
  writeNodeFolder(root, 'a', 'leaf');
  writeFileSync(journal, lines.map(lineOf).join(''));
  return { root, journal, files: await openDiskFiles(root) };
}

async function keep(files: DiskFiles): Promise<void> {
  await keepSnapshot(files, { key: KEY, folds: make, settledMs: 0 });
}

/** All that the journal says, and where reading it began. */
async function read(files: DiskFiles, key?: string): Promise<{ said: unknown; begun: number }> {
  const store = new SearchReadStore(files, key);
  const { folds, begun, position } = await store.readFolds(make);
  const { record, told } = folds;
  const states = [record.state, told.state, ...record.parts.map((part) => (part as NodesSeen).state)];
  return { said: [JSON.parse(JSON.stringify(states)), position, store.problems], begun };
}

describe('a checkpoint of the journal', () => {
  afterEach(removeFolders);

  it('saves reading what it was made of', async () => {
    const { files, journal } = await newSearch([0, 1, 2, 3, 4, 5]);
    await keep(files);
    const { size } = statSync(journal);
    appendFileSync(journal, lineOf(6));
    const found = await read(files, KEY);
    assert.equal(found.begun, size);
    assert.deepEqual(found.said, (await read(files)).said);
    assert.equal((await read(files, 'the key of somebody else')).begun, 0);
  });

  it('never hides changes in the journal', async () => {
    const change = fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.nat(400));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(100), { maxLength: 20 }),
        fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        async (lines, rounds) => {
          const { files, journal } = await newSearch(lines);
          for (const changes of rounds) {
            await keep(files);
            for (const [what, at] of changes) CHANGES[what]?.(journal, at);
            assert.deepEqual((await read(files, KEY)).said, (await read(files)).said);
          }
        },
      ),
      { numRuns: effort(200) },
    );
  });

  it('is not made of a journal with something to tell on each opening', async () => {
    const { files, journal } = await newSearch([0, 1]);
    appendFileSync(journal, 'damaged\n');
    await keep(files);
    const found = await read(files, KEY);
    assert.equal(found.begun, 0);
    assert.match(JSON.stringify(found.said), /line 3/);
  });

  it('says nothing to a search whose journal is another, though its snapshot is the same', async () => {
    const one = await newSearch([0, 1, 5, 6]);
    const other = await newSearch([0, 1]);
    await keep(one.files);
    copyFileSync(join(one.root, '.search/snapshot.jsonl'), join(other.root, '.search/snapshot.jsonl'));
    const found = await read(other.files, KEY);
    assert.deepEqual([found.begun, found.said], [0, (await read(other.files)).said]);
  });

  it('serves only those who want nothing that it lacks', async () => {
    const { files } = await newSearch([0, 1, 2]);
    await keepSnapshot(files, { key: KEY, folds: () => ({ record: new SearchRecord() }), settledMs: 0 });
    const store = new SearchReadStore(files, KEY);
    assert.equal((await store.readFolds(make)).begun, 0);
    assert.ok((await store.readFolds(() => ({ record: new SearchRecord() }))).begun > 0);
  });
});
