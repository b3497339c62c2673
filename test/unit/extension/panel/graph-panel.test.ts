import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { PanelParts } from '../../../../src/extension/panel/graph-panel.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { EventEmitter, Uri } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { sampleLibrary, sampleSearch } from '../sidebar/sample.ts';

const { GraphPanel } = await import('../../../../src/extension/panel/graph-panel.ts');

/** The panel of a search whose page never says that it is ready. */
function silentPanel(
  said = new EventEmitter<unknown>(),
  actions: Partial<PanelParts['actions']> = {},
  folder = '/w/slow',
): InstanceType<typeof GraphPanel> {
  const search = sampleSearch({ folder, title: 'Slow', forgetTree: () => undefined });
  const tab = {
    visible: true,
    reveal: () => undefined,
    onDidChangeViewState: new EventEmitter<unknown>().event,
    webview: {
      cspSource: '',
      asWebviewUri: (uri: unknown) => uri,
      postMessage: async () => true,
      onDidReceiveMessage: said.event,
    },
  } as unknown as vscode.WebviewPanel;
  const parts = {
    kinds: KINDS,
    library: sampleLibrary(search).library,
    available,
    actions,
    extension: Uri.file('/extension'),
    log: { error: () => undefined },
    sidebar: { view: { onDidChangeSelection: new EventEmitter<unknown>().event } },
  } as unknown as PanelParts;
  return new GraphPanel(tab, search, parts);
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

  it('changes nothing while it shows the past, whatever its page asks for', async () => {
    const said = new EventEmitter<unknown>();
    const acts: string[] = [];
    const act = async (_search: unknown, _path: string, action: string): Promise<void> => void acts.push(action);
    const folder = temporaryFolder('past-panel');
    mkdirSync(join(folder, '.search'));
    const file = { version: 1, kind: 'thoughts', title: 'T', prompt: 'Why?', options: {} };
    writeFileSync(join(folder, 'search.json'), JSON.stringify(file));
    const event = { seq: 1, time: new Date(0).toISOString(), type: 'lease-taken', epoch: 1, pid: 1, host: 'h' };
    writeFileSync(join(folder, '.search/journal.jsonl'), `${JSON.stringify(event)}\n`);
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
});
