import { join } from 'node:path';
import type { Command } from 'commander';
import type { ActionCall } from '../../core/actions/action-call.ts';
import { type ActionFace, forPeople } from '../../core/actions/action-face.ts';
import { actionsOfAll } from '../../core/actions/actions.ts';
import { answerProblems } from '../../core/offers/answer-problems.ts';
import type { Model } from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine, withoutCommands } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { type ActionOutcome, type Actor, actOnSearch } from '../../searches/act-on-search.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import type { Place } from '../../searches/place.ts';
import { findNode } from '../../searches/reader/find-node.ts';
import { EXIT, type ExitCode, exitCodeOfError, exitCodeOfReason } from '../exit-codes.ts';
import { doIt, leftAsItIs, notRunning, sayWithYes, searchItself } from '../messages.ts';
import { namedModel } from '../options/environment.ts';
import { resumeCommand } from '../options/resume-command.ts';
import { placeOf, shownPath } from '../options/search-place.ts';
import { addWorkOptions } from '../options/work-options.ts';
import { askRows } from '../rows/offer-texts.ts';
import { askYes, canAsk } from '../running/ask-yes.ts';
import { openNamedModel } from '../running/open-run.ts';
import { renderRow } from '../terminal/row.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, kindText, l10n, ownTranslation } from '../terminal/translation.ts';
import { type ActionFlags, countOfPositions, describeAction, readTyped } from './action-arguments.ts';
import { askForConsent, resumeSearch } from './resume.ts';

/** A command for every action that the engine carries out. */
export function addActions(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  for (const face of forPeople(actionsOfAll(kinds.map((kind) => kind.face))).filter(({ isHosts }) => !isHosts)) {
    const command = program
      .command(face.name)
      .description(kindText(face.help))
      .argument('<dir>', l10n.t("the search's folder"));
    describeAction(command, face);
    if (face.waitsForRun) {
      command.option('--resume', l10n.t('continue the search afterwards, unless it is running'));
      addWorkOptions(command, kinds, false);
    }
    command.option('--json', l10n.t('{ok, message} as one line of JSON on stdout'));
    const positions = countOfPositions(face);
    command.action(async (dir: string, ...rest: unknown[]) => {
      const typed = rest.slice(0, positions).filter((arg): arg is string => typeof arg === 'string');
      end(await actFromTerminal(kinds, face, dir, typed, rest[positions] as ActionFlags));
    });
  }
}

async function actFromTerminal(
  kinds: Kinds,
  face: ActionFace,
  dir: string,
  typed: readonly string[],
  flags: ActionFlags,
): Promise<ExitCode> {
  try {
    const place = await placeOf(dir, flags.folder);
    const { named, args } = readTyped(face, typed, flags);
    const node = named === undefined ? undefined : await findNode(place.folder, named);
    if (node === '' && face.on === 'node') throw new ThoughtTreeError('bad-input', searchItself({ action: face.name }));
    const call = { action: face.name, ...(node === undefined ? {} : { node }), ...args };
    const outcome = await showAndAct(kinds, face, place, call, flags);
    const code = tell(outcome, face, place, flags);
    if (!outcome.ok || !outcome.isResting || !flags.resume) return code;
    return await resumeSearch(place, flags, kinds);
  } catch (error) {
    if (!flags.json || !isThoughtTreeError(error)) throw error;
    tellAsJson({ ok: false, reason: error.reason, message: error.message });
    return exitCodeOfError(error);
  }
}

/** The actor of this command: uses the named model, or the search's own once the person agrees to it. */
function actorFor(kinds: Kinds, place: Place, flags: ActionFlags): Actor {
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
  face: ActionFace,
  place: Place,
  call: ActionCall,
  flags: ActionFlags,
): Promise<ActionOutcome> {
  if (face.asksFirst !== true || call['dryRun'] === true || flags.yes)
    return actAndAsk(kinds, face, place, call, flags);
  const shown = await actAndAsk(kinds, face, place, { ...call, dryRun: true }, flags);
  if (!shown.ok) return shown;
  if (flags.json || !canAsk())
    return { ...shown, ok: false, reason: 'declined', say: sayWithYes({ question: shown.say }) };
  printText(shown);
  if (await askYes(oneLine(inWords(doIt({ what: shown.say })), 500))) return actAndAsk(kinds, face, place, call, flags);
  return { ...shown, ok: false, reason: 'declined', say: leftAsItIs() };
}

/** Asks the person before replacing a document that they edited. */
async function actAndAsk(
  kinds: Kinds,
  face: ActionFace,
  place: Place,
  call: ActionCall,
  flags: ActionFlags,
): Promise<ActionOutcome> {
  const actor = actorFor(kinds, place, flags);
  const outcome = await actOnSearch(place, call, actor);
  // Those that ask first have asked, and replace nothing that a person edited.
  if (outcome.ok || outcome.reason !== 'edited' || face.asksFirst) return outcome;
  if (flags.json || !canAsk()) return { ...outcome, say: sayWithYes({ question: outcome.say }) };
  if (await askYes(oneLine(inWords(outcome.say), 500))) return actOnSearch(place, { ...call, force: true }, actor);
  return { ...outcome, say: leftAsItIs() };
}

function tell(outcome: ActionOutcome, face: ActionFace, place: Place, flags: ActionFlags): ExitCode {
  const { ok, say, value, reason, problems, isResting } = outcome;
  const message = say.text;
  const resume = ok && isResting && face.waitsForRun && !flags.resume ? resumeCommand(place, flags) : undefined;
  const { out, err } = terminalOf(process);
  const wrong = problems?.map(({ offer, reason: word, say: why }) => ({ offer, reason: word, message: why.text }));
  const result = ok ? { value } : { reason, ...(wrong && { problems: wrong }) };
  if (flags.json) tellAsJson({ ok, ...result, message, ...(resume === undefined ? {} : { resume }) });
  else if (!ok) {
    err.line(`thought-tree: ${oneLine(inWords(say), 2000)}`);
    for (const each of answerProblems(problems)) err.line(`  ${oneLine(inWords(each), 2000)}`);
  } else {
    if (face.prints && (!face.asksFirst || flags['dryRun'])) printText(outcome);
    out.line(oneLine(inWords(say), 2000));
    for (const row of askRows(value)) out.line(renderRow(row, Number.POSITIVE_INFINITY, out.palette));
    if (isResting && face.asksModel) out.line(`  ${shownPath(join(place.folder, 'report.md'))}`);
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
