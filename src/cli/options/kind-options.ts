import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { KindDescriptor, OptionDescriptor, OptionValue } from '../../core/kind/kind-descriptor.ts';
import type { KindHooks } from '../../core/kind/kind-hooks.ts';
import { plain } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { GivenPlan, Kind, Kinds } from '../../engine/kind.ts';
import { COMMAND_TASK, commandWords, type OwnTasks, openOwnTasks } from '../../searches/own-tasks.ts';
import * as say from '../messages.ts';
import { checkNeeded, checkOfOtherTask, hooksOfOtherTask, otherKindsOption, timeoutWithoutCheck } from '../messages.ts';
import { kindText, l10n } from '../terminal/translation.ts';
import { number, wholeNumber } from './options.ts';

/** The typed options, by commander's names. */
export type TypedFlags = Readonly<Record<string, unknown>>;

/** One flag, and the options it represents: one for each kind that has it. */
interface KindFlag {
  readonly flag: string;
  readonly of: { readonly descriptor: KindDescriptor; readonly option: OptionDescriptor }[];
  /** It is the flag of an earlier version, which the help leaves out. */
  readonly isFormer: boolean;
}

/** Adds the options of kinds to a command, as their descriptors describe them. */
export function addKindOptions(command: Command, descriptors: readonly KindDescriptor[]): Command {
  for (const { flag, of, isFormer } of flagsOf(descriptors)) {
    const [first] = of;
    if (!first) continue;
    const about = of.map(({ descriptor, option }) => `${descriptor.name}: ${kindText(option.help)}`).join('; ');
    command.addOption(flagFor(flag, first.option, about, of).hideHelp(isFormer));
  }
  return command;
}

function flagFor(flag: string, option: OptionDescriptor, about: string, of: KindFlag['of']): Option {
  if (option.type === 'boolean') return new Option(`--${flag}`, about);
  const made = new Option(`--${flag} <${option.value ?? 'value'}>`, about);
  const options = of.map((each) => each.option);
  if (option.type === 'choice') return made.choices([...new Set(options.flatMap(({ choices = [] }) => choices))]);
  if (option.type === 'name' || option.type === 'text') return made;
  const least = Math.min(...options.map((each) => each.least ?? 0));
  const most = Math.max(...options.map((each) => each.most ?? Number.MAX_SAFE_INTEGER));
  return made.argParser(option.type === 'integer' ? wholeNumber(least, most) : number(least, most));
}

function flagsOf(descriptors: readonly KindDescriptor[]): KindFlag[] {
  const flags = new Map<string, KindFlag>();
  for (const descriptor of descriptors)
    for (const option of descriptor.options) {
      if (option.hidden) continue;
      for (const { flag, isFormer } of namesOf(option)) {
        const known = flags.get(flag) ?? { flag, of: [], isFormer };
        known.of.push({ descriptor, option });
        flags.set(flag, known);
      }
    }
  return [...flags.values()];
}

/** @throws ThoughtTreeError `bad-input` if an option was given that the kind of the search does not have */
export function refuseForeignOptions(typed: TypedFlags, kinds: Kinds, own: KindDescriptor | undefined): void {
  const descriptors = kinds.map(({ descriptor }) => descriptor);
  const isOwn = ({ of }: KindFlag): boolean => of.some(({ descriptor }) => descriptor.name === own?.name);
  for (const each of flagsOf(descriptors)) {
    const [first] = each.of;
    if (first && !isOwn(each) && typed[keyOf(each.flag)] !== undefined) throw foreign(each.flag, first.descriptor);
  }
  refuseUnlessTaken(typed, TASK_FLAGS, own, descriptors, ({ traits }) => traits.takesHooks);
  refuseUnlessTaken(typed, WORK_FLAGS, own, descriptors, ({ work }) => work !== undefined);
  refuseUnlessTaken(typed, ['allow-experiments'], own, descriptors, ({ traits }) => traits.mayTry);
}

function refuseUnlessTaken(
  typed: TypedFlags,
  flags: readonly string[],
  own: KindDescriptor | undefined,
  descriptors: readonly KindDescriptor[],
  takes: (descriptor: KindDescriptor) => boolean,
): void {
  const taker = descriptors.find(takes);
  const given = own && takes(own) ? undefined : flags.find((flag) => typed[keyOf(flag)] !== undefined);
  if (given !== undefined && taker) throw foreign(given, taker);
}

function foreign(flag: string, { name, words }: KindDescriptor): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', otherKindsOption({ flag, about: plain(words.about), kind: name }));
}

/** Returns the typed options of a kind, as in search.json. */
export function kindChoices(
  typed: TypedFlags,
  { options }: KindDescriptor,
): { readonly options: Readonly<Record<string, OptionValue>>; readonly strategy?: string } {
  const given = options.flatMap((option) => {
    const values = option.hidden ? [] : namesOf(option).map(({ flag }) => typed[keyOf(flag)]);
    const value = values.find((each) => each !== undefined) as OptionValue | undefined;
    return value === undefined ? [] : [{ option, value }];
  });
  const strategy = given.find(({ option }) => option.field === 'strategy')?.value;
  const kept = given.filter(({ option }) => option.field === undefined);
  return {
    options: Object.fromEntries(kept.map(({ option, value }) => [option.name, value])),
    ...(strategy === undefined ? {} : { strategy: String(strategy) }),
  };
}

/** Returns a kind with only those options that also apply to a single run. */
export function perRunOf(descriptor: KindDescriptor): KindDescriptor {
  return { ...descriptor, options: descriptor.options.filter(({ perRun }) => perRun) };
}

