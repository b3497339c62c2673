import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { GivenPlan, Kind } from '../../engine/kind/kind.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import * as say from '../messages.ts';
import { l10n } from '../terminal/translation.ts';

/** The largest plan, in bytes. */
const LARGEST_PLAN = 4 * 1024 * 1024;

/** Options about work on the command line. They are not kept in the search's folder, which may be somebody else's. */
export interface WorkFlags {
  /** The file with the plan of a new search. */
  readonly plan?: string;
  /** True if the commands of the plan may run, where nobody can be asked. */
  readonly allowCommands?: true;
  /** True if commands may use the network, where a sandbox could keep them from it. */
  readonly allowNetwork?: true;
  /** True if small programs of models may run, held in a sandbox. */
  readonly allowExperiments?: true;
  /** The state file that is kept true while the search runs. */
  readonly mirror?: string;
}

/** Their names, without the dashes. */
export const WORK_FLAGS = ['plan', 'allow-commands', 'allow-network', 'mirror'] as const;

/** Adds them to a command; they apply to the kinds whose searches change files and run commands. */
export function addWorkOptions(command: Command, kinds: Kinds, isNew: boolean): Command {
  const takers = kinds.flatMap(({ face }) => (face.takesWork ? [face.name] : []));
  if (takers.length === 0) return command;
  const of = takers.join(', ');
  if (isNew) command.option('--plan <file>', `${of}: ${l10n.t('begin with the plan in this file')}`);
  return command
    .option(
      '--allow-commands',
      `${of}: ${l10n.t('let the commands of the plan run, without asking (needed where there is no terminal)')}`,
    )
    .option(
      '--allow-network',
      `${of}: ${l10n.t('let commands use the network (default: not, where a sandbox holds them)')}`,
    );
}

/** Adds the option to let models try things; it applies to the kinds whose models may. */
export function addExperimentOption(command: Command, kinds: Kinds): Command {
  const takers = kinds.flatMap(({ face }) => (face.mayTry ? [face.name] : []));
  if (takers.length === 0) return command;
  const help = l10n.t('let its models run small programs on a copy of the folder, held in a sandbox without network');
  return command.option('--allow-experiments', `${takers.join(', ')}: ${help}`);
}

/** Adds the option for the file that other programs read while a search runs. */
export function addMirrorOption(command: Command, kinds: Kinds): Command {
  const takers = kinds.flatMap(({ face }) => (face.takesWork ? [face.name] : []));
  if (takers.length === 0) return command;
  const help = l10n.t('keep this state file true while the search runs, for the programs that read such files');
  return command.option('--mirror <file>', `${takers.join(', ')}: ${help}`);
}

/**
 * The plan in the file that this person names; undefined if they name none.
 * @throws ThoughtTreeError `bad-input` if there is no such file, `damaged` saying where it is wrong
 */
export async function planFrom({ plan: path }: WorkFlags, kind: Kind): Promise<GivenPlan | undefined> {
  if (path === undefined || !kind.planFrom) return undefined;
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new ThoughtTreeError('bad-input', say.noFile({ file }));
  const name = basename(file);
  if (found.size > LARGEST_PLAN) throw new ThoughtTreeError('damaged', say.planTooLarge({ file: name }), { file });
  return kind.planFrom(textOf(await readFile(file), name), name);
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ThoughtTreeError('damaged', say.planNotText({ file }), { file });
  }
}
