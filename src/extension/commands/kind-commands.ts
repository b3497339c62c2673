import type { KindFace } from '../../core/search/kind-face.ts';
import { COMMANDS, type CommandId } from './command-table.ts';

/** A command under the title that a kind gives to its action: a command has one title, whatever it is shown on. */
export interface KindCommand {
  readonly id: string;
  /** The command that it stands for. */
  readonly of: CommandId;
  /** As a kind names it, in English: "Add thought…". */
  readonly title: string;
  /** What rows are marked with that show it in place of the other one. */
  readonly flag: string;
}

/** The commands that kinds call otherwise, once for each kind and command. */
export function kindCommands(faces: readonly KindFace[]): KindCommand[] {
  return faces.flatMap(({ name: kind, actions = {} }) =>
    Object.entries(actions).flatMap(([name, { title }]) =>
      Object.entries(COMMANDS).flatMap(([id, { action }]) =>
        action === name ? [{ id: `${id}.${kind}`, of: id as CommandId, title, flag: flagOf(name, kind) }] : [],
      ),
    ),
  );
}

/** What a row is marked with for an action that its kind names itself. */
export function flagOf(action: string, kind: string): string {
  return `${action}_${kind.replaceAll('-', '_')}`;
}
