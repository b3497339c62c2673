import { forPeople } from '../../core/actions/action-face.ts';
import type { KindFace } from '../../core/kind/kind-face.ts';
import { COMMANDS, type CommandEntry, commandFor, has } from './command-table.ts';
import { flagOf } from './row-flag.ts';

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

/** The commands that kinds add, one for each kind and action. */
export function kindCommands(faces: readonly KindFace[]): KindCommand[] {
  return faces.flatMap(({ name: kind, actions = {} }) =>
    forPeople(actions).map((face) => {
      const flag = flagOf(face.name, kind);
      const [id, known] = Object.entries(COMMANDS).find(([, { action }]) => action === face.name) ?? [];
      const entry = known ? renamed(known, flag) : commandFor(face, ['2_steer@9'], {}, flag);
      return { id: `${id ?? `thoughtTree.${face.name}`}.${kind}`, action: face.name, title: face.title, flag, entry };
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

/** The commands that begin searches, one for each kind. */
export function startCommands(faces: readonly KindFace[]): StartEntry[] {
  const id = 'thoughtTree.start';
  const { palette, enablement } = COMMANDS[id] as Required<CommandEntry>;
  return faces.map(({ name: kind, words: { title } }) => ({
    id: `${id}.${kind}`,
    kind,
    title,
    entry: { palette, enablement },
  }));
}

/** The command of every action. */
export function actionCommands(faces: readonly KindFace[]): Pick<KindCommand, 'id' | 'action'>[] {
  const common = Object.entries(COMMANDS).flatMap(([id, { action }]) => (action === undefined ? [] : { id, action }));
  return [...common, ...kindCommands(faces)];
}

/** A command that replaces another one on rows of its kind; the palette keeps the other one's title. */
function renamed({ keybinding: _key, menus = [], ...entry }: CommandEntry, flag: string): CommandEntry {
  const inRows = menus.filter(({ menu }) => menu === 'view/item/context');
  return { ...entry, palette: 'false', menus: inRows.map((place) => ({ ...place, when: has(flag) })) };
}
