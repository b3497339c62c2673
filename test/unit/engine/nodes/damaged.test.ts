import assert from 'node:assert/strict';
import { nodeAt, pathOf, walk } from '../../../../src/core/tree/tree.ts';
import { openTree } from '../../../../src/engine-parts/opening/open-tree.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [2, 2][depth] ?? 0, documentWords: 5 };

function opened(files: MemoryFiles) {
  return simulate({ tree, store: createMemoryStore(QUESTION, files), search: { limits: { size: 'all' } } });
}

/** A finished search one of whose branches is pruned. */
async function finished(): Promise<{ files: MemoryFiles; paths: string[] }> {
  const files = new MemoryFiles();
  const { search, run } = await opened(files);
  await run();
  const paths = [...walk(search.tree.root)].filter((node) => node.parent).map(pathOf);
  await search.act({ action: 'note', node: paths[0] ?? '', text: 'Mind the cache.' }, 'person');
  await search.act({ action: 'prune', node: paths.at(-1) ?? '' }, 'person');
  await search.close();
  return { files, paths };
}

const damage = (files: MemoryFiles, path: string): void =>
  files.put(`${path}/node.json`, (files.readNow(`${path}/node.json`) ?? '').slice(0, 40));

async function contentOf(files: MemoryFiles): Promise<Record<string, string>> {
  const all = Object.entries(await snapshotOf(files));
  return Object.fromEntries(all.filter(([path]) => !path.includes('.damaged-')));
}

describe('a node whose node.json is damaged', () => {
  it('is made whole from the journal when the search is opened, whatever it was', async () => {
    const { files, paths } = await finished();
    const before = await contentOf(files);
    for (const path of paths) damage(files, path);
    const { search, run, events } = await opened(files);
    assert.deepEqual(await contentOf(files), before);
    for (const path of paths) assert.ok(files.existsNow(`${path}/node.json.damaged-1`), path);
    await run();
    const asked = events.flatMap((event) => (event.type === 'call-started' ? event.purpose : []));
    assert.deepEqual(asked, ['synthesize'], 'nothing is asked for again');
    assert.equal(search.tree.counts.pruned, 1);
  });

  it('has its title and what its files bear out where nobody may write, or there is no journal', async () => {
    const { files, paths } = await finished();
    const { search } = await opened(files);
    const [path = ''] = paths;
    const title = nodeAt(search.tree, path)?.title;
    assert.notEqual(title, path);
    await search.close();
    damage(files, path);
    files.drop('.search');
    const store = createMemoryStore(QUESTION, files);
    const read = nodeAt(await openTree(store, QUESTION.title, 'reader'), path);
    assert.deepEqual([read?.title, read?.status], [title, 'expanded']);
    const again = await opened(files);
    const held = nodeAt(again.search.tree, path);
    assert.deepEqual([held?.title, held?.status], [title, 'expanded']);
    assert.equal(JSON.parse(files.readNow(`${path}/node.json`) ?? '').title, title);
  });

  it('counts as damaged if it is nested so deeply that nothing can descend into it', async () => {
    const { files, paths } = await finished();
    const before = await contentOf(files);
    const [path = ''] = paths;
    const whole = (files.readNow(`${path}/node.json`) ?? '').trimEnd().slice(0, -1);
    files.put(`${path}/node.json`, `${whole}, "own": {"a": ${'['.repeat(9000)}${']'.repeat(9000)}}}`);
    const store = createMemoryStore(QUESTION, files);
    assert.equal(nodeAt(await openTree(store, QUESTION.title, 'reader'), path)?.status, 'expanded');
    await opened(files);
    assert.deepEqual(await contentOf(files), before);
  });

  it('keeps what is known of it while the search is open', async () => {
    const { files, paths } = await finished();
    const before = await contentOf(files);
    const { search } = await opened(files);
    const [path = ''] = paths;
    damage(files, path);
    await search.reconcile(path);
    assert.deepEqual(await contentOf(files), before);
    assert.match(nodeAt(search.tree, path)?.file?.note ?? '', /Mind the cache/);
  });
});
