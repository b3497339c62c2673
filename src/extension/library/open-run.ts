import * as vscode from 'vscode';
import { foreign, type Message } from '../../core/messages/message.ts';
import { highestUsd } from '../../core/money/figures.ts';
import type { Model } from '../../core/ports/model.ts';
import type { Experiment } from '../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { agentReads } from '../../searches/messages.ts';
import { memberNames } from '../../searches/models/choose-model.ts';
import type { OpenedSearch, Sent } from '../../searches/open-search.ts';
import { shownLine } from '../../work/shown.ts';
import { hooksFor } from '../commands/task-hooks.ts';
import { showText } from '../documents/open-document.ts';
import { figures, forecastWords } from '../figures.ts';
import type { OpenFleet, WindowFleet } from '../fleet/open-fleet.ts';
import { loadSearches } from '../load-searches.ts';
import { editorTranslation, messageText, withoutLinks } from '../message-text.ts';
import { notBegun } from '../messages.ts';
import type { ModelOpener, Recording } from '../models/model-opener.ts';
import { limitsFor, ownReading, settingsFor } from '../settings.ts';
import type { RunRequest } from './run-request.ts';

/** The parts that open runs: everything that a person decides about a run before it begins. */
export interface RunOpening {
  readonly kinds: Kinds;
  readonly models: ModelOpener;
  /** The fleet that makes a run's calls, if the settings name one. */
  readonly openFleet: OpenFleet;
  /** Tells whether a person agreed to the forecast of such a run earlier; asked once. */
  readonly wasAgreed: (request: RunRequest) => boolean;
}

/** A search that is open for work, and the fleet that makes its calls, if any. */
export interface OpenedRun {
  readonly opened: OpenedSearch;
  readonly fleet: WindowFleet | undefined;
}

/**
 * Opens a search as this person's settings, keys and answers say.
 * @param file its search.json, if it is known
 * @throws ThoughtTreeError `held`, `key-refused`, `unknown-model`, `not-writable` and other errors of opening
 */
export async function openRun(
  opening: RunOpening,
  request: RunRequest,
  file: SearchFile | undefined,
): Promise<OpenedRun> {
  const { kinds, openFleet } = opening;
  const { place } = request;
  const searches = await loadSearches();
  const findHooks = await hooksFor(kinds, file, place.workspace);
  const scope = vscode.Uri.file(place.workspace);
  const settings = settingsFor(scope);
  const { allowedFiles } = settings;
  const several = memberNames(kinds, file);
  const guards = limitsFor(settings, request.model, request.judge, ...several);
  const recorder = request.record === undefined ? undefined : await searches.record(kinds, request.record, file);
  const fleet = await openFleet({ ...request, several, title: file?.title ?? '' });
  const run = {
    ...request,
    ...(fleet?.concurrency !== undefined && !request.anew && { concurrency: fleet.concurrency }),
  };
  // It is said with the first question alone.
  const expected = request.expected === undefined ? [] : [foreign({ text: request.expected })];
  const opened = searches.open({
    kinds,
    ...run,
    ...openers(opening, run, fleet, recorder),
    ...{ allowedFiles, settings: { ...ownReading(scope), guards } },
    work: { consent: (lines, says) => askForCommands(file?.title ?? '', lines, [...expected.splice(0), ...says]) },
    ...(letsModelsTry() && {
      allowsExperiment: (program, says) => askForProgram(file?.title ?? '', program, says),
    }),
    findHooks,
    mayRead: agreesToRead,
    slots: fleet?.slots,
  });
  const open = await opened.catch(async (error: unknown) => {
    await fleet?.close();
    throw error;
  });
  void tellSent(open.sent);
  return { fleet, opened: open };
}

type Openers = Pick<
  Parameters<Awaited<ReturnType<typeof loadSearches>>['open']>[0],
  'openModel' | 'openJudge' | 'openMember' | 'approve' | 'translation'
>;

function openers(
  { kinds, models, wasAgreed }: RunOpening,
  request: RunRequest,
  fleet: WindowFleet | undefined,
  recorder: Recording | undefined,
): Openers {
  const { model, judge, place } = request;
  const open = (name: string) => () => models.open(name, place.workspace, true, { fleet, recorder });
  return {
    openModel: open(model),
    openJudge: judge === undefined || judge === model ? undefined : open(judge),
    openMember: (name) => open(name)(),
    translation: editorTranslation(),
    approve: async (opened, judging, several) => {
      for (const one of [opened, judging, ...several]) if (one) tellOfAgent(one);
      const isKnown = wasAgreed(request);
      if (!request.isAgreed && (request.create || !isKnown))
        await approveForecast(kinds, request, opened, judging, several);
    },
  };
}

/**
 * Asks before a search is begun or continued that may cost more than the person's limit, or an unknown amount.
 * @throws ThoughtTreeError `declined` if the answer is no
 */
