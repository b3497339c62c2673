import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { ActionFace, ArgFace } from '../../core/actions/action-face.ts';
import { notJson } from '../../core/actions/messages.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isTooDeep } from '../../core/text/nesting.ts';
import * as say from '../messages.ts';
import {
  addLimitOptions,
  addModelOptions,
  limitsFrom,
  number,
  type SearchFlags,
  wholeNumber,
} from '../options/options.ts';
import type { WorkFlags } from '../options/work-options.ts';
import { inWords, kindText, l10n } from '../terminal/translation.ts';

/** Options of these commands; those of single actions under their command-line names. */
export type ActionFlags = SearchFlags &
  WorkFlags & { readonly yes?: boolean; readonly resume?: boolean } & Readonly<Record<string, unknown>>;

/** The arguments of an action, as typed. */
type Args = Readonly<Record<string, unknown>>;

const aboutNode = (): string => l10n.t('slug path, path on disk or title');

/** The form in which an action is typed, if that does not follow from its arguments. */
interface OwnForm {
  readonly usage?: string;
  /** The name of the node argument, and its description. */
  readonly node?: readonly [syntax: string, about: () => string];
  readonly addOptions?: (command: Command) => Command;
  readonly read?: (flags: ActionFlags) => Args;
}

const OWN_FORMS: Readonly<Record<string, OwnForm>> = {
  add: {
    usage: 'DIR PARENT "TITLE" [options]',
    node: ['<parent>', () => l10n.t('slug path, path on disk or title; . for the first level')],
  },
  grow: { addOptions: addLimitOptions, read: readLimits },
  redo: {
    addOptions: (command) => command.option('--yes', l10n.t('even if you edited the document')),
    read: ({ yes }) => (yes ? { force: true } : {}),
  },
};

/** Describes an action's arguments in a command's help. */
export function describeAction(command: Command, face: ActionFace): void {
  const own = OWN_FORMS[face.name];
  for (const [syntax, about] of positionsOf(face)) command.argument(syntax, about);
  if (own?.usage !== undefined) command.usage(own.usage);
  else if (canLeaveOutNode(face)) command.usage(`DIR [NODE] "${textsOf(face)[0]?.name.toUpperCase()}" [options]`);
  if (own?.addOptions) own.addOptions(command);
  else for (const arg of optionsOf(face)) command.addOption(optionFor(arg));
  if (face.asksFirst) command.option('--yes', l10n.t('without asking'));
  if (face.asksModel) addModelOptions(command);
}

/** The number of positional arguments after the search's folder. */
export function countOfPositions(face: ActionFace): number {
  return positionsOf(face).length;
}

/**
 * Parses the command line: the node as named by the person, and the arguments of the action.
 * @throws ThoughtTreeError `bad-input` if something is missing or too long
 */
export function readTyped(
  face: ActionFace,
  typed: readonly string[],
  flags: ActionFlags,
): { named?: string; args: Args } {
  const texts = textsOf(face);
  const hasNode = face.on !== 'search' && typed.length > (canLeaveOutNode(face) ? texts.length : 0);
  const [named] = hasNode ? typed : [];
  const rest = hasNode ? typed.slice(1) : typed;
  const args: Record<string, unknown> = { ...(OWN_FORMS[face.name]?.read ?? optionValues(face))(flags) };
  for (const [index, arg] of texts.entries()) args[arg.name] = checkedText(face, arg, rest[index] ?? '');
  return { ...(named === undefined ? {} : { named }), args };
}

function positionsOf(face: ActionFace): (readonly [syntax: string, about: string])[] {
  const texts = textsOf(face).map(({ name }) => [`<${name}>`, l10n.t('in quotation marks')] as const);
  if (face.on === 'search') return texts;
  const own = OWN_FORMS[face.name]?.node;
  if (own) return [[own[0], own[1]()], ...texts];
  if (!canLeaveOutNode(face)) return [[face.on === 'both' ? '[node]' : '<node>', aboutNode()], ...texts];
  const [name] = texts.map(([syntax]) => syntax.slice(1, -1));
  return [
    [`<node-or-${name}>`, inWords(say.nodeOrWhole({ what: (name === 'text' ? face.name : name) ?? '' }))],
    ...texts.map(([syntax, about]) => [`[${syntax.slice(1, -1)}]`, about] as const),
  ];
}

/** Tells whether a node may be omitted before a text, so that the first word is either of them. */
function canLeaveOutNode(face: ActionFace): boolean {
  return face.on === 'both' && textsOf(face).length > 0 && OWN_FORMS[face.name]?.node === undefined;
}

function textsOf({ args }: ActionFace): ArgFace[] {
  return args.filter(({ type, required }) => type === 'text' && required);
}

function optionsOf(face: ActionFace): ArgFace[] {
  const texts = new Set(textsOf(face));
  return face.args.filter((arg) => !texts.has(arg));
}

function optionFor({ name, type, required, help, choices, least, most }: ArgFace): Option {
  const flag = `--${flagOf(name)}`;
  const option = new Option(
    type === 'boolean' ? flag : `${flag} <${type === 'json' ? 'json' : 'value'}>`,
    kindText(help),
  );
  if (choices) option.choices(choices);
  if (type === 'integer') option.argParser(wholeNumber(least ?? 0, most));
  if (type === 'number') option.argParser(number(least ?? 0, most));
  if (type === 'json') option.argParser(readJson);
  return required ? option.makeOptionMandatory() : option;
}

function optionValues(face: ActionFace): (flags: ActionFlags) => Args {
  return (flags) =>
    Object.fromEntries(
      optionsOf(face).flatMap(({ name }) => (flags[name] === undefined ? [] : [[name, flags[name]] as const])),
    );
}

function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** @param text `-` to read standard input */
function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text === '-' ? readFileSync(process.stdin.fd, 'utf8') : text);
  } catch {
    throw new ThoughtTreeError('bad-input', notJson());
  }
  if (isTooDeep(value)) throw new ThoughtTreeError('bad-input', notJson());
  return value;
}

function checkedText({ name }: ActionFace, arg: ArgFace, text: string): string {
  const what = name === 'note' ? 'note' : name === 'add' ? 'node' : name;
  if (text.trim() === '') throw new ThoughtTreeError('bad-input', say.textNeeded({ what, part: arg.name }));
  if (arg.most === undefined || text.length <= arg.most) return text;
  if (name === 'add') return text.slice(0, arg.most);
  const { most } = arg;
  throw new ThoughtTreeError(
    'bad-input',
    name === 'note' ? say.noteTooLong({ most }) : say.textTooLong({ what, most }),
  );
}

function readLimits(flags: ActionFlags): Args {
  const { guards = {}, ...others } = limitsFrom(flags);
  if (Object.keys(guards).length + Object.keys(others).length === 0)
    throw new ThoughtTreeError('bad-input', say.limitNeeded());
  return { ...others, guards };
}
