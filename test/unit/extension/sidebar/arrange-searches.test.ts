import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { Arrangement } from '../../../../src/extension/sidebar/arrange-searches.ts';
import type { SearchesElement, TreeElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { fakeMemento } from '../fake-memento.ts';
import { fake } from '../fake-vscode.ts';
import { available } from './available.ts';
import { sampleLibrary, sampleSearch, settled } from './sample.ts';

const { arrangeSearches, ListOrder } = await import('../../../../src/extension/sidebar/arrange-searches.ts');
const { SearchesView } = await import('../../../../src/extension/sidebar/searches-view.ts');
const { menus } = await import('../../../../src/extension/commands/menus.ts');

const NOW = new Date(2026, 4, 20, 12);
const daysAgo = (days: number): string => new Date(2026, 4, 20 - days, 9).toISOString();
const search = (title: string, more: object = {}, file: object = {}) =>
  sampleSearch({
    folder: `/${title}`,
    title,
    state: 'finished',
    file: { version: 1, kind: 'research', title, prompt: title, options: {}, ...file },
    ...more,
  });

function shown(searches: readonly ReturnType<typeof sampleSearch>[], arrangement: Partial<Arrangement>) {
  const groups = arrangeSearches(searches, { groupBy: 'none', sortBy: 'date', ...arrangement }, NOW);
  return groups.map(({ name, searches: found }) => [name, ...found.map(({ title }) => title)].join(' '));
}

describe('the list of searches', () => {
  it('is as it was found, until a person wants it otherwise', () => {
    assert.deepEqual(shown([search('b'), search('a')], {}), [' b a']);
    assert.deepEqual(shown([], {}), []);
  });

  it('is grouped by status, the urgent ones first, without empty groups', () => {
    const searches = [
      search('done'),
      search('torn', { problem: foreign({ text: 'no' }) }),
      search('cut', { state: 'interrupted' }),
      search('goes', { state: 'running' }),
      search('rests', { state: 'paused' }),
    ];
    assert.deepEqual(shown(searches, { groupBy: 'status' }), [
      'running goes',
      'resting cut rests',
      'finished done',
      'unreadable torn',
    ]);
    assert.deepEqual(shown(searches, { sortBy: 'status' }), [' goes rests cut done torn']);
  });

  it('is grouped by the days of a calendar', () => {
    const ages = [0, 1, 3, 20, 300].map((days) => search(`of-${days}`, {}, { createdAt: daysAgo(days) }));
    assert.deepEqual(shown([...ages, search('undated')], { groupBy: 'date' }), [
      'today of-0',
      'yesterday of-1',
      'week of-3',
      'month of-20',
      'earlier of-300 undated',
    ]);
  });

  it('is grouped by kind and by folder, and sorted by title with numbers in order', () => {
    const searches = [
      search('Try 10', { workspace: '/b' }),
      search('Try 9', { workspace: '/a' }, { kind: 'thoughts' }),
    ];
    assert.deepEqual(shown(searches, { groupBy: 'kind' }), ['research Try 10', 'thoughts Try 9']);
    assert.deepEqual(shown(searches, { groupBy: 'folder' }), ['/a Try 9', '/b Try 10']);
    assert.deepEqual(shown(searches, { sortBy: 'title' }), [' Try 9 Try 10']);
  });
});

describe('the sidebar, grouped and sorted', () => {
  beforeEach(() => fake.reset());

  it('shows groups with their titles and numbers, and finds a row in its group', async () => {
    const puzzle = search('puzzle', {}, { kind: 'thoughts' });
    const { library } = sampleLibrary(search('a'), search('b'), puzzle);
    const order = new ListOrder(fakeMemento());
    const view = new SearchesView(library, available, { order });
    const drawn: unknown[] = [];
    view.onDidChangeTreeData((element) => drawn.push(element));
    assert.deepEqual(
      (await view.getChildren()).map(({ kind }) => kind),
      ['search', 'search', 'search'],
    );
    await order.set({ groupBy: 'kind' });
    assert.deepEqual(drawn, [undefined]);
    const groups = (await view.getChildren()) as SearchesElement[];
    assert.deepEqual(
      groups.map((group) => [view.getTreeItem(group).label, view.getTreeItem(group).description]),
      [
        ['Research a question', '2'],
        ['Solve a problem', '1'],
      ],
    );
    const [row] = await view.getChildren(groups[1]);
    assert.equal(view.getParent(row as TreeElement), groups[1]);
    assert.equal(view.getParent(groups[1] as TreeElement), undefined);
  });

  it('moves a row to another group once its state is another one', async () => {
    const running = search('a', { state: 'running' });
    const { library, tell } = sampleLibrary(running);
    const view = new SearchesView(library, available, { order: new ListOrder(fakeMemento()) });
    const drawn: (string | undefined)[] = [];
    view.onDidChangeTreeData((element) => drawn.push(element?.kind));
    await view.getChildren();
    Object.assign(running, { state: 'finished', isActive: false });
    tell({ search: running, paths: [] });
    await settled();
    assert.deepEqual(drawn, ['search'], 'not divided, only the row is drawn');
    const order = new ListOrder(fakeMemento({ 'thoughtTree.arrangement': { groupBy: 'status' } }));
    const divided = new SearchesView(library, available, { order });
    await divided.getChildren();
    const redrawn: unknown[] = [];
    divided.onDidChangeTreeData((element) => redrawn.push(element));
    Object.assign(running, { state: 'running', isActive: true });
    tell({ search: running, paths: [] });
    await settled();
    assert.ok(redrawn.includes(undefined), 'the list is drawn');
    assert.equal(((await divided.getChildren())[0] as SearchesElement).name, 'running');
  });

  it('is remembered; what was kept by nobody counts for nothing', async () => {
    const kept: Record<string, unknown> = { 'thoughtTree.arrangement': { groupBy: 'colour', sortBy: 7 } };
    const order = new ListOrder(fakeMemento(kept));
    assert.deepEqual(order.now, { groupBy: 'none', sortBy: 'date' });
    await order.set({ sortBy: 'title' });
    assert.deepEqual(new ListOrder(fakeMemento(kept)).now, { groupBy: 'none', sortBy: 'title' });
  });

  it('is one list in which one entry of each part is checked, and a pick changes that part', async () => {
    const order = new ListOrder(fakeMemento({ 'thoughtTree.arrangement': { groupBy: 'status' } }));
    const checked = (): string[] =>
      (fake.picks.at(-1) ?? []).map(({ label }) => label).filter((label) => label.startsWith('$(check)'));
    fake.answer = (items) => (items as { label: string }[]).find(({ label }) => label === '$(blank) By title');
    await menus.arrange(order, [], available);
    assert.deepEqual(checked(), ['$(check) Every search', '$(check) By status', '$(check) Newest first']);
    assert.deepEqual(order.now, { groupBy: 'status', sortBy: 'title' });
    fake.answer = () => undefined;
    await menus.arrange(order, [], available);
    assert.deepEqual(checked(), ['$(check) Every search', '$(check) By status', '$(check) By title']);
    assert.deepEqual(order.now, { groupBy: 'status', sortBy: 'title' });
  });

  it('is limited to a status or a kind that is there, says so, and lets in what is to be seen', async () => {
    const searches = [search('goes', { state: 'running' }), search('done'), search('puzzle', {}, { kind: 'thoughts' })];
    const kept: Record<string, unknown> = {};
    const order = new ListOrder(fakeMemento(kept));
    const { library } = sampleLibrary(...searches);
    const view = new SearchesView(library, available, { order });
    const rows = async (): Promise<string[]> =>
      (await view.getChildren()).map((row) => (row.kind === 'search' ? row.search.title : row.kind));
    assert.deepEqual([await rows(), view.view.message], [['goes', 'done', 'puzzle'], '']);
    fake.answer = (items) => (items as { label: string }[]).find(({ label }) => /Finished$/.test(label));
    await menus.arrange(order, searches, available);
    const offered = (fake.picks.at(-1) ?? []) as { label: string; description?: string }[];
    assert.deepEqual(
      offered.slice(1, 6).map(({ label, description = '' }) => `${label} ${description}`.trim()),
      [
        '$(check) Every search',
        '$(blank) Running 1',
        '$(blank) Finished 2',
        '$(blank) Research a question 2',
        '$(blank) Solve a problem 1',
      ],
    );
    assert.deepEqual([await rows(), view.view.message], [['done', 'puzzle'], 'Finished only: 2 of 3 searches']);
    assert.deepEqual(new ListOrder(fakeMemento(kept)).now.only, { by: 'status', name: 'finished' });
    await view.reveal('/goes', '', { focus: false });
    assert.deepEqual(await rows(), ['done', 'puzzle'], 'what a drawing shows limits nothing');
    await view.reveal('/goes', '');
    assert.deepEqual([await rows(), view.view.message], [['goes', 'done', 'puzzle'], '']);
  });

  it('keeps a search that rested in the limited list when it goes on and ends, until the list is limited anew', async () => {
    const resumed = search('resumed', { state: 'paused' });
    const goes = search('goes', { state: 'running' });
    const { library, tell } = sampleLibrary(resumed, search('rests', { state: 'paused' }), goes);
    const resting = { by: 'status', name: 'resting' } as const;
    const order = new ListOrder(fakeMemento({ 'thoughtTree.arrangement': { only: resting } }));
    const view = new SearchesView(library, available, { order });
    const rows = async (): Promise<string[]> =>
      (await view.getChildren()).map((row) => (row.kind === 'search' ? row.search.title : row.kind));
    const become = (one: ReturnType<typeof search>, state: string): void => {
      Object.assign(one, { state, isActive: state === 'running' });
      tell({ search: one, paths: [] });
    };
    assert.deepEqual(await rows(), ['resumed', 'rests']);
    become(resumed, 'running');
    assert.deepEqual(
      [await rows(), view.view.message],
      [['resumed', 'rests'], 'Paused or interrupted only: 2 of 3 searches'],
    );
    become(resumed, 'finished');
    await order.set({ sortBy: 'title' });
    assert.deepEqual(await rows(), ['rests', 'resumed'], 'another order is no other limit');
    await order.set({ only: { ...resting } });
    assert.deepEqual(await rows(), ['rests']);
    await order.set({ only: { by: 'status', name: 'running' } });
    assert.deepEqual(await rows(), ['goes']);
    become(goes, 'finished');
    assert.deepEqual(await rows(), [], 'nobody acts on one that ends by itself');
  });

  it('says nothing of a limit where there is no search any more: the way to the first one is there again', async () => {
    const order = new ListOrder(fakeMemento({ 'thoughtTree.arrangement': { only: { by: 'kind', name: 'research' } } }));
    const view = new SearchesView(sampleLibrary().library, available, { order });
    assert.deepEqual(await view.getChildren(), []);
    assert.equal(view.view.message, '');
    assert.deepEqual(fake.contexts.at(-1), ['thoughtTree.isLimited', false]);
  });
});
