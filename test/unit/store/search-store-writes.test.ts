import assert from 'node:assert/strict';
import { foreign } from '../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { type Files, toFileError } from '../../../src/store/files/files.ts';
import { createSearchJson } from '../../../src/store/json/search-json.ts';
import { SearchReadStore } from '../../../src/store/search-read-store.ts';
import { SearchStore } from '../../../src/store/search-store.ts';
import { contentOf, put } from './support/content.ts';
import { PLACES, removeFolders, systemError } from './support/places.ts';

const SEARCH: SearchFile = { version: 1, kind: 'research', title: 'T', prompt: 'P', options: {} };
const right = { check: () => undefined, release: async () => undefined };
const session = { id: 's-1', turns: [{ role: 'user' as const, text: 'Hello\n', purpose: 'document' }] };

for (const { name, open } of PLACES)
  describe(`writing to a store ${name}`, () => {
    let files: Files;
    let store: SearchStore;
    beforeEach(async () => {
      files = await open();
      await createSearchJson(files, SEARCH);
      store = new SearchStore(files, right);
    });
    after(removeFolders);

    it('keeps documents word for word, if their node exists', async () => {
      const text = '---\r\ntitle: ü\n---\n\n# Text\n\n\ttail  \n\n';
      await assert.rejects(store.writeDocument('a', text), { reason: 'not-found' });
      await store.writeNode('a', { title: 'A' });
      assert.equal(await store.readDocument('a'), undefined);
      await store.writeDocument('a', text);
      assert.equal(await store.readDocument('a'), text);
    });

    it('keeps conversations', async () => {
      assert.equal(await store.readConversation('s-1'), undefined);
      await store.writeConversation(session);
      await store.writeConversation({ ...session, id: 's-2', parentId: 's-1' });
      assert.deepEqual(await store.readConversation('s-1'), session);
      assert.deepEqual(await store.readConversation('s-2'), { ...session, id: 's-2', parentId: 's-1' });
    });

    it('knows no conversation by an unsafe id, and a damaged one stays next to the new one', async () => {
      assert.equal(await store.readConversation('../../search'), undefined);
      await assert.rejects(store.writeConversation({ ...session, id: '../x' }), { reason: 'outside' });
      await put(files, '.search/conversations/s-1.json', '{"id":"s-1"}');
      assert.equal(await store.readConversation('s-1'), undefined);
      assert.equal(store.problems.length, 1);
      await store.writeConversation(session);
      await store.writeConversation(session);
      assert.equal(await files.read('.search/conversations/s-1.json.damaged-1'), '{"id":"s-1"}');
      assert.equal(files.existsNow('.search/conversations/s-1.json.damaged-2'), false);
      assert.deepEqual(await store.readConversation('s-1'), session);
    });

    it('changes no byte if nothing changes', async () => {
      await put(files, 'a/node.json', '{"status":"leaf","title":"A",\r\n"slug":"a"}');
      await put(files, 'a/children.json', '[ {"slug":"b", "title":"B"} ]');
      await store.writeDocument('a', 'text');
      await store.writeNode('a/b', { title: 'B', evaluation: { score: 7, confidence: 0.5 } });
      const before = await contentOf(files);
      await store.writeNode('a', { status: 'leaf', failure: undefined });
      await store.writeChildren('a', [{ title: 'B', slug: 'b' }]);
      await store.writeDocument('a', 'text');
      await store.writeNode('a/b', { evaluation: { confidence: 0.5, score: 7 } });
      assert.deepEqual(await contentOf(files), before);
    });

    it('refuses paths of nodes that could lead elsewhere', async () => {
      for (const path of ['..', '../x', 'a/../../x', '/x', 'a//b', '.search', 'con', 'prompts', 'a/node.json'])
        for (const access of [
          () => store.readNode(path),
          () => store.readNodeFile(path),
          () => store.readDocument(path),
          () => store.writeNode(path, { title: 'T' }),
          () => store.writeChildren(path, []),
          () => store.writeDocument(path, ''),
        ])
          await assert.rejects(access, { reason: 'outside' }, path);
    });

    it('loads the rest if one file may not be read', async () => {
      await store.writeNode('a', { title: 'A' });
      await store.writeNode('b', { title: 'B' });
      const unreadable = Object.create(files) as Files;
      for (const method of ['list', 'stat'] as const)
        unreadable[method] = (path: string) => files[method](path) as never;
      unreadable.read = async (path) => {
        if (path === 'a/node.json') throw toFileError(systemError('EACCES'), path, 'read');
        return await files.read(path);
      };
      unreadable.look = async (...asked) => {
        const look = await files.look(...asked);
        return asked[0] === 'a' ? { ...look, texts: new Map() } : look;
      };
      const reader = new SearchReadStore(unreadable);
      assert.equal((await reader.readNode('a'))?.file.title, 'a');
      assert.equal((await reader.readNode('b'))?.file.title, 'B');
      assert.match(reader.problems[0]?.message ?? '', /Cannot read a\/node\.json: access is denied/);
    });

    it('writes nothing if it is only read', async () => {
      await store.writeNode('a', { title: 'A' });
      const before = await contentOf(files);
      const reader = new SearchReadStore(files);
      const calls = [reader.readSearch(), reader.readRootChildren(), reader.readNode('a'), reader.readNodeFile('a')];
      await Promise.all([...calls, reader.readConversation(session.id), reader.readCall('c'), reader.readJournal()]);
      assert.deepEqual(await contentOf(files), before);
      assert.equal((await reader.readNode('a'))?.file.title, 'A');
      const own = Object.getOwnPropertyNames(SearchReadStore.prototype);
      assert.deepEqual(
        own.filter((name) => !/^(?:constructor|problems|hashOf|hasReport|read.*)$/.test(name)),
        [],
      );
    });

    it('writes nothing without the right to', async () => {
      await store.writeNode('a', { title: 'A' });
      const before = await contentOf(files);
      const check = (): void => {
        throw new ThoughtTreeError('lease-lost', foreign({ text: 'This search is held by another process.' }));
      };
      const losing = new SearchStore(files, { check, release: async () => undefined });
      const event = { seq: 1, time: 't', type: 'search-running' as const };
      for (const write of [
        () => losing.writeNode('a', { title: 'B' }),
        () => losing.writeChildren('a', []),
        () => losing.writeDocument('a', 'x'),
        () => losing.writeConversation(session),
        () => losing.append(event),
        async () => losing.checkLease(),
      ])
        await assert.rejects(write, { reason: 'lease-lost' });
      assert.deepEqual(await contentOf(files), before);
      await losing.close();
    });

    it('writes nothing once the right is lost, wherever in a write that happens', async () => {
      await put(files, 'a/node.json', '{"damaged');
      await put(files, 'b/children.json', '{"damaged');
      await files.makeFolder('.search');
      await store.append({ seq: 1, time: 't', type: 'search-running' });
      const before = await contentOf(files);
      let left = 0;
      const check = (): void => assert.ok(left-- > 0, 'lost');
      const losing = new SearchStore(files, { check, release: async () => undefined });
      const event = { seq: 2, time: 't', type: 'search-running' as const };
      // With each the number of looks at the right that come before the first change.
      const writes: [() => Promise<unknown>, number][] = [
        [() => losing.writeNode('a', { title: 'B' }), 2],
        [() => losing.writeNode('new/er', { title: 'B' }), 2],
        [() => losing.writeChildren('b', []), 2],
        [() => losing.writeDocument('a', 'x'), 2],
        [() => losing.writeConversation(session), 2],
        [() => losing.append(event), 3],
      ];
      for (const [write, looks] of writes)
        for (let granted = 0; granted < looks; granted++) {
          left = granted;
          await assert.rejects(write, /lost/);
        }
      assert.deepEqual(await contentOf(files), before);
    });

    it('waits for pending writes on closing', async () => {
      let released = false;
      const closing = new SearchStore(files, {
        check: () => assert.ok(!released),
        release: async () => {
          released = true;
        },
      });
      const writes = [
        closing.writeNode('a', { title: 'A' }),
        closing.writeNode('a', { status: 'leaf' }),
        closing.writeConversation(session),
        closing.append({ seq: 1, time: 't', type: 'search-running' }),
      ];
      await closing.close();
      assert.ok(released);
      await Promise.all(writes);
      assert.equal((await store.readNodeFile('a'))?.status, 'leaf');
      assert.equal((await store.readJournal()).length, 1);
    });
  });
