/** The meaning of a command of package.json: an action, or the beginning of a search of one kind. */
export type Contributed = { readonly id: string } & ({ readonly action: string } | { readonly kind: string });

/** The menu within the menu of a search, for the forms in which it is shared less often. */
export const SHARE_MENU = 'thoughtTree.share';

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
  return new Set(['view/item/context', SHARE_MENU].flatMap(idsIn).filter((id) => !inTitle.has(id)));
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string }[]>>;
  };
}