export async function approveForecast(
  kinds: Kinds,
  request: RunRequest,
  model: Model,
  judge: Model | undefined,
  several: readonly Model[] = [],
): Promise<void> {
  const { place, create, limits, concurrency, plan } = request;
  const { askAbove } = settingsFor(vscode.Uri.file(place.workspace));
  if ([model, judge, ...several].every((each) => each?.free !== false)) return;
  const searches = await loadSearches();
  const inPurse = await searches.purseLeft(place.workspace);
  if (askAbove === undefined && inPurse === undefined) return;
  const { left } = await searches.forecast({ kinds, place, create, limits, concurrency, model, judge, several, plan });
  const highest = highestUsd(left);
  const above = Math.min(askAbove ?? Number.POSITIVE_INFINITY, inPurse ?? Number.POSITIVE_INFINITY);
  if (highest === undefined ? askAbove === undefined : highest <= above) return;
  const limit = figures.usd(askAbove ?? above);
  const isPurse = highest !== undefined && (askAbove === undefined || highest <= askAbove);
  const question = isPurse
    ? vscode.l10n.t(
        'This search may cost up to {0}; your limits over everything on this computer leave {1}.',
        figures.usd(highest),
        figures.usd(above),
      )
    : highest !== undefined
      ? vscode.l10n.t('This search may cost up to {0}; you want to be asked above {1}.', figures.usd(highest), limit)
      : vscode.l10n.t('The cost of this search is unknown; you want to be asked above {0}.', limit);
  const yes = vscode.l10n.t('Begin');
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail: forecastWords(left) }, yes);
  if (answer !== yes) throw new ThoughtTreeError('declined', notBegun());
}

const toldOfAgents = new Set<string>();

/** Says once a window that an agent reads files by itself: what is left out of all other models' prompts, it sees. */
export function tellOfAgent({ name, most, warning }: Pick<Model, 'name' | 'most' | 'warning'>): void {
  if (!most || toldOfAgents.has(name)) return;
  toldOfAgents.add(name);
  const also = warning ? ` ${messageText(warning)}` : '';
  void vscode.window.showInformationMessage(`${messageText(agentReads({ model: name }))}${also}`);
}

const toldOfReading = new Set<string>();

/** Says, once a window for each model and folder, what of the workspace goes to whom, with the way to change it. */
async function tellSent(sent: Sent | undefined): Promise<void> {
  if (!sent) return;
  const text = messageText(sent.text);
  if (toldOfReading.has(text)) return;
  toldOfReading.add(text);
  const change = vscode.l10n.t('Change…');
  if ((await vscode.window.showInformationMessage(text, change)) === change)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'thoughtTree.modelsMayRead');
}

/** Asks whether models may see files of a folder that holds more than what a search is about. */
async function agreesToRead(why: Message): Promise<boolean> {
  const yes = vscode.l10n.t('Let Models See It');
  const question = vscode.l10n.t('{0} May models see its files?', messageText(why));
  return (await vscode.window.showWarningMessage(question, { modal: true }, yes)) === yes;
}

/** The number of command lines that a dialog can show, and of their letters; more are shown in a document first. */
const MOST_LINES = 12;
const MOST_LETTERS = 2000;

/**
 * Asks a person whether exactly these command lines may run for a search. What they agreed to is remembered by whoever
 * asks, outside of the search's folder.
 * @param title the search's, since several may ask
 * @param says what holds the commands, and what does not
 */
export async function askForCommands(
  title: string,
  lines: readonly string[],
  says: readonly Message[] = [],
): Promise<boolean> {
  const name = oneLine(title, 100);
  const exact = lines.map(shownLine);
  const question =
    exact.length === 1
      ? vscode.l10n.t('Allow "{0}" to run a command?', name)
      : vscode.l10n.t('Allow "{0}" to run {1} commands?', name, exact.length);
  const run = exact.length === 1 ? vscode.l10n.t('Run It') : vscode.l10n.t('Run Them');
  return await agrees({ question, exact, says, run, isShort: exact.length <= MOST_LINES, language: 'shellscript' });
}

/** Tells whether models may ask to run small programs, by the person's own settings, in a folder that they trust. */
function letsModelsTry(): boolean {
  const found = vscode.workspace.getConfiguration('thoughtTree').inspect<unknown>('allowExperiments')?.globalValue;
  return found === true && vscode.workspace.isTrusted;
}

/** Asks a person whether a small program of a model may run, and shows it whole. */
export async function askForProgram(title: string, asked: Experiment, says: readonly Message[]): Promise<boolean> {
  if (!letsModelsTry()) return false;
  const question = vscode.l10n.t('Allow "{0}" to run a program of its model?', oneLine(title, 100));
  const exact = asked.program.split('\n').map(shownLine);
  const language = asked.language === 'shell' ? 'shellscript' : asked.language;
  return await agrees({ question, exact, says, run: vscode.l10n.t('Run It'), isShort: true, language });
}

interface Asking {
  readonly question: string;
  readonly exact: readonly string[];
  readonly says: readonly Message[];
  /** The label of the button that agrees. */
  readonly run: string;
  readonly isShort: boolean;
  readonly language: string;
}

async function agrees({ question, exact, says, run, isShort, language }: Asking): Promise<boolean> {
  const held = says.map(messageText).join(' ');
  const whole = exact.join('\n');
  if (isShort && whole.length <= MOST_LETTERS) {
    const detail = [whole, held].filter(Boolean).join('\n\n');
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, run)) === run;
  }
  const document = await vscode.workspace.openTextDocument({ content: `${whole}\n`, language });
  await showText(document);
  // A modal dialog would keep the person from scrolling through what they are asked about.
  const text = withoutLinks([question, held].filter(Boolean).join(' '));
  return (await vscode.window.showWarningMessage(text, run, vscode.l10n.t('Not Now'))) === run;
}
