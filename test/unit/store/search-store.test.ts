import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import type { Files } from '../../../src/store/files/files.ts';
import { createSearchJson } from '../../../src/store/json/search-json.ts';
import { SearchStore } from '../../../src/store/search-store.ts';
import { effort } from '../../support/effort.ts';
import { put } from './support/content.ts';
import { PLACES, removeFolders } from './support/places.ts';

const SEARCH: SearchFile = { version: 1, kind: 'research', title: 'T', prompt: 'P', options: {} };
const right = { check: () => undefined, release: async () => undefined };

for (const { name, open } of PLACES)
  describe(`the store of a search ${name}`, () => {
    let files: Files;
    let store: SearchStore;
    beforeEach(async () => {
      files = await open();
      await createSearchJson(files, SEARCH);
      store = new SearchStore(files, right);
    });
    after(removeFolders);

    describe('search.json', () => {
      it('is read with what others added', async () => {
        await put(
          files,
          'search.json',
          JSON.stringify({ ...SEARCH, colour: 'red', options: { size: 'small', later: 1 } }),
        );
        const search = await store.readSearch();
        assert.deepEqual([search.title, search['colour'], search.options.size], ['T', 'red', 'small']);
      });

      it('is of the first version if it names none', async () => {
        const { version: _version, ...file } = SEARCH;
        await put(files, 'search.json', JSON.stringify(file));
        assert.equal((await store.readSearch()).version, 1);
      });

      it('is said to be missing, damaged or too new', async () => {
        await put(files, 'search.json', '{\n"version": 1,\n}');
        await assert.rejects(store.readSearch(), { reason: 'damaged', message: /search\.json, line 3/ });
        await put(files, 'search.json', '{"version":1,"kind":"research"}');
        await assert.rejects(store.readSearch(), { reason: 'damaged', message: /search\.json: .*title/ });
        await put(files, 'search.json', '[]');
        await assert.rejects(store.readSearch(), { reason: 'damaged' });
        await put(files, 'search.json', '{"version":2,"anything":"else"}');
        await assert.rejects(store.readSearch(), { reason: 'newer-version', message: /version 2/ });
        await files.remove('search.json');
        await assert.rejects(store.readSearch(), { reason: 'not-found', message: /no search/ });
        await put(files, 'children.json', '[]');
        await assert.rejects(store.readSearch(), { reason: 'not-found', message: /start "…" --dir / });
      });
    });

    describe('node.json', () => {
      it('is made with its folder, in the order of the format', async () => {
        await store.writeNode('a/b', { summary: 's', status: 'in-progress', title: 'B', sessionId: 'x' });
        assert.equal(
          await files.read('a/b/node.json'),
          '{\n  "title": "B",\n  "slug": "b",\n  "status": "in-progress",\n  "summary": "s",\n  "sessionId": "x"\n}\n',
        );
      });

      it('keeps the fields that others added, and their order', async () => {
        await put(files, 'a/node.json', '{"zebra":[1],"status":"unexpanded","title":"A","apple":{"y":1,"x":2}}');
        await store.writeNode('a', { status: 'leaf', leafReason: 'model' });
        const text = await files.read('a/node.json');
        assert.deepEqual(Object.keys(JSON.parse(text ?? '')), [
          'title',
          'slug',
          'status',
          'leafReason',
          'zebra',
          'apple',
        ]);
        assert.match(text ?? '', /"y": 1,\s+"x": 2/);
        await store.writeNode('a', { leafReason: undefined });
        assert.equal((await store.readNodeFile('a'))?.leafReason, undefined);
        assert.ok(!(await files.read('a/node.json'))?.includes('leafReason'));
      });

      it('keeps what two writers set at once', async () => {
        await Promise.all([
          store.writeNode('a', { title: 'A' }),
          store.writeNode('a', { status: 'leaf' }),
          store.writeNode('a', { summary: 's' }),
        ]);
        assert.deepEqual(await store.readNodeFile('a'), { title: 'A', slug: 'a', status: 'leaf', summary: 's' });
      });

      it('keeps everybody’s fields under any writes', async () => {
        const foreign = fc.dictionary(fc.stringMatching(/^x-\w{1,8}$/), fc.jsonValue());
        await fc.assert(
          fc.asyncProperty(foreign, fc.array(fc.constantFrom('leaf', 'failed', 'pruned')), async (extra, statuses) => {
            await put(files, 'p/node.json', JSON.stringify({ ...extra, title: 'P' }));
            for (const status of statuses) await store.writeNode('p', { status });
            const { title: _t, slug: _s, status, ...rest } = JSON.parse((await files.read('p/node.json')) ?? '');
            assert.deepEqual(rest, JSON.parse(JSON.stringify(extra)));
            assert.equal(status, statuses.at(-1));
          }),
          { numRuns: effort(50) },
        );
      });

      it('reads what it can of a node', async () => {
        await put(
          files,
          'a/node.json',
          '{"title":"","status":"dreaming","evaluation":7,"note":"mine","sessionId":"../x"}',
        );
        assert.deepEqual(await store.readNodeFile('a'), {
          title: 'a',
          status: 'unexpanded',
          note: 'mine',
          sessionId: undefined,
          evaluation: undefined,
        });
      });

      it('has its title in the list above it if it is unreadable, or has none', async () => {
        const list = (title: string) => JSON.stringify([{ title, slug: 'b' }]);
        await put(files, 'children.json', list('In the list').replace('"b"', '"a"'));
        await put(files, 'a/children.json', list('衣服 and more'));
        for (const text of ['{"title": "A",\n "sta', '{"title":"","status":"leaf"}']) {
          await put(files, 'a/node.json', text);
          await put(files, 'a/b/node.json', text);
          assert.equal((await store.readNodeFile('a'))?.title, 'In the list');
          assert.equal((await store.readNode('a/b'))?.file.title, '衣服 and more');
          await store.changeNode('a/b', { status: 'failed' });
          assert.equal(JSON.parse((await files.read('a/b/node.json')) ?? '').title, '衣服 and more');
        }
      });

      it('is undefined if it is gone', async () => {
        await files.makeFolder('a');
        assert.equal(await store.readNodeFile('a'), undefined);
        assert.equal(await store.readNode('a'), undefined);
        assert.equal(await store.readNode('a/b'), undefined);
      });

      it('stays next to the new one if it was damaged', async () => {
        for (const damaged of ['{"title": "A",\n "sta', '[]', '']) {
          await put(files, 'a/node.json', damaged);
          assert.deepEqual(await store.readNodeFile('a'), { title: 'a', status: 'unexpanded' });
          await store.readNode('a');
          assert.equal(await files.read('a/node.json'), damaged);
          await store.writeNode('a', { status: 'in-progress' });
          assert.equal((await store.readNodeFile('a'))?.status, 'in-progress');
        }
        assert.equal(await files.read('a/node.json.damaged-1'), '{"title": "A",\n "sta');
        assert.equal(await files.read('a/node.json.damaged-2'), '[]');
        assert.equal(await files.read('a/node.json.damaged-3'), '');
        assert.equal(store.problems.length, 3);
        assert.deepEqual([store.problems[0]?.file, store.problems[0]?.line], ['a/node.json', 2]);
        assert.match(store.problems[0]?.message ?? '', /a\/node\.json, line 2/);
      });
    });

    describe('children.json', () => {
      it('keeps order, and what others added to an entry', async () => {
        await store.writeNode('a', { title: 'A' });
        await put(files, 'a/children.json', '[{"slug":"x","title":"X","colour":"red"},{"slug":"y","title":"Y"}]');
        await store.writeChildren('a', [
          { title: 'Y', slug: 'y' },
          { title: 'New', slug: 'new' },
          { title: 'X!', slug: 'x' },
        ]);
        assert.deepEqual(JSON.parse((await files.read('a/children.json')) ?? ''), [
          { title: 'Y', slug: 'y' },
          { title: 'New', slug: 'new' },
          { title: 'X!', slug: 'x', colour: 'red' },
        ]);
        await store.writeChildren('a', []);
        assert.equal(await files.read('a/children.json'), '[]\n');
      });

      it('leaves out what could lead out of the folder', async () => {
        const unsafe = ['../x', '..', '/etc', 'C:\\x', 'con', 'a/b', '.search', 'node.json', 'DOCUMENT.md', '', 'a b'];
        const entries = [...unsafe.map((slug) => ({ title: 'T', slug })), { title: 'Good', slug: 'good' }, 7, {}];
        const text = JSON.stringify([...entries, { slug: 'good', title: 'Again' }, { slug: 'untitled' }]);
        await put(files, 'a/node.json', '{"title":"A"}');
        await put(files, 'a/children.json', text);
        const { children } = (await store.readNode('a')) ?? {};
        assert.deepEqual(children, [
          { title: 'Good', slug: 'good' },
          { title: 'untitled', slug: 'untitled' },
        ]);
        const told = store.problems.length;
        assert.ok(told >= unsafe.length + 2);
        await store.readNode('a');
        assert.equal(store.problems.length, told);
        await store.writeChildren('a', [{ title: 'Good', slug: 'good' }]);
        assert.equal(await files.read('a/children.json.damaged-1'), text);
      });

      it('mistakes no prompts folder for a node, and writes no unsafe name', async () => {
        await put(files, 'children.json', '[{"title":"Prompts","slug":"prompts"}]');
        assert.deepEqual((await store.readRootChildren()).children, []);
        for (const slug of ['../x', 'prompts', 'node.json'])
          await assert.rejects(store.writeChildren('', [{ title: 'T', slug }]), { reason: 'outside' });
      });

      it('is a problem if it is damaged, and stays next to the new one', async () => {
        await put(files, 'a/node.json', '{"title":"A"}');
        await put(files, 'a/children.json', '{"not": "a list"}');
        assert.equal((await store.readNode('a'))?.children, undefined);
        assert.equal(store.problems[0]?.file, 'a/children.json');
        await store.writeChildren('a', []);
        assert.equal(await files.read('a/children.json.damaged-1'), '{"not": "a list"}');
        assert.deepEqual((await store.readNode('a'))?.children, []);
      });
    });

    it('shows everything in one node’s folder', async () => {
      await store.writeNode('a', { title: 'A' });
      for (const below of ['zeta', 'beta', 'Alpha']) await store.writeNode(`a/${below}`, { title: below });
      await put(files, 'a/notes/x.txt', 'no node');
      await put(files, 'a/my topic/node.json', '{"title":"?"}');
      assert.deepEqual(await store.readNode('a'), {
        file: { title: 'A', slug: 'a', status: 'unexpanded' },
        children: undefined,
        hasDocument: false,
        folders: ['Alpha', 'beta', 'zeta'],
      });
      assert.deepEqual(
        store.problems.map(({ file }) => file),
        ['a/my topic'],
      );
      await store.writeDocument('a', 'text');
      assert.equal((await store.readNode('a'))?.hasDocument, true);
    });

    it('shows the first level', async () => {
      assert.deepEqual(await store.readRootChildren(), { children: undefined, folders: [] });
      await store.writeNode('b', { title: 'B' });
      await store.writeNode('a', { title: 'A' });
      await put(files, 'prompts/node.json', '{}');
      await store.writeChildren('', [{ title: 'B', slug: 'b' }]);
      assert.deepEqual(await store.readRootChildren(), {
        children: [{ title: 'B', slug: 'b' }],
        folders: ['a', 'b'],
      });
    });
  });
