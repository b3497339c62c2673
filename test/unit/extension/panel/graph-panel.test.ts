import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { PanelParts } from '../../../../src/extension/panel/graph-panel.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { drawInFront, EventEmitter, fake, Uri } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { sampleLibrary, sampleSearch } from '../sidebar/sample.ts';

const { GraphPanel, panelActions } = await import('../../../../src/extension/panel/graph-panel.ts');

/** The panel of a search whose page never says that it is ready. */
function silentPanel(
  said = new EventEmitter<unknown>(),
  actions: Partial<PanelParts['actions']> = {},
  folder = '/w/slow',
  posted: unknown[] = [],
  own: object = {},
): InstanceType<typeof GraphPanel> {
  const search = sampleSearch({ folder, title: 'Slow', forgetTree: () => undefined, ...own });
  const tab = {
    visible: true,
    reveal: () => undefined,
    onDidChangeViewState: new EventEmitter<unknown>().event,
    webview: {
      cspSource: '',
      asWebviewUri: (uri: unknown) => uri,
      postMessage: async (message: unknown) => posted.push(message) > 0,
      onDidReceiveMessage: said.event,
    },
  } as unknown as vscode.WebviewPanel;
  const parts = {
    kinds: KINDS,
    library: sampleLibrary(search).library,
    available,
    actions: { learnNeed: async () => undefined, ...actions },
    extension: Uri.file('/extension'),
    log: { error: () => undefined },
    sidebar: { view: { onDidChangeSelection: new EventEmitter<unknown>().event } },
  } as unknown as PanelParts;
  return new GraphPanel(tab, search, parts);
}

/** A search with one event. */
function pastFolder(): string {
  const folder = temporaryFolder('past-panel');
  mkdirSync(join(folder, '.search'));
  const file = { version: 1, kind: 'thoughts', title: 'T', prompt: 'Why?', options: {} };
  writeFileSync(join(folder, 'search.json'), JSON.stringify(file));
  const event = { seq: 1, time: new Date(0).toISOString(), type: 'lease-taken', epoch: 1, pid: 1, host: 'h' };
  writeFileSync(join(folder, '.search/journal.jsonl'), `${JSON.stringify(event)}\n`);
  return folder;
}

describe('the panel of a drawing', () => {
  for (const [how, end] of [
    ['its tab is closed', (panel: InstanceType<typeof GraphPanel>) => panel.dispose()],
    ['its search is gone', (panel: InstanceType<typeof GraphPanel>) => panel.lose()],
  ] as const)
    it(`keeps nobody waiting for a picture when ${how} before its page is there`, async () => {
      const panel = silentPanel();
      const painted = panel.paint('<svg/>');
      end(panel);
      await assert.rejects(painted, { reason: 'timed-out' });
    });

  it('undoes what a person did last, and does it again', async () => {
    const said = new EventEmitter<unknown>();
    const acts: unknown[][] = [];
    const act = async (_search: unknown, ...args: unknown[]): Promise<void> => void acts.push(args);
    const panel = silentPanel(said, { act });
    said.fire({ type: 'act', action: 'undo', path: '' });
    said.fire({ type: 'act', action: 'undo', path: '', forward: true });
    assert.deepEqual(acts, [
      ['', 'undo', undefined],
      ['', 'undo', { forward: true }],
    ]);
    panel.dispose();
  });

  it('copies the link of a node, as a row does', async () => {
    fake.reset();
    const said = new EventEmitter<unknown>();
    const panel = silentPanel(said);
    const search = sampleSearch({ isDivided: true });
    assert.ok(panelActions([], search).some(({ name }) => name === 'copyLink'));
    said.fire({ type: 'act', action: 'copyLink', path: 'cache/keys' });
    assert.deepEqual(fake.executed.at(-1), ['thoughtTree.copyLink', { folder: '/w/slow', path: 'cache/keys' }]);
    panel.dispose();
  });

  it('saves its drawing at once, under a name that is free, and opens it beside itself', async () => {
    fake.reset();
    const said = new EventEmitter<unknown>();
    const workspace = temporaryFolder('save-drawing');
    writeFileSync(join(workspace, 'slow.svg'), 'mine');
    const panel = silentPanel(said, {}, join(workspace, 'thought-trees/slow'), [], { workspace });
    fake.answer = (question) => (String(question).includes('is saved as') ? 'Open' : undefined);
    drawInFront();
    said.fire({ type: 'save-picture', svg: '<svg/>' });
    await until(() => fake.executed.length > 0);
    assert.deepEqual(fake.messages, ['"Slow" is saved as slow-2.svg.']);
    assert.equal(readFileSync(join(workspace, 'slow-2.svg'), 'utf8'), '<svg/>');
    assert.equal(readFileSync(join(workspace, 'slow.svg'), 'utf8'), 'mine');
    assert.deepEqual(fake.executed[0]?.slice(2), [-2]);
    panel.dispose();
  });

  it('changes nothing while it shows the past, whatever its page asks for', async () => {
    const said = new EventEmitter<unknown>();
    const acts: string[] = [];
    const act = async (_search: unknown, _path: string, action: string): Promise<void> => void acts.push(action);
    const folder = pastFolder();
    const panel = silentPanel(said, { act }, folder);
    said.fire({ type: 'seek', to: { seq: 1 } });
    await until(() => panel.isPast);
    said.fire({ type: 'act', action: 'prune', path: 'a' });
    said.fire({ type: 'seek', to: null });
    await until(() => !panel.isPast);
    said.fire({ type: 'act', action: 'restore', path: 'a' });
    assert.deepEqual(acts, ['restore']);
    panel.dispose();
  });

  it('shows what is known of a node at the moment that is shown, however late what is known of another one comes', async () => {
    const said = new EventEmitter<unknown>();
    const posted: { type: string; details?: { note?: string }; exchange?: { unknown?: string; answer?: string } }[] =
      [];
    const slow = Promise.withResolvers<void>();
    const now = { path: '', note: 'now', quotations: [], links: [], story: { calls: [], steered: [] } };
    const exchange = { system: '', turns: [], prompt: '', answer: 'now' };
    const own = {
      store: {},
      file: {},
      details: async () => await slow.promise.then(() => now),
      exchange: async () => await slow.promise.then(() => ({ found: { exchange } })),
    };
    const panel = silentPanel(said, {}, pastFolder(), posted, own);
    said.fire({ type: 'select', path: '' });
    said.fire({ type: 'exchange', path: '', call: 1 });
    said.fire({ type: 'seek', to: { seq: 1 } });
    const notes = () => posted.flatMap(({ details }) => (details ? [details.note] : []));
    const words = () => posted.flatMap((message) => message.exchange ?? []);
    await until(() => notes().length === 1);
    slow.resolve();
    await until(() => words().length === 1);
    assert.deepEqual([notes(), words()[0]?.answer], [[undefined], undefined]);
    panel.dispose();
  });

  it('leaves the timeline closed that was closed while it was loaded', async () => {
    const said = new EventEmitter<unknown>();
    const posted: { type: string }[] = [];
    const panel = silentPanel(said, {}, pastFolder(), posted);
    said.fire({ type: 'seek', to: { seq: 1 } });
    said.fire({ type: 'timeline', isOpen: false });
    await until(() => posted.filter(({ type }) => type === 'sought').length === 1);
    assert.equal(panel.isPast, false);
    panel.dispose();
  });
});
