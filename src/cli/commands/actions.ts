import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { ActionCall } from '../../core/actions/action-call.ts';
import { type ActionDescriptor, type ArgDescriptor, forPeople } from '../../core/actions/action-descriptor.ts';
import { actionsOfAll } from '../../core/actions/actions.ts';
import { notJson } from '../../core/actions/messages.ts';
import { answerProblems } from '../../core/offers/verdict.ts';
import type { Model } from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { isTooDeep } from '../../core/text/loose-json.ts';
import { oneLine, withoutCommands } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { type ActionOutcome, type Actor, actOnSearch } from '../../searches/act-on-search.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import type { Place } from '../../searches/place.ts';
import { findNode } from '../../searches/reader/find-node.ts';
import { openForReading } from '../../store/open-store.ts';
import { momentIn } from '../../store/past/moment.ts';
import { EXIT, type ExitCode, exitCodeOfError, exitCodeOfReason } from '../exit-codes.ts';
import * as say from '../messages.ts';
import { doIt, leftAsItIs, notRunning, sayWithYes, searchItself } from '../messages.ts';
import { addWorkOptions, type WorkFlags } from '../options/kind-options.ts';
import {
  addLimitOptions,
  addModelOptions,
  limitsFrom,
  namedModel,
  number,
  placeOf,
  type SearchFlags,
  shownPath,
  wholeNumber,
} from '../options/options.ts';
import { resumeCommand } from '../options/resume-command.ts';
import { askRows } from '../rows/texts.ts';
import { askYes, canAsk } from '../running/consent.ts';
import { openNamedModel } from '../running/open-run.ts';
import { renderRow, terminalOf } from '../terminal/terminal.ts';
import { inWords, kindText, l10n, ownTranslation } from '../terminal/translation.ts';
import { askForConsent, resumeSearch } from './resume.ts';

/** A command for every action that the engine carries out. */
export function addActions(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  for (const descriptor of forPeople(actionsOfAll(kinds.map((kind) => kind.descriptor))).filter(
    ({ isHosts }) => !isHosts,
  )) {
    const command = program
      .command(descriptor.name)
      .description(kindText(descriptor.help))
      .argument('<dir>', l10n.t("the search's folder"));
    describeAction(command, descriptor);
    if (descriptor.waitsForRun) {
      command.option('--resume', l10n.t('continue the search afterwards, unless it is running'));
      addWorkOptions(command, kinds, false);
    }
    command.option('--json', l10n.t('{ok, message} as one line of JSON on stdout'));
    const positions = countOfPositions(descriptor);
    command.action(async (dir: string, ...rest: unknown[]) => {
      const typed = rest.slice(0, positions).filter((arg): arg is string => typeof arg === 'string');
      end(await actFromTerminal(kinds, descriptor, dir, typed, rest[positions] as ActionFlags));
    });
  }
}

async function actFromTerminal(
  kinds: Kinds,
  descriptor: ActionDescriptor,
  dir: string,
  typed: readonly string[],
  flags: ActionFlags,
): Promise<ExitCode> {
  try {
    const place = await placeOf(dir, flags.folder);
    if (descriptor.name === 'report' && momentIn(place.folder)) return await showReport(place.folder);
    const { named, args } = readTyped(descriptor, typed, flags);
    const node = named === undefined ? undefined : await findNode(place.folder, named);
    if (node === '' && descriptor.on === 'node')
      throw new ThoughtTreeError('bad-input', searchItself({ action: descriptor.name }));
    const call = { action: descriptor.name, ...(node === undefined ? {} : { node }), ...args };
    const outcome = await showAndAct(kinds, descriptor, place, call, flags);
    const code = tell(outcome, descriptor, place, flags);
    if (!outcome.ok || !outcome.isResting || !flags.resume) return code;
    return await resumeSearch(place, flags, kinds);
  } catch (error) {
    if (!flags.json || !isThoughtTreeError(error)) throw error;
    tellAsJson({ ok: false, reason: error.reason, message: error.message });
    return exitCodeOfError(error);
  }
}

