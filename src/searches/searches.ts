import { costOf } from '../core/money/price.ts';
import { type Model, wrappedModel } from '../core/ports/model.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { type Kinds, loadKind } from '../engine/kind.ts';
import { secretsIn } from '../models/keys.ts';
import { listModels, testModel } from '../models/list-models.ts';
import { HTTP_PROVIDERS, isProvider, type OpenModelOptions, openModel } from '../models/open-model.ts';
import { findHolder } from '../store/open-store.ts';
import { systemClock } from '../store/system-ports.ts';
import { listFiles } from '../text/files/list-files.ts';
import { actOnSearch, serveRequests } from './act-on-search.ts';
import { agentTools } from './agent-tools/agent-tools.ts';
import { compareSides, comparisonLines, readSide } from './history/compare-searches.ts';
import { forkSearch } from './history/history.ts';
import { knownMoments } from './history/past-overview.ts';
import { slotsFor, writeAnew } from './history/write-anew.ts';
import { withOwnAgents } from './models/own-agents.ts';
import { priceOf } from './models/own-prices.ts';
import { prepareModel } from './models/prepare-model.ts';
import { newSearch } from './new-search.ts';
import { openSearch } from './open-search.ts';
import { openOwnTasks } from './own-tasks.ts';
import { forecastFor, RunningForecast } from './search-forecast.ts';
import { readReceiptLine } from './search-graph.ts';
import { recallUse } from './trust/search-use.ts';
import { checkText, countTexts, verifySearch } from './verify-search.ts';

/** The only way into the engine for a host that loads it when it is first needed: a bundle of its own. */
export const searches = {
  /** The tools over searches for agents, which need most of the others. */
  agentTools,
  costOf,
  /** Reads a node's origin, in a line. */
  receiptLine: readReceiptLine,
  /** Tells whether a living process holds the search in a folder. */
  isHeld: async (folder: string): Promise<boolean> => (await findHolder(folder, systemClock))?.state === 'alive',
  /** Tells whether there is a provider of models with this name. */
  isProvider,
  /** Makes a search of its own of one as it was at a moment. */
  fork: forkSearch,
  /** The forecast of a search before its start. */
  forecast: forecastFor,
  /** The forecast of a running search. */
  runningForecast: RunningForecast.open,
  /** The files of a workspace worth quoting. */
  listFiles,
  listModels,
  newSearch,
  open: openSearch,
  /** Documents that are written anew, and nothing else. */
  anew: { slotsFor, writeAnew },
  /** The past, and comparisons with it. */
  past: { knownMoments, readSide, compareSides, comparisonLines },
  /** Opens a model by name; nothing is asked yet. */
  openModel: (name: string, options: OpenModelOptions) =>
    openModel(name, { ...options, agent: withOwnAgents(options.agent) }),
  openOwnTasks,
  prepareModel,
  priceOf,
  /** Tells the purse as which job of a queue a call goes out. */
  jobNames: async () => (await import('./purse/purse.ts')).jobNames(),
  /** The most that this person's limits over everything leave for a search of a folder. */
  purseLeft: async (workspace: string) => (await import('./purse/purse.ts')).purseLeft(workspace),
  /** Begins a recording, by which searches of the same kind can be played again. */
  record: async (kinds: Kinds, file: string, of: Pick<SearchFile, 'kind' | 'options'> | undefined) => {
    const { byData } = (of && (await loadKind(kinds, of)).extras.hooks) ?? {};
    return await (await import('../models/replay/recorder.ts')).Recorder.open(file, byData);
  },
  /** Looks up what this user did with the search in a folder before. */
  recall: recallUse,
  /** Gives a model the name by which its person knows it. */
  renamed: (model: Model, name: string): Model => wrappedModel(model, { name }),
  /** The providers behind HTTP, by name: their addresses, and the names of their keys. */
  providers: HTTP_PROVIDERS,
  secretsIn,
  serve: serveRequests,
  act: actOnSearch,
  /** Checks every receipt and citation of a search again, and words for what comes of it. */
  verify: { search: verifySearch, checkText, countTexts },
  testModel: async (model: Model, signal: AbortSignal) =>
    testModel((await import('./purse/purse.ts')).throughPurse(model, ''), signal),
};