/** Returns the names of an option's flags, without their dashes: that of now first. */
function namesOf({ name, flag, formerly }: OptionDescriptor): { readonly flag: string; readonly isFormer: boolean }[] {
  const dashed = (text: string): string => text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const former = formerly === undefined ? [] : [{ flag: dashed(formerly), isFormer: true }];
  return [{ flag: flag ?? dashed(name), isFormer: false }, ...former];
}

/** Commander's name for it: `judge-by` is `judgeBy`. */
function keyOf(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** For kinds without tasks. */
const NONE: OwnTasks = { findHooks: () => undefined, hooksName: undefined };

/** Options about tasks on the command line. They are not kept, so that a resume has to repeat them. */
export interface TaskFlags {
  /** The command that decides. */
  readonly check?: string;
  /** Time limit for one run of it, in seconds. */
  readonly checkTimeout?: number;
  /** The file with their own hooks. */
  readonly hooks?: string;
}

/** Their names, without the dashes. */
const TASK_FLAGS = ['check', 'check-timeout', 'hooks'] as const;

/** Adds them to a command; they apply to the kinds whose searches use hooks. */
export function addTaskOptions(command: Command, kinds: Kinds): Command {
  const takers = kinds.flatMap(({ descriptor }) => (descriptor.traits.takesHooks ? [descriptor.name] : []));
  if (takers.length === 0) return command;
  const of = takers.join(', ');
  return command
    .option(
      '--check <command>',
      `${of}: ${l10n.t('the command that accepts a solution by exiting with 0, as in "npm test"')}`,
    )
    .option(
      '--check-timeout <seconds>',
      `${of}: ${l10n.t('the longest it may take, in seconds (default: 60)')}`,
      number(0.001, 86_400),
    )
    .option('--hooks <file>', `${of}: ${l10n.t('a module outside the folder that exports a task of your own')}`);
}

/**
 * The tasks defined by these options. Typing the command is the consent to exactly that command: it runs without a
 * shell, in the folder that is searched.
 * @throws ThoughtTreeError `bad-input` if the command or the hooks cannot be used
 */
export async function tasksFrom(
  { check, checkTimeout, hooks }: TaskFlags,
  workspace: string,
  kindHooks: KindHooks | undefined,
): Promise<OwnTasks> {
  if (!kindHooks) return NONE;
  if (checkTimeout !== undefined && check === undefined) throw new ThoughtTreeError('bad-input', timeoutWithoutCheck());
  return await openOwnTasks({
    kindHooks,
    workspace,
    isTrusted: true,
    consent: async () => true,
    check: check === undefined ? undefined : commandWords(check),
    checkTimeoutMs: checkTimeout === undefined ? undefined : checkTimeout * 1000,
    hooks: hooks === undefined ? undefined : resolve(hooks),
  });
}

/**
 * The intended task: the named one, else the one that the other options are for.
 * @throws ThoughtTreeError `bad-input` if they contradict each other
 */
export function taskNamed(
  named: string | undefined,
  { check }: TaskFlags,
  { hooksName }: OwnTasks,
): string | undefined {
  const task = named ?? hooksName ?? (check === undefined ? undefined : COMMAND_TASK);
  if (task === COMMAND_TASK && check === undefined) throw new ThoughtTreeError('bad-input', checkNeeded());
  if (task !== COMMAND_TASK && check !== undefined)
    throw new ThoughtTreeError('bad-input', checkOfOtherTask({ own: COMMAND_TASK, task: task ?? '' }));
  if (hooksName !== undefined && task !== hooksName)
    throw new ThoughtTreeError('bad-input', hooksOfOtherTask({ own: hooksName, task: task ?? '' }));
  return task;
}

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
const WORK_FLAGS = ['plan', 'allow-commands', 'allow-network', 'mirror'] as const;

/** Adds them to a command; they apply to the kinds whose searches change files and run commands. */
export function addWorkOptions(command: Command, kinds: Kinds, isNew: boolean): Command {
  const takers = kinds.flatMap(({ descriptor }) => (descriptor.work ? [descriptor.name] : []));
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
  const takers = kinds.flatMap(({ descriptor }) => (descriptor.traits.mayTry ? [descriptor.name] : []));
  if (takers.length === 0) return command;
  const help = l10n.t('let its models run small programs on a copy of the folder, held in a sandbox without network');
  return command.option('--allow-experiments', `${takers.join(', ')}: ${help}`);
}

/** Adds the option for the file that other programs read while a search runs. */
export function addMirrorOption(command: Command, kinds: Kinds): Command {
  const takers = kinds.flatMap(({ descriptor }) => (descriptor.work ? [descriptor.name] : []));
  if (takers.length === 0) return command;
  const help = l10n.t('keep this state file true while the search runs, for the programs that read such files');
  return command.option('--mirror <file>', `${takers.join(', ')}: ${help}`);
}

/**
 * The plan in the file that this person names; undefined if they name none.
 * @throws ThoughtTreeError `bad-input` if there is no such file, `damaged` saying where it is wrong
 */
export async function planFrom({ plan: path }: WorkFlags, kind: Kind): Promise<GivenPlan | undefined> {
  if (path === undefined || !kind.extras.plans) return undefined;
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new ThoughtTreeError('bad-input', say.noFile({ file }));
  const name = basename(file);
  if (found.size > LARGEST_PLAN) throw new ThoughtTreeError('damaged', say.planTooLarge({ file: name }), { file });
  return kind.extras.plans.read(textOf(await readFile(file), name), name);
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ThoughtTreeError('damaged', say.planNotText({ file }), { file });
  }
}
