import { join } from 'node:path';
import type { Command } from 'commander';
import type { Model } from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import type { SteerAction } from '../../core/search/steer.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kinds.ts';
import type { Place } from '../../searches/place.ts';
import { type Steered, type Steersman, steerSearch } from '../../searches/steer-search.ts';
import { EXIT, type ExitCode, exitCodeOfError, exitCodeOfReason } from '../exit-codes.ts';
import { namedModel, readEnvironment } from '../options/environment.ts';
import { addLimitOptions, addModelOptions } from '../options/options.ts';
import { resumeCommand } from '../options/resume-command.ts';
import { placeOf, shownPath } from '../options/search-place.ts';
import { findNode } from '../rows/find-node.ts';
import { askYes, canAsk } from '../running/ask-yes.ts';
import { openNamedModel } from '../running/open-run.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { askForConsent } from './resume.ts';
import { STEERING_ACTIONS, type SteerFlags, type SteeringAction } from './steering-actions.ts';

/** `pause`, `finish`, `report`, `grow`, `prune`, `restore`, `expand`, `retry`, `redo`, `add`, `note`. */
export function addSteering(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  for (const each of STEERING_ACTIONS) {
    const command = program.command(each.name).description(each.about).argument('<dir>', "the search's folder");
    if (each.usage !== undefined) command.usage(each.usage);
    for (const { syntax, about } of each.args) command.argument(syntax, about);
    addOptions(command, each);
    command.action(async (dir: string, ...rest: unknown[]) => {
      const args = rest.slice(0, each.args.length).filter((arg): arg is string => typeof arg === 'string');
      end(await steerFromTerminal(kinds, each, dir, args, rest[each.args.length] as SteerFlags));
    });
  }
}

function addOptions(command: Command, { options }: SteeringAction): void {
  if (options === 'now') command.option('--now', 'stop what is under way; it counts, and is open again');
  if (options === 'yes') command.option('--yes', 'also where you edited the document');
  if (options === 'limits') addLimitOptions(command);
  if (options === 'model') addModelOptions(command);
  command.option('--json', '{ok, message} as one line of JSON on stdout');
}

async function steerFromTerminal(
  kinds: Kinds,
  command: SteeringAction,
  dir: string,
  args: readonly string[],
  flags: SteerFlags,
): Promise<ExitCode> {
  try {
    const place = await placeOf(dir, flags.folder);
    const action = await command.action(args, flags, (named) => findNode(place.folder, named));
    refuseSearchItself(action);
    const steered = await steerAndAsk(kinds, place, action, flags);
    return tell(steered, command, place, flags);
  } catch (error) {
    if (!flags.json || !isThoughtTreeError(error)) throw error;
    tellAsJson({ ok: false, reason: error.reason, message: error.message });
    return exitCodeOfError(error);
  }
}

/** What is done to a node is not done to the whole search. */
function refuseSearchItself(action: SteerAction): void {
  if (!('node' in action) || action.node !== '') return;
  if (action.action === 'add' || action.action === 'note' || action.action === 'retry') return;
  throw new ThoughtTreeError('bad-input', `That is the search itself. Name a node to ${action.action}.`);
}

/** Who steers from here: with the model that is named, or the search's own once the person agrees to it. */
function steersmanFor(kinds: Kinds, place: Place, flags: SteerFlags): Steersman {
  const env = readEnvironment(process.env);
  const openModel = async (name: string, trusted: boolean): Promise<Model> => {
    if (!trusted) await askForConsent(name);
    return openNamedModel(name, { place, flags, env });
  };
  return { kinds, by: 'terminal', named: namedModel(flags, env), openModel };
}

/** Asks the person where a document that they edited would be replaced. */
async function steerAndAsk(kinds: Kinds, place: Place, action: SteerAction, flags: SteerFlags): Promise<Steered> {
  const steersman = steersmanFor(kinds, place, flags);
  const steered = await steerSearch(place, action, steersman);
  if (steered.ok || steered.reason !== 'edited' || action.action !== 'redo') return steered;
  if (flags.json || !canAsk()) return { ...steered, message: `${steered.message} Say so with --yes.` };
  if (await askYes(oneLine(steered.message, 500))) return steerSearch(place, { ...action, force: true }, steersman);
  return { ...steered, message: 'It is left as it is.' };
}

function tell(steered: Steered, command: SteeringAction, place: Place, flags: SteerFlags): ExitCode {
  const { ok, message, reason, isResting } = steered;
  const resume = ok && isResting && command.waitsForResume ? resumeCommand(place, flags) : undefined;
  const { out, err } = terminalOf(process);
  if (flags.json) tellAsJson({ ok, ...(ok ? {} : { reason }), message, ...(resume === undefined ? {} : { resume }) });
  else if (!ok) err.line(`thought-tree: ${oneLine(message, 2000)}`);
  else {
    out.line(oneLine(message, 2000));
    if (isResting && command.options === 'model') out.line(`  ${shownPath(join(place.folder, 'report.md'))}`);
    if (resume !== undefined) out.line(`The search is not running. To go on:\n  ${resume}`);
  }
  return ok ? EXIT.finished : exitCodeOfReason(reason ?? '');
}

function tellAsJson(said: object): void {
  terminalOf(process).out.line(JSON.stringify(said));
}
