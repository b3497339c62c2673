import '../use-fake-vscode.ts';
import { commandContributions, kindCommands } from '../../../../scripts/contributions.ts';
import { type ActionDescriptor, maySpend } from '../../../../src/core/actions/action-descriptor.ts';
import type { Kinds } from '../../../../src/engine/kind.ts';
import { COMMANDS } from '../../../../src/extension/commands/command-table.ts';
import type { SearchesView } from '../../../../src/extension/sidebar/searches-view.ts';
import type { NodeElement, SearchElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { EventEmitter, fake, workspace } from '../fake-vscode.ts';
import { sampleLibrary, settled } from '../sidebar/sample.ts';

const { AvailableActions } = await import('../../../../src/extension/actions/available-actions.ts');
const { Targets } = await import('../../../../src/extension/commands/targets.ts');
const { panelActions } = await import('../../../../src/extension/panel/graph-panel.ts');
const { ContextKeys } = await import('../../../../src/extension/sidebar/context-keys.ts');
const { nodeItem } = await import('../../../../src/extension/sidebar/node-item.ts');
const { searchItem } = await import('../../../../src/extension/sidebar/search-item.ts');

type Row = SearchElement | NodeElement;

/** The names of actions, sorted. */
export function namesOf(actions: readonly { readonly name: string }[]): string[] {
  return actions.map(({ name }) => name).sort();
}

/** What an editor with some kinds offers, as its manifest and its views say it; by the names of actions, sorted. */
export class OfferedInEditor {
  readonly available: InstanceType<typeof AvailableActions>;
  readonly #kinds: Kinds;
  readonly #commands: { readonly command: string; readonly enablement?: string }[];
  readonly #inRows: { readonly command: string; readonly when: string }[];
  readonly #inPalette: ReadonlyMap<string, string>;
  /** What commands are for: those of actions, by the action's name. */
  readonly #actionOf: ReadonlyMap<string, string>;

  constructor(kinds: Kinds) {
    const descriptors = kinds.map(({ descriptor }) => descriptor);
    const { commands, menus } = commandContributions(descriptors);
    const places = menus as Record<string, { command: string; when: string }[]>;
    this.#kinds = kinds;
    this.available = new AvailableActions(kinds);
    this.#commands = commands as { command: string; enablement?: string }[];
    this.#inRows = places['view/item/context'] ?? [];
    this.#inPalette = new Map(places['commandPalette']?.map(({ command, when }) => [command, when]));
    this.#actionOf = new Map([
      ...Object.entries(COMMANDS).map(([id, { action }]) => [id, action ?? id] as const),
      ...kindCommands(descriptors).map(({ id, action }) => [id, action] as const),
    ]);
  }

  /** In the menu of a row of the sidebar. */
  inSidebar(row: Row): string[] {
    const { contextValue = '' } =
      row.kind === 'search' ? searchItem(row, this.available) : nodeItem(row, this.available);
    const shown = this.#inRows.filter(({ command, when }) => {
      const flag = /viewItem =~ \/(.*)\//.exec(when)?.[1];
      return flag !== undefined && new RegExp(flag).test(contextValue) && this.#isEnabled(command);
    });
    const { available } = this;
    const all = row.kind === 'search' ? available.onSearch(row.search) : available.onRow(row);
    const hasMore = shown.some(({ command }) => command === 'thoughtTree.more');
    const more = hasMore ? this.allowed(all.filter(({ isRare }) => isRare)) : [];
    return [...this.#actionsAmong(shown.map(({ command }) => command)), ...more].sort();
  }

  /** On the buttons of the panel, where a node is selected. */
  async inPanel({ search, path }: Row): Promise<string[]> {
    return namesOf(panelActions(await this.available.at(search, path), search)).filter(
      (name) => !['reveal', 'copyLink'].includes(name),
    );
  }

  /** In the palette, for the row that is selected in the sidebar. */
  async inPalette(row: Row): Promise<string[]> {
    const { library } = sampleLibrary(row.search);
    fake.contexts.length = 0;
    const contextKeys = new ContextKeys(library, this.available);
    await settled();
    const keys = new Map(fake.contexts as [string, boolean][]);
    const selection = new EventEmitter<unknown>();
    const view = { view: { selection: [row], onDidChangeSelection: selection.event } } as unknown as SearchesView;
    const targets = new Targets(library, view, this.#kinds, this.available);
    const found: string[] = [];
    for (const [id, action] of this.#actionOf) {
      const descriptor = this.available.all[action];
      if (!descriptor || !this.#isEnabled(id) || !isShown(this.#inPalette.get(id), keys)) continue;
      if (await isMeant(targets, descriptor, row)) found.push(action);
    }
    contextKeys.dispose();
    targets.dispose();
    return [...new Set(found)].sort();
  }

  /** What a person may do of what can be done: where a workspace is not trusted, nothing that may spend. */
  allowed(descriptors: readonly ActionDescriptor[]): string[] {
    return namesOf(descriptors.filter((descriptor) => workspace.isTrusted || !maySpend(descriptor)));
  }

  /** Tells whether the palette has an action, wherever it can be done: others are about a row, and in its menu. */
  isInPalette(name: string): boolean {
    return [...this.#actionOf].some(([id, action]) => action === name && this.#inPalette.get(id) !== 'false');
  }

  #isEnabled(id: string): boolean {
    const found = this.#commands.find(({ command }) => command === id);
    return found?.enablement !== 'isWorkspaceTrusted' || workspace.isTrusted;
  }

  #actionsAmong(ids: readonly string[]): string[] {
    return [...new Set(ids.map((id) => this.#actionOf.get(id) ?? id))]
      .filter((name) => name in this.available.all)
      .sort();
  }
}

/** Whether the palette shows a command, with one folder open. */
function isShown(when: string | undefined, keys: ReadonlyMap<string, boolean>): boolean {
  if (when === undefined) return true;
  const key = /thoughtTree\.(can\.[\w-]+)$/.exec(when)?.[1];
  return when !== 'false' && (key === undefined || keys.get(`thoughtTree.${key}`) === true);
}

/** Whether a command of the palette does its action to the row, and not to one that it asks for. */
async function isMeant(
  targets: InstanceType<typeof Targets>,
  descriptor: ActionDescriptor,
  { path }: Row,
): Promise<boolean> {
  if (descriptor.on === 'search') return path === '';
  return (await targets.node(undefined, descriptor.name))?.path === path;
}
