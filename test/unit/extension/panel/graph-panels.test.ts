import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { Targets } from '../../../../src/extension/commands/targets.ts';
import type { PanelParts } from '../../../../src/extension/panel/graph-panel.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { EventEmitter, Uri, window } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { sampleLibrary, sampleSearch } from '../sidebar/sample.ts';

/** The drawings that are open, by the titles of their searches, with their columns. */
const open = new Map<string, unknown>();
Object.assign(window, {
  registerWebviewPanelSerializer: () => ({ dispose: () => undefined }),
  createWebviewPanel: (_type: string, title: string, place: number | { viewColumn: number }) => {
    const disposed = new EventEmitter<undefined>();
    const viewColumn = typeof place === 'number' ? place : place.viewColumn;
    // The editor says in which group a panel was put.
    const tab = {
      viewColumn: viewColumn < 0 ? -viewColumn : viewColumn,
      visible: true,
      reveal: () => undefined,
      onDidChangeViewState: new EventEmitter<unknown>().event,
      onDidDispose: disposed.event,
      dispose: () => {
        open.delete(title);
        disposed.fire(undefined);
      },
      webview: {
        cspSource: '',
        asWebviewUri: (uri: unknown) => uri,
        postMessage: async () => true,
        onDidReceiveMessage: new EventEmitter<unknown>().event,
      },
    };
    open.set(title, tab.viewColumn);
    return tab;
  },
});

const { GraphPanels } = await import('../../../../src/extension/panel/graph-panels.ts');

describe('the drawings of several searches', () => {
  const running = sampleSearch({ folder: '/w/a', title: 'A', state: 'running', forgetTree: () => undefined });
  const finished = sampleSearch({ folder: '/w/b', title: 'B', state: 'finished', forgetTree: () => undefined });
  const next = sampleSearch({ folder: '/w/c', title: 'C', state: 'running', forgetTree: () => undefined });
  const all = [running, finished, next];
  let panels: InstanceType<typeof GraphPanels>;

  beforeEach(() => {
    open.clear();
    const targets = { search: async ({ folder }: { folder: string }) => all.find((each) => each.folder === folder) };
    const parts = {
      kinds: KINDS,
      library: {
        ...sampleLibrary(running).library,
        search: (folder: string) => all.find((each) => each.folder === folder),
      },
      available,
      extension: Uri.file('/extension'),
      log: { error: () => undefined },
      sidebar: { view: { onDidChangeSelection: new EventEmitter<unknown>().event } },
    };
    panels = new GraphPanels(targets as unknown as Targets, parts as unknown as PanelParts);
    window.tabGroups.show({ viewColumn: 1, tabs: [{ input: undefined }] });
  });
  afterEach(() => panels.dispose());

  it('are in one group, and one that shows itself takes the place of a finished one', async () => {
    await panels.open({ folder: '/w/b' }, 'beside');
    await panels.open({ folder: '/w/a' }, 'beside');
    assert.deepEqual([...open], [['A', 2]], 'not beside the drawing beside');
  });

  it('stay open while their searches run, and where a person opens another one', async () => {
    await panels.open({ folder: '/w/a' }, 'beside');
    await panels.open({ folder: '/w/c' }, 'beside');
    assert.deepEqual(
      [...open],
      [
        ['A', 2],
        ['C', 2],
      ],
    );
    await panels.open({ folder: '/w/b' });
    await panels.open({ folder: '/w/c' });
    assert.deepEqual(
      [...open],
      [
        ['A', 2],
        ['C', 2],
        ['B', 2],
      ],
    );
  });
});
