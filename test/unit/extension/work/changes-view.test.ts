import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { foreign } from '../../../../src/core/messages/message.ts';
import { drawInFront, fake, TabInputWebview, window } from '../fake-vscode.ts';
import { sampleSearch, settled } from '../sidebar/sample.ts';

const { ChangesView } = await import('../../../../src/extension/work/changes-view.ts');

const FILES = [
  { path: 'src/a.ts', change: 'changed' },
  { path: 'new.md', change: 'added' },
  { path: 'old.md', change: 'deleted' },
];
const PARTS = [
  { path: 'a1', title: 'One' },
  { path: 'a2', title: 'Two' },
];
interface Shown {
  readonly path: string;
  readonly query: string;
}

describe('what work changes', () => {
  beforeEach(() => fake.reset());

  function opened(files: readonly object[] = FILES) {
    const calls: ActionCall[] = [];
    let [atOnce, most] = [0, 0];
    const say = foreign({ text: 'Accepted.' });
    const value = { files, parts: PARTS, before: 'was', after: 'is' };
    const search = sampleSearch({ store: { readNodeFile: async () => ({ title: 'One' }) } as never });
    const view = new ChangesView({
      runner: {
        outcome: async (_place, call) => {
          calls.push(call);
          most = Math.max(most, ++atOnce);
          await settled();
          atOnce--;
          return { ok: true, say, value, isResting: false };
        },
        act: async (_place, call) => {
          calls.push(call);
          return say;
        },
      },
      targets: { placeOf: () => ({ folder: search.folder, workspace: search.workspace }) as never },
      library: { search: () => search },
    });
    return { view, search, calls, mostAtOnce: () => most };
  }
  const changes = (): [string, [Shown, Shown | undefined, Shown | undefined][]] =>
    fake.executed.findLast(([name]) => name === 'vscode.changes')?.slice(1) as never;

  it('is shown file by file, with both sides where there are two', async () => {
    const { view, search } = opened();
    await view.show(search, '');
    const [title, files] = changes();
    assert.equal(title, 'Changes: Slow build');
    assert.deepEqual(
      files.map(([of, before, after]) => [of.path, before !== undefined, after !== undefined]),
      [
        ['/src/a.ts', true, true],
        ['/new.md', false, true],
        ['/old.md', true, false],
      ],
    );
    const [, before, after] = files[0] ?? [];
    assert.equal(await view.provideTextDocumentContent(before as never), 'was');
    assert.equal(await view.provideTextDocumentContent(after as never), 'is');
  });

  it('is never shown over a drawing: the editor opens it in the group in front', async () => {
    const { view, search } = opened();
    drawInFront();
    await view.show(search, '');
    const drawing = { input: new TabInputWebview('thoughtTree.graph') };
    const text = { input: undefined };
    window.tabGroups.show(
      { viewColumn: 1, activeTab: drawing, tabs: [drawing] },
      { viewColumn: 2, activeTab: text, tabs: [text] },
    );
    await view.show(search, '');
    window.tabGroups.show({ viewColumn: 2, activeTab: text, tabs: [text] });
    await view.show(search, '');
    const names = fake.executed.map(([name]) => name).filter((name) => /^workbench|changes$/.test(String(name)));
    assert.deepEqual(names, [
      'workbench.action.newGroupRight',
      'vscode.changes',
      'workbench.action.focusSecondEditorGroup',
      'vscode.changes',
      'vscode.changes',
    ]);
  });

  it('asks for one file after the other, and for both of its sides at once', async () => {
    const { view, search, calls, mostAtOnce } = opened();
    await view.show(search, '');
    const sides = changes()[1]
      .flatMap(([, before, after]) => [before, after])
      .filter((side) => side !== undefined);
    const texts = await Promise.all(sides.map((side) => view.provideTextDocumentContent(side as never)));
    assert.deepEqual(texts, ['was', 'is', 'is', 'was']);
    assert.equal(calls.length, 1 + FILES.length);
    assert.equal(mostAtOnce(), 1);
  });

  it('asks for the text of a file of one part by its own name', async () => {
    const { view, search, calls } = opened();
    await view.show(search, 'a1');
    assert.equal(changes()[0], 'Changes: One');
    await view.provideTextDocumentContent(changes()[1][0]?.[1] as never);
    assert.deepEqual(calls, [
      { action: 'diff', node: 'a1' },
      { action: 'diff', node: 'a1', file: 'src/a.ts' },
    ]);
  });

  it('is accepted only by a yes, after it was shown, and part by part if wanted', async () => {
    const { view, search, calls } = opened();
    await view.accept(search);
    assert.ok(!calls.some(({ action }) => action === 'accept'));
    assert.match(fake.messages.at(-1) ?? '', /^"Slow build" changes src\/a\.ts, new\.md, old\.md\./);
    const answers: unknown[] = ['One by One…', { label: 'Two', path: 'a2' }, 'Accept Changes'];
    fake.answer = () => answers.shift();
    await view.accept(search);
    assert.deepEqual(
      calls.slice(1).map(({ action, node }) => [action, node]),
      [
        ['diff', undefined],
        ['diff', 'a2'],
        ['accept', undefined],
      ],
    );
    assert.equal(fake.messages.at(-1), '"Slow build": Accepted.');
  });

  it('is taken back only by a yes, right after it was accepted or later', async () => {
    const { view, search, calls } = opened();
    await view.undo(search);
    assert.match(
      fake.messages.at(-1) ?? '',
      /^Undo accepting "Slow build"\? src\/a\.ts, new\.md, old\.md will be as before/,
    );
    const did = (): unknown[] => calls.filter(({ action, dryRun }) => action === 'accept' && !dryRun);
    assert.deepEqual(did(), []);
    const answers: unknown[] = ['Accept Changes', 'Undo', 'Undo'];
    fake.answer = () => answers.shift();
    await view.accept(search);
    assert.deepEqual(did(), [{ action: 'accept' }, { action: 'accept', undo: true }]);
  });

  it('is accepted by the button of the editor that shows it, which is there only while it does', async () => {
    const { view, search, calls } = opened();
    const context = (): unknown => fake.contexts.findLast(([name]) => name === 'thoughtTree.showsChanges')?.[1];
    window.tabGroups.show({ activeTab: { label: 'Changes: Slow build (3 files)' }, tabs: [] });
    await view.show(search, '');
    assert.equal(context(), true);
    window.tabGroups.show({ activeTab: { label: 'a.ts' }, tabs: [] });
    window.tabGroups.onDidChangeTabs.fire({ opened: [], closed: [], changed: [] });
    assert.equal(context(), false);
    await view.acceptShown();
    assert.deepEqual(calls.at(-1), { action: 'accept' });
    assert.deepEqual(fake.messages, ['"Slow build": Accepted.'], 'nobody is asked again');
  });

  it('shows all and asks, where only the work of one node is in front', async () => {
    const { view, search, calls } = opened();
    await view.show(search, 'a');
    fake.answer = () => undefined;
    await view.acceptShown();
    assert.ok(
      calls.every(({ action }) => action !== 'accept'),
      'nobody said yes',
    );
    assert.match(fake.messages.at(-1) ?? '', /^"Slow build" changes src/);
  });

  it('is offered in one sentence where that names every file, and asks after all if the work is another one by then', async () => {
    const few = [
      { path: 'a.ts', change: 'changed' },
      { path: 'new.md', change: 'added' },
    ];
    const { view, search, calls } = opened(few);
    const offer = await view.offer(search);
    assert.equal(offer?.said, 'Accepting writes a.ts, new.md in your folder, and can be undone.');
    await offer?.accept();
    assert.deepEqual(calls.at(-1), { action: 'accept' });
    assert.deepEqual(fake.messages, ['"Slow build": Accepted.']);
    few.push({ path: 'other.ts', change: 'changed' });
    calls.length = 0;
    await offer?.accept();
    assert.ok(calls.every(({ action }) => action !== 'accept'));
    assert.match(fake.messages.at(-1) ?? '', /^"Slow build" changes a\.ts, new\.md, other\.ts\./);
  });

  it('is not offered so where files are deleted, there are many, or none, or a notice would cut or change names', async () => {
    const many = [...'abcdef'].map((path) => ({ path, change: 'added' }));
    const long = [...'abcd'].map((path) => ({ path: path.repeat(90), change: 'added' }));
    const cut = [{ path: `${'a/'.repeat(120)}package.json`, change: 'changed' }];
    const odd = [{ path: 'a\u202ets.md', change: 'added' }];
    for (const files of [FILES, many, [], long, cut, odd]) {
      const { view, search } = opened(files);
      assert.equal(await view.offer(search), undefined);
    }
  });

  it('says so where nothing changes, and asks nothing', async () => {
    const { view, search, calls } = opened([]);
    await view.accept(search);
    assert.deepEqual(fake.messages, ['"Slow build" changes nothing.']);
    assert.equal(calls.length, 1);
  });
});
