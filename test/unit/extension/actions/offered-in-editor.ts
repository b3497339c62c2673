import '../use-fake-vscode.ts';
import { type ActionFace, maySpend } from '../../../../src/core/actions/action-face.ts';
import type { Kinds } from '../../../../src/engine/kind/kinds.ts';
import { COMMANDS } from '../../../../src/extension/commands/command-table.ts';
import { SHARE_MENU } from '../../../../src/extension/commands/contributed-commands.ts';
import { kindCommands } from '../../../../src/extension/commands/kind-commands.ts';
import { commandContributions } from '../../../../src/extension/commands/manifest.ts';
import type { SearchesView } from '../../../../src/extension/sidebar/searches-view.ts';
import type { NodeElement, SearchElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { EventEmitter, fake, workspace } from '../fake-vscode.ts';
import { sampleLibrary, settled } from '../sidebar/sample.ts';

const { AvailableActions } = await import('../../../../src/extension/actions/available-actions.ts');
const { Targets } = await import('../../../../src/extension/commands/targets.ts');
const { panelActions } = await import('../../../../src/extension/panel/panel-actions.ts');
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
    const faces = kinds.map(({ face }) => face);
    const { commands, menus } = commandContributions(faces);
    const places = menus as Record<string, { command: string; when: string }[]>;
    this.#kinds = kinds;
    this.available = new AvailableActions(kinds);
    this.#commands = commands as { command: string; enablement?: string }[];
    // The menu within the menu is one of its entries.
    this.#inRows = [...(places['view/item/context'] ?? []), ...(places[SHARE_MENU] ?? [])].filter(
      ({ command }) => command !== undefined,
    );
    this.#inPalette = new Map(places['commandPalette']?.map(({ command, when }) => [command, when]));
    this.#actionOf = new Map([
      ...Object.entries(COMMANDS).map(([id, { action }]) => [id, action ?? id] as const),
      ...kindCommands(faces).map(({ id, action }) => [id, action] as const),
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
    return this.#actionsAmong(shown.map(({ command }) => command));
  }

  /** On the buttons of the panel, where a node is selected. */
  async inPanel({ search, path }: Row): Promise<string[]> {
    return namesOf(panelActions(await this.available.at(search, path), search)).filter((name) => name !== 'reveal');
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
      const face = this.available.all[action];
      if (!face || !this.#isEnabled(id) || !isShown(this.#inPalette.get(id), keys)) continue;
      if (await isMeant(targets, face, row)) found.push(action);
    }
    contextKeys.dispose();
    targets.dispose();
    return [...new Set(found)].sort();
  }

  /** What a person may do of what can be done: where a workspace is not trusted, nothing that may spend. */
  allowed(faces: readonly ActionFace[]): string[] {
    return namesOf(faces.filter((face) => workspace.isTrusted || !maySpend(face)));
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
  const key = /thoughtTree\.(can\.[\w-]+)\)/.exec(when)?.[1];
  return when !== 'false' && (key === undefined || keys.get(`thoughtTree.${key}`) === true);
}

/** Whether a command of the palette does its action to the row, and not to one that it asks for. */
async function isMeant(targets: InstanceType<typeof Targets>, face: ActionFace, { path }: Row): Promise<boolean> {
  if (face.on === 'search') return path === '';
  return (await targets.node(undefined, face.name))?.path === path;
}
