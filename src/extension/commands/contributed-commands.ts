/** What runs a command of package.json: an action, or the beginning of a search of one kind. */
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

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}
