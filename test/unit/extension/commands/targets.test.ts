import { foreign } from '../../../../src/core/messages/message.ts';
import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { Tree } from '../../../../src/core/tree/tree.ts';
import { SELECTION } from '../../../../src/extension/commands/contributed-commands.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { SearchesView } from '../../../../src/extension/sidebar/searches-view.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { nodePathIn } from '../../../../src/searches/reader/folder-watch.ts';
import { EventEmitter, fake, TabInputCustom, Uri, window } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { nodeElement, sampleLibrary, sampleSearch, searchElement } from '../sidebar/sample.ts';

const { Targets } = await import('../../../../src/extension/commands/targets.ts');

const slow = sampleSearch({ folder: '/w/slow', title: 'Slow', paths: () => ['cache', 'cache/keys'] });
const fast = sampleSearch({ folder: '/w/fast', title: 'Fast', state: 'paused' });

/** What commands are meant for, with some searches, a selection, and a document that is open. */
function targetsOf(searches: readonly FollowedSearch[], selected?: object, open?: string) {
  const selection = new EventEmitter<unknown>();
  const view = { view: { selection: selected ? [selected] : [], onDidChangeSelection: selection.event } };
  const { library } = sampleLibrary(...searches);
  Object.assign(library, {
    nodeOf: (file: string) =>
      searches
        .map((search) => ({ search, path: nodePathIn(search.folder, file) }))
        .find(({ path }) => path !== undefined),
  });
  window.activeTextEditor = open === undefined ? undefined : { document: { uri: Uri.file(open) } };
  const targets = new Targets(library, view as unknown as SearchesView, KINDS, available);
  return { targets, select: () => selection.fire(undefined) };
}
const turnToEditor = (): void => window.onDidChangeActiveTextEditor.fire({});

