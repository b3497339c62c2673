import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { SearchRecord } from '../../../src/core/search/record/search-record.ts';
import { pathOf, walk } from '../../../src/core/tree/tree.ts';
import { foldsOf } from '../../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { research } from '../../../src/kinds/research/research.ts';
import { actOnSearch } from '../../../src/searches/act-on-search.ts';
import { overviewOf } from '../../../src/searches/reader/search-overview.ts';
import { ownKey } from '../../../src/searches/trust/state-folder.ts';
import { openDiskFiles } from '../../../src/store/files/disk/disk-files.ts';
import { keepSnapshot } from '../../../src/store/snapshot/keep-snapshot.ts';
import { sealed } from '../../../src/store/snapshot/sealed-file.ts';
import { SNAPSHOT } from '../../../src/store/snapshot/snapshot.ts';
import { writeNodeFolder } from '../../support/searches/folder-editor.ts';
import { forgedCall, forgeSearch } from '../../support/searches/forged-search.ts';
import { newFolder, removeFolders } from '../store/support/places.ts';

const LIMITS = { size: 'all', maxDepth: 4, guards: { calls: 3 } };
const SLUGS = Array.from({ length: 250 }, (_, i) => `n${i}`);

/** A search of 250 nodes at rest, as somebody left it. */
async function newSearch(): Promise<{ folder: string; workspace: string }> {
  const workspace = await newFolder();
  const folder = join(workspace, 'thought-trees', 'why');
  const list = SLUGS.map((slug) => ({ title: `Title ${slug}`, slug }));
  const begun = { type: 'search-started', model: 'openai-compatible/m', limits: LIMITS };
  const listed = { type: 'node-added', node: '', children: list.map((each) => ({ ...each, id: `id-${each.slug}` })) };
  const told = SLUGS.map((node) => ({ type: 'node-status', node, status: 'leaf', leafReason: 'model' }));
  const calls = forgedCall('c', { prompt: 100, completion: 50, usd: 0.5 });
  await forgeSearch(folder, { journal: [begun, listed, ...told, ...calls], files: { 'children.json': list } });
  for (const slug of SLUGS) writeNodeFolder(folder, slug, 'leaf');
  return { folder, workspace };
}

async function note(place: { folder: string; workspace: string }, text: string): Promise<void> {
  const openModel = (): Promise<never> => Promise.reject(new Error('no model'));
  const { ok } = await actOnSearch(place, { action: 'note', text }, { kinds: KINDS, by: 'test', openModel });
  assert.ok(ok);
}

function journalIn(folder: string): JournalEvent[] {
  const lines = readFileSync(join(folder, '.search/journal.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** Everything that a reader says about a search. */
async function seen(folder: string): Promise<object> {
  const { state, limits, tree, results, record, problems } = await overviewOf(KINDS, folder);
  const nodes = [...walk(tree.root)].map((node) => [pathOf(node), node.file, node.summary]);
  return { state, limits, nodes, results, spend: record.spend, wishes: record.wishes, problems };
}

describe('a search with a snapshot', () => {
  afterEach(removeFolders);

  it('is the same as without, for readers and for who writes it', async () => {
    const place = await newSearch();
    const { folder } = place;
    await note(place, 'first');
    const files = await openDiskFiles(folder);
    const key = ownKey();
    assert.ok(key !== undefined && existsSync(join(folder, SNAPSHOT)), 'written when it was closed');
    await keepSnapshot(files, { key, folds: () => foldsOf(research, 'Why'), settledMs: 0 });
    const withIt = await seen(folder);
    const snapshot = readFileSync(join(folder, SNAPSHOT));
    writeFileSync(join(folder, SNAPSHOT), '');
    assert.deepEqual(await seen(folder), withIt);
    writeFileSync(join(folder, SNAPSHOT), snapshot);
    const before = journalIn(folder).length;
    await note(place, 'second');
    const later = journalIn(folder).slice(before);
    assert.deepEqual(
      later.filter(({ type }) => type.startsWith('node-')),
      [],
      'nothing is found that did not happen',
    );
    assert.deepEqual(
      later.map(({ seq }) => seq),
      later.map((_, i) => before + 1 + i),
    );
    assert.deepEqual(SearchRecord.of(journalIn(folder)).spend.calls, 1);
  });

  it('shows what was changed by hand since, and tells the journal', async () => {
    const place = await newSearch();
    const { folder } = place;
    await note(place, 'first');
    await keepSnapshot(await openDiskFiles(folder), {
      key: ownKey() as string,
      folds: () => foldsOf(research, 'Why'),
      settledMs: 0,
    });
    const file = join(folder, 'n7/node.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Title n7', 'Other n7'));
    await utimes(file, 0, 0);
    const before = journalIn(folder).length;
    await note(place, 'second');
    const told = journalIn(folder)
      .slice(before)
      .filter(({ type }) => type === 'node-status');
    assert.deepEqual(
      told.map((event) => [(event as { node: string }).node, (event as { title?: string }).title]),
      [['n7', 'Other n7']],
    );
  });

  it('believes no snapshot that came with its folder, even if it fits the files', async () => {
    const { folder } = await newSearch();
    const honest = await seen(folder);
    // Whoever shares the disk knows the states of its files, and what its journal says, but not this user's key.
    const files = await openDiskFiles(folder);
    await keepSnapshot(files, { key: 'of somebody else', folds: () => foldsOf(research, 'Why'), settledMs: 0 });
    const lines = readFileSync(join(folder, SNAPSHOT), 'utf8').trimEnd().split('\n').slice(0, -1);
    assert.ok(lines.some((line) => line.includes('"calls":3')));
    const forged = lines.map((line) => line.replaceAll('"calls":3', '"calls":3000').replaceAll('Title n', 'Forged n'));
    for (const key of ['', 'of somebody else', 'undefined']) {
      await writeFile(join(folder, SNAPSHOT), sealed(forged, key));
      assert.deepEqual(await seen(folder), honest);
    }
    await writeFile(join(folder, SNAPSHOT), `${forged.join('\n')}\n`);
    assert.deepEqual(await seen(folder), honest);
  });
});
