import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import {
  type ActionFace,
  availableActions,
  maySpend,
  type NodeFacts,
} from '../../../../src/core/actions/action-face.ts';
import { type LeafReason, NodeStatus } from '../../../../src/core/tree/node-status.ts';
import { COMMANDS } from '../../../../src/extension/commands/command-table.ts';
import { kindCommands } from '../../../../src/extension/commands/kind-commands.ts';
import { commandContributions } from '../../../../src/extension/commands/manifest.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { SearchesView } from '../../../../src/extension/sidebar/searches-view.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { researchFace } from '../../../../src/kinds/research/face.ts';
import { EventEmitter, fake, workspace } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { nodeElement, sampleLibrary, sampleSearch, searchElement, settled } from '../sidebar/sample.ts';

const { AvailableActions, searchFacts } = await import('../../../../src/extension/actions/available-actions.ts');
const { Targets } = await import('../../../../src/extension/commands/targets.ts');
const { panelActions } = await import('../../../../src/extension/panel/panel-actions.ts');
const { ContextKeys } = await import('../../../../src/extension/sidebar/context-keys.ts');
const { nodeItem } = await import('../../../../src/extension/sidebar/node-item.ts');
const { searchItem } = await import('../../../../src/extension/sidebar/search-item.ts');

const { commands, menus } = commandContributions(KINDS.map(({ face }) => face));
const contributed = commands as { command: string; enablement?: string }[];
const inRows = menus['view/item/context'] as { command: string; when: string }[];
const KIND_COMMANDS = kindCommands(KINDS.map(({ face }) => face));
/** What commands are for: those that stand for an action, by the action's name. */
const ACTION_OF: ReadonlyMap<string, string> = new Map([
  ...Object.keys(COMMANDS).map((id) => [id, id.slice('thoughtTree.'.length)] as const),
  ['thoughtTree.addChild', 'add'],
  ...KIND_COMMANDS.map(({ id, action }) => [id, action] as const),
]);

const isEnabled = (id: string, isTrusted: boolean): boolean =>
  contributed.find(({ command }) => command === id)?.enablement !== 'isWorkspaceTrusted' || isTrusted;

/** The actions whose commands the menu of a row shows, as the manifest says it. */
function ofRow(contextValue: string, isTrusted: boolean): string[] {
  const shown = inRows.filter(({ command, when }) => {
    const flag = /viewItem =~ \/(.*)\//.exec(when)?.[1];
    return flag !== undefined && new RegExp(flag).test(contextValue) && isEnabled(command, isTrusted);
  });
  return actionsAmong(shown.map(({ command }) => command));
}

function actionsAmong(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => ACTION_OF.get(id) ?? id))].filter((name) => name in available.all).sort();
}

/** The actions that the palette offers for what is selected in the sidebar. */
async function ofPalette(search: FollowedSearch, row: object, isTrusted: boolean): Promise<string[]> {
  const { library } = sampleLibrary(search);
  fake.contexts.length = 0;
  new ContextKeys(library, available);
  await settled();
  const keys = new Map(fake.contexts as [string, boolean][]);
  const selection = new EventEmitter<unknown>();
  const view = { view: { selection: [row], onDidChangeSelection: selection.event } } as unknown as SearchesView;
  const targets = new Targets(library, view, KINDS, available);
  const found: string[] = [];
  for (const [id, action] of ACTION_OF) {
    if (!(id in COMMANDS)) continue; // a kind's own title is for its rows alone
    const face = available.all[action];
    if (!face || keys.get(`thoughtTree.can.${action}`) === false || !isEnabled(id, isTrusted)) continue;
    const { path } = row as { path: string };
    if (face.on === 'search' ? path === '' : (await targets.node(undefined, action))?.path === path) found.push(action);
  }
  return found.sort();
}

function names(actions: readonly { name: string }[]): string[] {
  return actions.map(({ name }) => name).sort();
}

const STATES = ['running', 'waiting', 'paused', 'interrupted', 'finished'] as const;
const REASONS: readonly (LeafReason | undefined)[] = [undefined, 'model', 'depth-limit', 'duplicate', 'solved'];

/** Every state that a node can be in as far as anything that is offered depends on it. */
function* nodeViews(): Generator<NodeFacts> {
  for (const status of NodeStatus.options)
    for (const isCutOff of [false, true])
      for (const hasDocument of [false, true])
        for (const leafReason of status === 'leaf' ? REASONS : [undefined])
          yield { status, isCutOff, hasDocument, leafReason };
}

function storeOf(status: NodeStatus, hasDocument: boolean): object {
  const file = { title: 'Keys', status };
  return {
    readNode: async () => ({ file, hasDocument, children: undefined, folders: [] }),
    readNodeFile: async () => file,
  };
}

function searchWith(kind: string, state: (typeof STATES)[number], more: object = {}): FollowedSearch {
  const file = { version: 1, kind, title: 'Slow', prompt: 'Why?', options: {} };
  return sampleSearch({ file, state, isDivided: true, ...more });
}