describe('the target of a command', () => {
  beforeEach(() => fake.reset());

  it('is the document that is rendered in front, once the person turned to it', async () => {
    const { targets } = targetsOf([slow, fast], searchElement(fast));
    const input = new TabInputCustom(Uri.file('/w/slow/cache/keys/document.md'), 'preview');
    window.tabGroups.show({ tabs: [], activeTab: { input } });
    assert.equal(await targets.search(undefined), fast);
    window.tabGroups.onDidChangeTabs.fire({ opened: [], changed: [{ isActive: true, input }] });
    assert.deepEqual(await targets.node(undefined), { search: slow, path: 'cache/keys' });
    targets.dispose();
  });

  const node = nodeElement({}, { search: slow, folder: slow.folder, path: 'cache' } as never);

  it('is its argument', async () => {
    const { targets } = targetsOf([slow, fast], searchElement(fast));
    assert.equal(await targets.search({ folder: '/w/slow' }), slow);
    assert.deepEqual(await targets.node({ folder: '/w/slow', path: 'cache/keys' }), {
      search: slow,
      path: 'cache/keys',
    });
  });

  it('is no other search if that of its argument is gone', async () => {
    const { targets } = targetsOf([fast]);
    for (const target of [
      { folder: '/w/gone', path: '' },
      { folder: '/w/gone', path: 'cache' },
    ]) {
      fake.messages.length = 0;
      assert.equal(await targets.search(target), undefined);
      assert.equal(await targets.node(target), undefined);
      assert.match(String(fake.messages), /no longer there/);
    }
    assert.deepEqual(fake.picks, []);
  });

  it('is a topic that the person picks if a whole search is not enough', async () => {
    const { targets } = targetsOf([slow, fast], searchElement(slow));
    fake.answer = (items) => (items as { path: string }[])[1];
    assert.deepEqual(await targets.node(undefined, 'prune'), { search: slow, path: 'cache/keys' });
    assert.deepEqual(await targets.node(undefined), { search: slow, path: '' });
  });

  it('is nothing if the row that shows more of a list is selected', async () => {
    const more = { kind: 'more', parent: node, folder: '/w/slow', path: 'cache', shown: 200, total: 300 };
    const { targets } = targetsOf([slow], more);
    assert.equal(await targets.node(SELECTION), undefined);
  });

  it('is what is selected, or open in the editor, whichever the person used last', async () => {
    const { targets, select } = targetsOf([slow, fast], node, '/w/slow/cache/keys/document.md');
    assert.equal((await targets.node(undefined))?.path, 'cache');
    turnToEditor();
    assert.equal((await targets.node(undefined))?.path, 'cache/keys');
    select();
    assert.equal((await targets.node(undefined))?.path, 'cache');
  });

  it('is the selected row if a key was pressed in the sidebar, and nothing without one', async () => {
    const { targets } = targetsOf([slow], node, '/w/slow/cache/keys/document.md');
    turnToEditor();
    assert.equal((await targets.node(SELECTION))?.path, 'cache');
    assert.equal(await targetsOf([slow]).targets.node(SELECTION), undefined);
    assert.deepEqual(fake.picks, [], 'a key asks no question');
  });

  it('is a whole search for a key on its own row alone', () => {
    const group = { kind: 'group', parent: searchElement(slow), folder: '/w/slow', path: '', name: 'done', nodes: [] };
    const selected = [searchElement(slow), node, group, undefined].map((each) => targetsOf([slow], each).targets);
    assert.deepEqual(
      selected.map(({ selectedSearch }) => selectedSearch?.folder),
      ['/w/slow', undefined, undefined, undefined],
    );
  });

  it('is the only search that fits, without a question', async () => {
    const { targets } = targetsOf([slow, fast]);
    assert.equal(await targets.search(undefined, { fits: ({ state }) => state === 'paused' }), fast);
    assert.deepEqual(fake.picks, []);
  });

  it('is not the selected search if that is unsuitable', async () => {
    const { targets } = targetsOf([slow, fast], searchElement(slow));
    assert.equal(await targets.search(undefined, { fits: ({ state }) => state === 'paused' }), fast);
  });

  it('is asked for if several are suitable, except for those with a problem', async () => {
    const broken = sampleSearch({ folder: '/w/broken', problem: foreign({ text: 'search.json, line 1: no.' }) });
    fake.answer = (items) => (items as { search: FollowedSearch }[])[1];
    assert.equal(await targetsOf([slow, fast, broken]).targets.search(undefined), fast);
    assert.deepEqual(
      fake.picks[0]?.map(({ label }) => label),
      ['Slow', 'Fast'],
    );
  });

  it('is asked for if several are suitable for what changes or costs, the selected one first', async () => {
    const { targets } = targetsOf([slow, fast], searchElement(fast));
    fake.answer = (items) => (items as { search: FollowedSearch }[])[1];
    assert.equal(await targets.search(undefined, { isSure: true, what: 'Let it go further…' }), slow);
    assert.deepEqual(
      fake.picks[0]?.map(({ label }) => label),
      ['Fast', 'Slow'],
    );
    assert.equal(await targets.search(undefined, {}), fast, 'what only shows something means the selected one');
  });

  it('is a topic of another search where the selected one has none for it', async () => {
    const full = sampleSearch({ ...slow, count: () => 2 });
    const empty = sampleSearch({ folder: '/w/empty' });
    const { targets } = targetsOf([empty, full], searchElement(empty));
    fake.answer = (items) => (items as unknown[])[0];
    assert.equal((await targets.node(undefined, 'prune'))?.search, full);
  });

  it('is picked among titles, with the titles above them', async () => {
    const tree = new Tree('Slow');
    const cache = tree.add(tree.root, 'cache', { title: 'How the cache works' });
    tree.add(cache, 'keys', { title: 'Keys and their limits' });
    const titled = sampleSearch({ ...slow, tree: async () => tree });
    fake.answer = (items) => (items as { path: string }[])[1];
    assert.equal((await targetsOf([titled]).targets.node(undefined))?.path, 'cache/keys');
    assert.deepEqual(fake.picks[0], [
      { label: 'How the cache works', path: 'cache' },
      { label: 'Keys and their limits', description: 'How the cache works', path: 'cache/keys' },
    ]);
  });

  it('is reported as missing if nothing is suitable', async () => {
    assert.equal(await targetsOf([slow]).targets.search(undefined, { fits: () => false }), undefined);
    assert.deepEqual(fake.messages, ['This is not possible for any search at the moment.']);
  });

  it('is a picked topic if only a search is given', async () => {
    fake.answer = (items) => (items as unknown[])[1];
    assert.deepEqual(await targetsOf([slow]).targets.node(undefined), { search: slow, path: 'cache/keys' });
  });

  it('is the node of a file from the Explorer', async () => {
    const { targets } = targetsOf([slow]);
    assert.deepEqual(await targets.nodeOf({ fsPath: '/w/slow/cache/document.md' }), {
      folder: '/w/slow',
      path: 'cache',
    });
    assert.equal(await targets.nodeOf({ fsPath: '/w/src/main.ts' }), undefined);
  });

  it('is known once its journal has been read', async () => {
    const read = Promise.withResolvers<void>();
    const { targets } = targetsOf([sampleSearch({ folder: '/w/slow', read: read.promise })]);
    let isFound = false;
    const found = targets.search({ folder: '/w/slow' }).then(() => {
      isFound = true;
    });
    await new Promise(setImmediate);
    assert.equal(isFound, false);
    read.resolve();
    await found;
  });
});
