import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { joinedPath } from '../../../../src/core/tree/slug.ts';
import { nodeAt, type TreeNode } from '../../../../src/core/tree/tree.ts';
import type { Search } from '../../../../src/engine/search.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [3, 2][depth] ?? 0, documentWords: 5 };
const limits = { size: 'all' as const, maxDepth: 2, guards: {} };
let seed = 0; // no two searches of a process draw the same ids

async function opened(files: MemoryFiles): Promise<Search> {
  const store = createMemoryStore(QUESTION, files);
  return (await simulate({ tree, store, search: { limits, concurrency: 1 }, seed: ++seed })).search;
}

/** What a person does in a terminal: `mv`, or `cp -r`. */
async function moveFolder(files: MemoryFiles, from: string, to: string, keep = false): Promise<void> {
  for (const path of Object.keys(await snapshotOf(files)))
    if (path.startsWith(`${from}/`)) files.put(to + path.slice(from.length), files.readNow(path) ?? '');
  if (!keep) files.drop(from);
}

const fileAt = (files: MemoryFiles, path: string): Record<string, unknown> =>
  JSON.parse(files.readNow(`${path}/node.json`) ?? '{}') as Record<string, unknown>;

const at = ({ tree: of }: Search, path: string): TreeNode =>
  nodeAt(of, path) ?? assert.fail(`there is no node ${path}`);

/** A finished search of three topics with two subtopics each; the last topic is linked with the first, and equal to a subtopic of it. */
async function finished() {
  const files = new MemoryFiles();
  const store = createMemoryStore(QUESTION, files);
  const { search, run } = await simulate({ tree, store, search: { limits, concurrency: 1 }, seed: ++seed });
  await run();
  const [topic = '', , last = ''] = search.tree.root.children.map(({ slug }) => slug);
  const [sub = ''] = at(search, topic).children.map(({ slug }) => slug);
  await search.act({ action: 'expand', node: joinedPath(topic, sub) }, 'test');
  await search.close();
  const id = fileAt(files, topic)['id'];
  const equal = { links: [{ type: 'see', to: id }], sameAs: joinedPath(topic, sub) };
  files.put(`${last}/node.json`, JSON.stringify({ ...fileAt(files, last), ...equal }));
  return { files, topic, sub, last, before: fileAt(files, topic) };
}

/** The moves in the journal. */
async function movesIn(search: Search, files: MemoryFiles): Promise<Partial<JournalEvent>[]> {
  await search.close();
  const journal = await createMemoryStore(QUESTION, files).readJournal();
  const moves = journal.filter(({ type }) => type === 'node-moved');
  return moves.map(({ seq: _seq, time: _time, ...event }) => event);
}

/** A change in the folder, of the first level and of `more`: noticed on opening the search, or while it is open. */
const MOMENTS = {
  'while nobody has the search open': async (files: MemoryFiles, change: () => Promise<void>) => {
    await change();
    return opened(files);
  },
  'while it is open': async (files: MemoryFiles, change: () => Promise<void>, ...more: string[]) => {
    const search = await opened(files);
    await change();
    for (const path of ['', ...more]) await search.reconcile(path);
    return search;
  },
};

for (const [moment, noticed] of Object.entries(MOMENTS)) {
  const by = moment === 'while it is open' ? 'hand' : 'opening';

  describe(`a folder of a node that is renamed ${moment}`, () => {
    it('is the same node: its id, conversation, children and documents stay', async () => {
      const { files, topic, sub, before } = await finished();
      const document = files.readNow(`${topic}/document.md`);
      const search = await noticed(files, () => moveFolder(files, topic, 'mine'));
      assert.equal(nodeAt(search.tree, topic), undefined);
      const { fileId, sessionId, title, children } = at(search, 'mine');
      assert.deepEqual([fileId, sessionId, title], [before['id'], before['sessionId'], before['title']]);
      assert.equal(children[0]?.slug, sub);
      assert.equal(files.readNow('mine/document.md'), document);
      assert.equal(fileAt(files, 'mine')['slug'], 'mine');
      const moved = { type: 'node-moved', node: 'mine', from: topic, id: before['id'], at: 2, by };
      assert.deepEqual(await movesIn(search, files), [moved]);
    });

    it('is followed by links, wishes, and what is the same as one of its nodes', async () => {
      const { files, topic, sub, last } = await finished();
      const search = await noticed(files, () => moveFolder(files, topic, 'mine'));
      assert.deepEqual(
        search.tree.links.from(at(search, last)).map(({ type, to }) => [type, to?.slug]),
        [['see', 'mine']],
      );
      assert.deepEqual(
        search.tree.links.to(at(search, 'mine')).map(({ from }) => from.slug),
        [last],
      );
      assert.equal(at(search, last).sameAs, `mine/${sub}`);
      assert.equal(fileAt(files, last)['sameAs'], `mine/${sub}`);
      assert.deepEqual(
        search.record.wishes.map(({ node }) => node),
        [`mine/${sub}`],
      );
      await search.close();
    });

    it('may go below another node', async () => {
      const { files, topic, sub, last, before } = await finished();
      const path = `${last}/${topic}`;
      const search = await noticed(files, () => moveFolder(files, topic, path), last);
      assert.equal(at(search, path).fileId, before['id']);
      assert.equal(at(search, path).depth, 2);
      assert.equal(at(search, last).sameAs, `${path}/${sub}`);
      assert.equal(search.tree.links.from(at(search, last))[0]?.to, at(search, path));
      await search.close();
    });
  });

  describe(`a folder of a node that is copied ${moment}`, () => {
    it('is another node, with an id of its own and no conversation yet; the first keeps everything', async () => {
      const { files, topic, sub, last, before } = await finished();
      const search = await noticed(files, () => moveFolder(files, topic, 'copy', true));
      const copy = at(search, 'copy');
      assert.ok(copy.fileId !== undefined && copy.fileId !== before['id']);
      assert.equal(copy.sessionId, undefined);
      assert.deepEqual([copy.title, copy.status], [before['title'], before['status']]);
      const below = copy.children.map(({ fileId }) => fileId);
      const original = at(search, topic);
      assert.deepEqual([original.fileId, original.sessionId], [before['id'], before['sessionId']]);
      assert.equal(below.length, 2);
      for (const { fileId } of original.children) assert.ok(!below.includes(fileId));
      for (const path of ['copy', topic]) assert.equal(fileAt(files, path)['id'], at(search, path).fileId);
      assert.equal(search.tree.links.from(at(search, last))[0]?.to, original);
      assert.equal(at(search, last).sameAs, joinedPath(topic, sub));
      assert.deepEqual(await movesIn(search, files), []);
    });

    it('gets a conversation of its own when it is worked on, and the first one’s stays as it is', async () => {
      const { files, topic, before } = await finished();
      const search = await noticed(files, () => moveFolder(files, topic, 'copy', true));
      await search.close();
      const kept = files.readNow(`.search/conversations/${before['sessionId']}.json`);
      assert.ok(kept);
      const store = createMemoryStore(QUESTION, files);
      const again = await simulate({ tree, store, search: { limits, concurrency: 1 }, seed: ++seed });
      await again.search.act({ action: 'redo', node: 'copy' }, 'test');
      await again.run();
      const { sessionId } = at(again.search, 'copy');
      assert.ok(sessionId !== undefined && sessionId !== before['sessionId']);
      assert.equal(files.readNow(`.search/conversations/${before['sessionId']}.json`), kept);
      await again.search.close();
    });
  });
}
