import { join } from 'node:path';
import type { Command } from 'commander';
import type { ActionFace } from '../../core/actions/action-face.ts';
import { actionsOfAll } from '../../core/actions/actions.ts';
import type { Model } from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import type { SteerAction } from '../../core/search/steer.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kinds.ts';
import type { Place } from '../../searches/place.ts';
import { findNode } from '../../searches/reader/find-node.ts';
import { type Steered, type Steersman, steerSearch } from '../../searches/steer-search.ts';
import { EXIT, type ExitCode, exitCodeOfError, exitCodeOfReason } from '../exit-codes.ts';
import { leftAsItIs, sayWithYes, searchItself } from '../messages.ts';
import { namedModel, readEnvironment } from '../options/environment.ts';
import { resumeCommand } from '../options/resume-command.ts';
import { placeOf, shownPath } from '../options/search-place.ts';
import { askYes, canAsk } from '../running/ask-yes.ts';
import { openNamedModel } from '../running/open-run.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import { askForConsent } from './resume.ts';
import { countOfPositions, describeAction, readTyped, type SteerFlags } from './steering-actions.ts';

/** A command for every action that the engine carries out. */
export function addSteering(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  for (const face of Object.values(actionsOfAll(kinds.map((kind) => kind.face))).filter(({ isHosts }) => !isHosts)) {
    const command = program.command(face.name).description(face.help).argument('<dir>', "the search's folder");
    describeAction(command, face);
    command.option('--json', '{ok, message} as one line of JSON on stdout');
    const positions = countOfPositions(face);
    command.action(async (dir: string, ...rest: unknown[]) => {
      const typed = rest.slice(0, positions).filter((arg): arg is string => typeof arg === 'string');
      end(await steerFromTerminal(kinds, face, dir, typed, rest[positions] as SteerFlags));
    });
  }
}

async function steerFromTerminal(
  kinds: Kinds,
  face: ActionFace,
  dir: string,
  typed: readonly string[],
  flags: SteerFlags,
): Promise<ExitCode> {
  try {
    const place = await placeOf(dir, flags.folder);
    const { named, args } = readTyped(face, typed, flags);
    const node = named === undefined ? undefined : await findNode(place.folder, named);
    if (node === '' && face.on === 'node') throw new ThoughtTreeError('bad-input', searchItself({ action: face.name }));
    const action = { action: face.name, ...(node === undefined ? {} : { node }), ...args } as SteerAction;
    const steered = await steerAndAsk(kinds, place, action, flags);
    return tell(steered, face, place, flags);
  } catch (error) {
    if (!flags.json || !isThoughtTreeError(error)) throw error;
    tellAsJson({ ok: false, reason: error.reason, message: error.message });
    return exitCodeOfError(error);
  }
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
  if (flags.json || !canAsk()) return { ...steered, say: sayWithYes({ question: steered.say }) };
  if (await askYes(oneLine(inWords(steered.say), 500)))
    return steerSearch(place, { ...action, force: true }, steersman);
  return { ...steered, say: leftAsItIs() };
}

function tell(steered: Steered, face: ActionFace, place: Place, flags: SteerFlags): ExitCode {
  const { ok, reason, isResting } = steered;
  const message = steered.say.text;
  const resume = ok && isResting && face.waitsForRun ? resumeCommand(place, flags) : undefined;
  const { out, err } = terminalOf(process);
  if (flags.json) tellAsJson({ ok, ...(ok ? {} : { reason }), message, ...(resume === undefined ? {} : { resume }) });
  else if (!ok) err.line(`thought-tree: ${oneLine(inWords(steered.say), 2000)}`);
  else {
    out.line(oneLine(inWords(steered.say), 2000));
    if (isResting && face.asksModel) out.line(`  ${shownPath(join(place.folder, 'report.md'))}`);
    if (resume !== undefined) out.line(`The search is not running. To go on:\n  ${resume}`);
  }
  return ok ? EXIT.finished : exitCodeOfReason(reason ?? '');
}

function tellAsJson(said: object): void {
  terminalOf(process).out.line(JSON.stringify(said));
}
