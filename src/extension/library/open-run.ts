import * as vscode from 'vscode';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import type { OpenedSearch } from '../../searches/open-search.ts';
import { hooksFor } from '../commands/task-hooks.ts';
import type { OpenFleet, WindowFleet } from '../fleet/open-fleet.ts';
import { loadSearches } from '../load-searches.ts';
import { editorTranslation } from '../message-text.ts';
import { tellOfAgent } from '../models/agent-notice.ts';
import type { ModelOpener } from '../models/model-opener.ts';
import { agreesToRead, tellSent } from '../models/reading-notice.ts';
import { guardsFor, ownReading, settingsFor } from '../settings.ts';
import { askForCommands, askForProgram, letsModelsTry } from '../work/command-consent.ts';
import { approveForecast } from './approve-forecast.ts';
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
  const guards = guardsFor(settings, request.model, request.judge);
  const fleet = await openFleet({ ...request, title: file?.title ?? '' });
  const run = { ...request, ...(fleet?.concurrency !== undefined && { concurrency: fleet.concurrency }) };
  const opened = searches.open({
    kinds,
    ...run,
    ...openers(opening, run, fleet),
    ...{ allowedFiles, settings: { ...ownReading(scope), guards } },
    work: { consent: (lines, says) => askForCommands(file?.title ?? '', lines, says) },
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
  'openModel' | 'openJudge' | 'approve' | 'translation'
>;

function openers(
  { kinds, models, wasAgreed }: RunOpening,
  request: RunRequest,
  fleet: WindowFleet | undefined,
): Openers {
  const { model, judge, place } = request;
  const open = (name: string) => () => models.open(name, place.workspace, true, fleet);
  return {
    openModel: open(model),
    openJudge: judge === undefined || judge === model ? undefined : open(judge),
    translation: editorTranslation(),
    approve: async (opened, judging) => {
      for (const one of [opened, judging]) if (one) tellOfAgent(one);
      const isKnown = wasAgreed(request);
      if (!request.isAgreed && (request.create || !isKnown)) await approveForecast(kinds, request, opened, judging);
    },
  };
}
