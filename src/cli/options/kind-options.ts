import { type Command, Option } from 'commander';
import type { KindFace, OptionFace, OptionValue } from '../../core/kind/kind-face.ts';
import { plain } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { otherKindsOption } from '../messages.ts';
import { kindText } from '../terminal/translation.ts';
import { number, wholeNumber } from './options.ts';
import { TASK_FLAGS } from './task-options.ts';
import { WORK_FLAGS } from './work-options.ts';

/** The typed options, by commander's names. */
export type TypedFlags = Readonly<Record<string, unknown>>;

/** One flag, and the options it represents: one for each kind that has it. */
interface KindFlag {
  readonly flag: string;
  readonly of: { readonly face: KindFace; readonly option: OptionFace }[];
}

/** Adds the options of kinds to a command, as their faces describe them. */
export function addKindOptions(command: Command, faces: readonly KindFace[]): Command {
  for (const { flag, of } of flagsOf(faces)) {
    const [first] = of;
    if (!first) continue;
    const about = of.map(({ face, option }) => `${face.name}: ${kindText(option.help)}`).join('; ');
    command.addOption(flagFor(flag, first.option, about, of));
  }
  return command;
}

function flagFor(flag: string, option: OptionFace, about: string, of: KindFlag['of']): Option {
  if (option.type === 'boolean') return new Option(`--${flag}`, about);
  const made = new Option(`--${flag} <${option.value ?? 'value'}>`, about);
  const options = of.map((each) => each.option);
  if (option.type === 'choice') return made.choices([...new Set(options.flatMap(({ choices = [] }) => choices))]);
  if (option.type === 'name' || option.type === 'text') return made;
  const least = Math.min(...options.map((each) => each.least ?? 0));
  const most = Math.max(...options.map((each) => each.most ?? Number.MAX_SAFE_INTEGER));
  return made.argParser(option.type === 'integer' ? wholeNumber(least, most) : number(least, most));
}

function flagsOf(faces: readonly KindFace[]): KindFlag[] {
  const flags = new Map<string, KindFlag>();
  for (const face of faces)
    for (const option of face.options) {
      if (option.hidden) continue;
      const flag = flagOf(option);
      const known = flags.get(flag) ?? { flag, of: [] };
      known.of.push({ face, option });
      flags.set(flag, known);
    }
  return [...flags.values()];
}

/** @throws ThoughtTreeError `bad-input` if an option was given that the kind of the search does not have */
export function refuseForeignOptions(typed: TypedFlags, kinds: Kinds, own: KindFace | undefined): void {
  const faces = kinds.map(({ face }) => face);
  const isOwn = ({ of }: KindFlag): boolean => of.some(({ face }) => face.name === own?.name);
  for (const each of flagsOf(faces)) {
    const [first] = each.of;
    if (first && !isOwn(each) && typed[keyOf(each.flag)] !== undefined) throw foreign(each.flag, first.face);
  }
  refuseUnlessTaken(typed, TASK_FLAGS, own, faces, ({ takesHooks }) => takesHooks);
  refuseUnlessTaken(typed, WORK_FLAGS, own, faces, ({ takesWork }) => takesWork);
  refuseUnlessTaken(typed, ['allow-experiments'], own, faces, ({ mayTry }) => mayTry);
}

function refuseUnlessTaken(
  typed: TypedFlags,
  flags: readonly string[],
  own: KindFace | undefined,
  faces: readonly KindFace[],
  takes: (face: KindFace) => true | undefined,
): void {
  const taker = faces.find(takes);
  const given = own && takes(own) ? undefined : flags.find((flag) => typed[keyOf(flag)] !== undefined);
  if (given !== undefined && taker) throw foreign(given, taker);
}

function foreign(flag: string, { name, words }: KindFace): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', otherKindsOption({ flag, about: plain(words.about), kind: name }));
}

/** The typed options of a kind, as in search.json. */
export function kindChoices(
  typed: TypedFlags,
  { options }: KindFace,
): { readonly options: Readonly<Record<string, OptionValue>>; readonly strategy?: string } {
  const given = options.flatMap((option) => {
    const value = option.hidden ? undefined : (typed[keyOf(flagOf(option))] as OptionValue | undefined);
    return value === undefined ? [] : [{ option, value }];
  });
  const strategy = given.find(({ option }) => option.field === 'strategy')?.value;
  const kept = given.filter(({ option }) => option.field === undefined);
  return {
    options: Object.fromEntries(kept.map(({ option, value }) => [option.name, value])),
    ...(strategy === undefined ? {} : { strategy: String(strategy) }),
  };
}

/** A kind with only those options that also apply to a single run. */
export function perRunOf(face: KindFace): KindFace {
  return { ...face, options: face.options.filter(({ perRun }) => perRun) };
}

/** The name of an option's flag, without its dashes. */
function flagOf({ name, flag }: OptionFace): string {
  return flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Commander's name for it: `judge-by` is `judgeBy`. */
function keyOf(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
