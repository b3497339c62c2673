import { type ActionDescriptor, type ActionDescriptors, forPeople } from '../src/core/actions/action-descriptor.ts';
import type { KindDescriptor } from '../src/core/kind/kind-descriptor.ts';
import { flagOf, isRenamed } from '../src/extension/actions/editor-actions.ts';
import { COMMANDS, commandFor, EDITOR_KEYS, has, ROWS_ONLY } from '../src/extension/commands/command-table.ts';
import { type CommandEntry, SELECTION } from '../src/extension/commands/contributed-commands.ts';

const VIEW = 'view == thoughtTree.searches';

/**
 * Returns what package.json contributes for the commands: made from the one table, so that nothing is forgotten.
 * @param descriptors the kinds, each of which may add or rename actions
 */
export function commandContributions(descriptors: readonly KindDescriptor[]): {
  commands: unknown[];
  menus: Record<string, unknown[]>;
  keybindings: unknown[];
} {
  const entries: [string, CommandEntry][] = [
    ...Object.entries(COMMANDS),
    ...[...startCommands(descriptors), ...kindCommands(descriptors)].map(({ id, entry }): [string, CommandEntry] => [
      id,
      entry,
    ]),
  ];
  return {
    commands: entries.map(([command, { icon, enablement }]) => ({
      command,
      title: `%command.${nameOf(command)}%`,
      category: 'Thought Tree',
      ...(icon ? { icon: `$(${icon})` } : {}),
      ...(enablement ? { enablement } : {}),
    })),
    menus: {
      commandPalette: entries.flatMap(([command, { palette }]) => (palette ? [{ command, when: palette }] : [])),
      'view/title': inMenu(entries, 'view/title'),
      'view/item/context': inMenu(entries, 'view/item/context'),
      'editor/context': inMenu(entries, 'editor/context'),
      'explorer/context': inMenu(entries, 'explorer/context'),
      'editor/title': inMenu(entries, 'editor/title'),
      'editor/title/context': inMenu(entries, 'editor/title/context'),
    },
    keybindings: [
      ...entries.flatMap(([command, { keybinding }]) =>
        keybinding
          ? [{ ...keybinding, ...(/focusedView/.test(keybinding.when) ? onFocused(command) : { command }) }]
          : [],
      ),
      ...EDITOR_KEYS,
    ],
  };
}

/** The arrow keys move the focus but not the selection, and extensions only see the selection. */
function onFocused(command: string): { command: string; args: unknown } {
  return { command: 'runCommands', args: { commands: ['list.selectAndPreserveFocus', { command, args: SELECTION }] } };
}

function inMenu(entries: [string, CommandEntry][], menu: string): unknown[] {
  return entries.flatMap(([command, { menus = [] }]) =>
    menus
      .filter((place) => place.menu === menu)
      .map(({ group, when }) => {
        const conditions = [...(menu.startsWith('view/') ? [VIEW] : []), ...(when ? [when] : [])];
        return { command, when: conditions.join(' && '), group };
      }),
  );
}

/** Returns the last part of a command's id, which identifies its title in package.nls.json. */
function nameOf(command: string): string {
  return command.slice('thoughtTree.'.length);
}

/** A command for an action that a kind adds or renames: a command has a single title. */
export interface KindCommand {
  readonly id: string;
  readonly action: string;
  /** Its title in the kind, in English: "Add thought…". */
  readonly title: string;
  /** The flag of rows that show it. */
  readonly flag: string;
  readonly entry: CommandEntry;
}

/** Returns the actions of a kind that are commands: what all kinds have under the same title is one already. */
function ownCommandsOf(actions: ActionDescriptors): ActionDescriptor[] {
  return forPeople(actions).filter((descriptor) => !descriptor.isRare && isRenamed(descriptor));
}

/** Returns the commands that kinds add, one for each kind and action. */
export function kindCommands(descriptors: readonly KindDescriptor[]): KindCommand[] {
  return descriptors.flatMap(({ name: kind, actions }) =>
    ownCommandsOf(actions).map((descriptor) => {
      const flag = flagOf(descriptor.name, kind);
      const [id, known] = Object.entries(COMMANDS).find(([, { action }]) => action === descriptor.name) ?? [];
      const entry = known ? renamed(known, flag) : commandFor(descriptor, ['2_steer@9'], ROWS_ONLY, flag);
      return {
        id: `${id ?? `thoughtTree.${descriptor.name}`}.${kind}`,
        action: descriptor.name,
        title: descriptor.title,
        flag,
        entry,
      };
    }),
  );
}

/** A command that begins a search of one kind, for the palette. */
export interface StartEntry {
  readonly id: string;
  readonly kind: string;
  /** In English: "Research a question". */
  readonly title: string;
  readonly entry: CommandEntry;
}

/** Returns the commands that begin searches, one for each kind. */
export function startCommands(descriptors: readonly KindDescriptor[]): StartEntry[] {
  const id = 'thoughtTree.start';
  const { palette, enablement } = COMMANDS[id] as Required<CommandEntry>;
  return descriptors.map(({ name: kind, words: { title } }) => ({
    id: `${id}.${kind}`,
    kind,
    title,
    entry: { palette, enablement },
  }));
}

/** Returns the command of every action. */
export function actionCommands(descriptors: readonly KindDescriptor[]): Pick<KindCommand, 'id' | 'action'>[] {
  const common = Object.entries(COMMANDS).flatMap(([id, { action }]) => (action === undefined ? [] : { id, action }));
  return [...common, ...kindCommands(descriptors)];
}

/** Returns a command that replaces another one on rows of its kind; the palette keeps the other one's title. */
function renamed({ keybinding: _key, menus = [], ...entry }: CommandEntry, flag: string): CommandEntry {
  const inRows = menus.filter(({ menu }) => menu === 'view/item/context');
  return { ...entry, palette: 'false', menus: inRows.map((place) => ({ ...place, when: has(flag) })) };
}
