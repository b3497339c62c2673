/** One entry in a menu. In the view's menus `when` is combined with the view's own condition. */
export interface MenuPlace {
  readonly menu:
    | 'view/title'
    | 'view/item/context'
    | 'explorer/context'
    | 'editor/context'
    | 'editor/title'
    | 'editor/title/context';
  readonly group: string;
  readonly when?: string;
}

/** The presentation of a command; its title is in package.nls.json under `command.<name>`. */
export interface CommandEntry {
  /** Its action, if any. */
  readonly action?: string;
  readonly icon?: string;
  /** When the palette shows it; `never` for commands that need an element. */
  readonly palette?: string;
  readonly enablement?: string;
  readonly menus?: readonly MenuPlace[];
  readonly keybinding?: { readonly key: string; readonly mac?: string; readonly when: string };
}

/** The meaning of a command of package.json: an action, or the beginning of a search of one kind. */
export type Contributed = { readonly id: string } & ({ readonly action: string } | { readonly kind: string });

/** Actions whose commands are not named after them. */
const ACTION_OF: Readonly<Record<string, string>> = { addChild: 'add' };

/**
 * The commands of actions and kinds as package.json contributes them, where `npm run manifest` writes them: their names say
 * what they do, so that the table behind them need not be loaded with the view.
 * @param own the ids of the other commands
 */
export function contributedCommands(manifest: unknown, own: ReadonlySet<string>): Contributed[] {
  const { commands } = (manifest as Manifest).contributes;
  return commands
    .map(({ command }) => command)
    .filter((id) => !own.has(id))
    .map((id) => {
      const [, name = '', kind] = id.split('.');
      return name === 'start' && kind !== undefined ? { id, kind } : { id, action: ACTION_OF[name] ?? name };
    });
}

/**
 * The commands in the menus of rows that are about their row and nothing else. The title of a view names the row that has
 * the focus, and none if none has it: what is also there may be meant without a row.
 */
export function rowCommands(manifest: unknown): ReadonlySet<string> {
  const { menus } = (manifest as Manifest).contributes;
  const idsIn = (menu: string): string[] => (menus[menu] ?? []).flatMap(({ command }) => command ?? []);
  const inTitle = new Set(idsIn('view/title'));
  return new Set(idsIn('view/item/context').filter((id) => !inTitle.has(id)));
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string }[]>>;
  };
}

/** The argument of a key in the sidebar: the selected row, whatever is open in the editor. */
export const SELECTION = 'selection';