/** Returns the report of a search as it was; it is not written again. */
async function showReport(folder: string): Promise<ExitCode> {
  const report = await (await openForReading(folder)).readReport();
  if (report === undefined) throw new ThoughtTreeError('not-found', say.noReportThen());
  const { out } = terminalOf(process);
  out.line(report.trimEnd());
  await out.drained();
  return EXIT.finished;
}

/** The actor of this command: uses the named model, or the search's own once the person agrees to it. */
export function actorFor(kinds: Kinds, place: Place, flags: SearchFlags): Actor {
  const env = readEnvironment(process.env);
  const openModel = async (name: string, trusted: boolean): Promise<Model> => {
    if (!trusted) await askForConsent(name);
    return openNamedModel(name, { place, flags, env });
  };
  return { kinds, by: 'terminal', named: namedModel(flags, env), openModel, translation: ownTranslation() };
}

/** Shows a person what would happen, and asks; with --yes, or where only that is wanted, it is done at once. */
async function showAndAct(
  kinds: Kinds,
  descriptor: ActionDescriptor,
  place: Place,
  call: ActionCall,
  flags: ActionFlags,
): Promise<ActionOutcome> {
  if (descriptor.asksFirst !== true || call['dryRun'] === true || flags.yes)
    return actAndAsk(kinds, descriptor, place, call, flags);
  const shown = await actAndAsk(kinds, descriptor, place, { ...call, dryRun: true }, flags);
  if (!shown.ok) return shown;
  if (flags.json || !canAsk())
    return { ...shown, ok: false, reason: 'declined', say: sayWithYes({ question: shown.say }) };
  printText(shown);
  if (await askYes(oneLine(inWords(doIt({ what: shown.say })), 500)))
    return actAndAsk(kinds, descriptor, place, call, flags);
  return { ...shown, ok: false, reason: 'declined', say: leftAsItIs() };
}

/** Asks the person before replacing a document that they edited. */
async function actAndAsk(
  kinds: Kinds,
  descriptor: ActionDescriptor,
  place: Place,
  call: ActionCall,
  flags: ActionFlags,
): Promise<ActionOutcome> {
  const actor = actorFor(kinds, place, flags);
  const outcome = await actOnSearch(place, call, actor);
  // Those that ask first have asked, and replace nothing that a person edited.
  if (outcome.ok || outcome.reason !== 'edited' || descriptor.asksFirst) return outcome;
  if (flags.json || !canAsk()) return { ...outcome, say: sayWithYes({ question: outcome.say }) };
  if (await askYes(oneLine(inWords(outcome.say), 500))) return actOnSearch(place, { ...call, force: true }, actor);
  return { ...outcome, say: leftAsItIs() };
}

function tell(outcome: ActionOutcome, descriptor: ActionDescriptor, place: Place, flags: ActionFlags): ExitCode {
  const { ok, say, value, reason, problems, isResting } = outcome;
  const message = say.text;
  const resume = ok && isResting && descriptor.waitsForRun && !flags.resume ? resumeCommand(place, flags) : undefined;
  const { out, err } = terminalOf(process);
  const wrong = problems?.map(({ offer, reason: word, say: why }) => ({ offer, reason: word, message: why.text }));
  const result = ok ? { value } : { reason, ...(wrong && { problems: wrong }) };
  if (flags.json) tellAsJson({ ok, ...result, message, ...(resume === undefined ? {} : { resume }) });
  else if (!ok) {
    err.line(`thought-tree: ${oneLine(inWords(say), 2000)}`);
    for (const each of answerProblems(problems)) err.line(`  ${oneLine(inWords(each), 2000)}`);
  } else {
    if (descriptor.prints && (!descriptor.asksFirst || flags['dryRun'])) printText(outcome);
    out.line(oneLine(inWords(say), 2000));
    for (const row of askRows(value)) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
    if (isResting && descriptor.asksModel) out.line(`  ${shownPath(join(place.folder, 'report.md'))}`);
    if (resume !== undefined) out.line(`${inWords(notRunning())}\n  ${resume}`);
  }
  return ok ? EXIT.finished : exitCodeOfReason(reason ?? '');
}

/** Prints what an action found, for people to read, without anything that a terminal would carry out. */
function printText({ value }: ActionOutcome): void {
  const text = (value as { readonly text?: unknown } | undefined)?.text;
  if (typeof text === 'string' && text !== '') terminalOf(process).out.line(withoutCommands(text).trimEnd());
}