describe('what is offered', () => {
  beforeEach(() => fake.reset());
  afterEach(() => {
    workspace.isTrusted = true;
  });

  for (const kind of ['research', 'thoughts', 'of-a-later-version'])
    it(`on nodes is the same in sidebar, panel, palette and requests, whatever their state, in ${kind}`, async () => {
      let checked = 0;
      for (const state of STATES)
        for (const isTrusted of [true, false])
          for (const node of nodeViews()) {
            workspace.isTrusted = isTrusted;
            const file = { title: 'Keys', status: node.status, leafReason: node.leafReason };
            const store = {
              readNode: async () => ({ file, hasDocument: node.hasDocument, children: undefined, folders: [] }),
              readNodeFile: async () => ({ title: 'Cache', status: node.isCutOff ? 'pruned' : 'expanded' }),
            };
            const count = (...statuses: NodeStatus[]) => (statuses.includes(node.status) ? 1 : 0);
            const search = searchWith(kind, state, { store, count });
            const parent = nodeElement({ status: node.isCutOff ? 'pruned' : 'expanded' }, { search });
            const row = nodeElement(file, { search, parent, path: 'cache/keys', hasDocument: node.hasDocument });
            const seen = node.status === 'in-progress' && !search.isActive ? 'unexpanded' : node.status;
            const asked = availableActions(available.facesFor(search), searchFacts(search), { ...node, status: seen });
            const expected = names(asked.filter((face) => isTrusted || !maySpend(face)));
            const where = JSON.stringify({ state, isTrusted, node });
            assert.deepEqual(
              ofRow(nodeItem(row, available).contextValue ?? '', isTrusted),
              expected,
              `sidebar ${where}`,
            );
            const panel = panelActions(await available.at(search, 'cache/keys'));
            assert.deepEqual(names(panel.filter(({ name }) => name !== 'reveal')), expected, `panel ${where}`);
            assert.deepEqual(await ofPalette(search, row, isTrusted), expected, `palette ${where}`);
            checked++;
          }
      assert.ok(checked > 200);
    }).timeout(30_000);

  it('on searches is the same in sidebar, panel, palette and requests, whatever their state', async () => {
    for (const state of STATES)
      for (const isTrusted of [true, false])
        for (const hasReport of [true, false])
          for (const isDivided of [true, false])
            for (const failed of [0, 2]) {
              workspace.isTrusted = isTrusted;
              const count = (...statuses: NodeStatus[]) => (statuses.includes('failed') ? failed : 0);
              const isResumable = state === 'paused' || state === 'interrupted';
              const search = searchWith('research', state, { hasReport, isDivided, count, isResumable });
              const asked = availableActions(available.facesFor(search), searchFacts(search), undefined);
              const expected = names(asked.filter((face) => isTrusted || !maySpend(face)));
              const where = JSON.stringify({ state, isTrusted, hasReport, isDivided, failed });
              const row = searchElement(search);
              assert.deepEqual(
                ofRow(searchItem(row, available).contextValue ?? '', isTrusted),
                expected,
                `sidebar ${where}`,
              );
              const panel = panelActions(available.onSearch(search)).filter(({ name }) => name !== 'reveal');
              assert.deepEqual(names(panel), expected, `panel ${where}`);
              assert.deepEqual(await ofPalette(search, row, isTrusted), expected, `palette ${where}`);
            }
  }).timeout(30_000);

  it('is a new document wherever there is one to replace, also where its node has failed', async () => {
    const file = { title: 'Keys', status: 'failed' as const };
    const store = { readNode: async () => ({ file, hasDocument: true, children: undefined, folders: [] }) };
    const search = searchWith('research', 'paused', { store });
    assert.ok(names(panelActions(await available.at(search, 'keys'))).includes('redo'));
    assert.match(nodeItem(nodeElement(file, { search, hasDocument: true }), available).contextValue ?? '', /\bredo\b/);
  });

  it('is in menus, palette and panel what a kind adds, under its own title', async () => {
    const scale: ActionFace = {
      name: 'scale',
      on: 'both',
      title: 'Scale scores…',
      help: 'multiply scores',
      args: [{ name: 'factor', type: 'number', required: true, help: 'by what' }],
      startsRun: true,
      when: (_search, node) => node?.status !== 'pruned',
    };
    const face = { ...researchFace, name: 'scaled-sums', actions: { scale } };
    const made = commandContributions([face]);
    const [row] = (made.menus['view/item/context'] as { command: string; when: string }[]).filter(
      ({ command }) => command === 'thoughtTree.scale.scaled-sums',
    );
    const isShownOn = (contextValue: string | undefined): boolean =>
      new RegExp(/viewItem =~ \/(.*)\//.exec(row?.when ?? '')?.[1] ?? '^$').test(contextValue ?? '');
    const ours = new AvailableActions([{ face, load: async () => assert.fail() }]);
    const search = searchWith('scaled-sums', 'paused', { store: storeOf('expanded', true) });
    assert.ok(isShownOn(searchItem(searchElement(search), ours).contextValue));
    assert.ok(isShownOn(nodeItem(nodeElement({ status: 'expanded' }, { search }), ours).contextValue));
    assert.ok(!isShownOn(nodeItem(nodeElement({ status: 'pruned' }, { search }), ours).contextValue));
    const { enablement } = (made.commands as { command: string; enablement?: string }[]).find(
      ({ command }) => command === row?.command,
    ) as { enablement?: string };
    assert.equal(enablement, 'isWorkspaceTrusted');
    const palette = made.menus['commandPalette'] as { command: string; when: string }[];
    assert.match(palette.find(({ command }) => command === row?.command)?.when ?? '', /thoughtTree\.can\.scale\)/);
    assert.ok(ours.mayBeIn(search, 'scale'));
    const shown = panelActions(await ours.at(search, 'keys')).find(({ name }) => name === 'scale');
    assert.equal(shown?.title, 'Scale scores…');
  });
});