function tellAsJson(said: object): void {
  terminalOf(process).out.line(JSON.stringify(said));
}

/** Options of these commands; those of single actions under their command-line names. */
type ActionFlags = SearchFlags &
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
function describeAction(command: Command, descriptor: ActionDescriptor): void {
  const own = OWN_FORMS[descriptor.name];
  for (const [syntax, about] of positionsOf(descriptor)) command.argument(syntax, about);
  if (own?.usage !== undefined) command.usage(own.usage);
  else if (canLeaveOutNode(descriptor))
    command.usage(`DIR [NODE] "${textsOf(descriptor)[0]?.name.toUpperCase()}" [options]`);
  if (own?.addOptions) own.addOptions(command);
  else for (const arg of optionsOf(descriptor)) command.addOption(optionFor(arg));
  if (descriptor.asksFirst) command.option('--yes', l10n.t('without asking'));
  if (descriptor.asksModel) addModelOptions(command);
}

/** Returns the number of positional arguments after the search's folder. */
function countOfPositions(descriptor: ActionDescriptor): number {
  return positionsOf(descriptor).length;
}

/**
 * Parses the command line: the node as named by the person, and the arguments of the action.
 * @throws ThoughtTreeError `bad-input` if something is missing or too long
 */
function readTyped(
  descriptor: ActionDescriptor,
  typed: readonly string[],
  flags: ActionFlags,
): { named?: string; args: Args } {
  const texts = textsOf(descriptor);
  const hasNode = descriptor.on !== 'search' && typed.length > (canLeaveOutNode(descriptor) ? texts.length : 0);
  const [named] = hasNode ? typed : [];
  const rest = hasNode ? typed.slice(1) : typed;
  const args: Record<string, unknown> = { ...(OWN_FORMS[descriptor.name]?.read ?? optionValues(descriptor))(flags) };
  for (const [index, arg] of texts.entries()) args[arg.name] = checkedText(descriptor, arg, rest[index] ?? '');
  return { ...(named === undefined ? {} : { named }), args };
}

function positionsOf(descriptor: ActionDescriptor): (readonly [syntax: string, about: string])[] {
  const texts = textsOf(descriptor).map(({ name }) => [`<${name}>`, l10n.t('in quotation marks')] as const);
  if (descriptor.on === 'search') return texts;
  const own = OWN_FORMS[descriptor.name]?.node;
  if (own) return [[own[0], own[1]()], ...texts];
  if (!canLeaveOutNode(descriptor)) return [[descriptor.on === 'both' ? '[node]' : '<node>', aboutNode()], ...texts];
  const [name] = texts.map(([syntax]) => syntax.slice(1, -1));
  return [
    [`<node-or-${name}>`, inWords(say.nodeOrWhole({ what: (name === 'text' ? descriptor.name : name) ?? '' }))],
    ...texts.map(([syntax, about]) => [`[${syntax.slice(1, -1)}]`, about] as const),
  ];
}

/** Tells whether a node may be omitted before a text, so that the first word is either of them. */
function canLeaveOutNode(descriptor: ActionDescriptor): boolean {
  return descriptor.on === 'both' && textsOf(descriptor).length > 0 && OWN_FORMS[descriptor.name]?.node === undefined;
}

function textsOf({ args }: ActionDescriptor): ArgDescriptor[] {
  return args.filter(({ type, required }) => type === 'text' && required);
}

function optionsOf(descriptor: ActionDescriptor): ArgDescriptor[] {
  const texts = new Set(textsOf(descriptor));
  return descriptor.args.filter((arg) => !texts.has(arg));
}

function optionFor({ name, type, required, help, choices, least, most }: ArgDescriptor): Option {
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

function optionValues(descriptor: ActionDescriptor): (flags: ActionFlags) => Args {
  return (flags) =>
    Object.fromEntries(
      optionsOf(descriptor).flatMap(({ name }) => (flags[name] === undefined ? [] : [[name, flags[name]] as const])),
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

function checkedText({ name }: ActionDescriptor, arg: ArgDescriptor, text: string): string {
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
