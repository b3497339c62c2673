import { costOf } from '../core/money/price.ts';
import type { Model } from '../core/ports/model.ts';
import { wrappedModel } from '../core/ports/wrapped-model.ts';
import { secretsIn } from '../models/http/secrets-in.ts';
import { listModels } from '../models/list-models.ts';
import { HTTP_PROVIDERS, openModel } from '../models/open-model.ts';
import { priceOf } from '../models/prices.ts';
import { testModel } from '../models/test-model.ts';
import { findHolder } from '../store/open-store.ts';
import { systemClock } from '../store/system-ports.ts';
import { listFiles } from '../text/files/list-files.ts';
import { actOnSearch } from './act-on-search.ts';
import { agentTools } from './agent-tools/agent-tools.ts';
import { forecastFor, RunningForecast } from './forecast-for.ts';
import { readReceiptLine } from './graph/receipt-line.ts';
import { prepareModel } from './models/prepare-model.ts';
import { newSearch } from './new-search.ts';
import { openSearch } from './open-search.ts';
import { serveRequests } from './serve-requests.ts';
import { openOwnTasks } from './tasks/own-tasks.ts';
import { recallUse } from './trust/search-use.ts';

/** The only way into the engine for a host that loads it when it is first needed: a bundle of its own. */
export const searches = {
  /** The tools over searches for agents, which need most of the others. */
  agentTools,
  costOf,
  /** Reads a node's origin, in a line. */
  receiptLine: readReceiptLine,
  /** Tells whether a living process holds the search in a folder. */
  isHeld: async (folder: string): Promise<boolean> => (await findHolder(folder, systemClock))?.state === 'alive',
  /** The forecast of a search before its start. */
  forecast: forecastFor,
  /** The forecast of a running search. */
  runningForecast: RunningForecast.open,
  /** The files of a workspace worth quoting. */
  listFiles,
  listModels,
  newSearch,
  open: openSearch,
  openModel,
  openOwnTasks,
  prepareModel,
  priceOf,
  /** Looks up what this user did with the search in a folder before. */
  recall: recallUse,
  /** Gives a model the name by which its person knows it. */
  renamed: (model: Model, name: string): Model => wrappedModel(model, { name }),
  /** The providers behind HTTP, by name: their addresses, and the names of their keys. */
  providers: HTTP_PROVIDERS,
  secretsIn,
  serve: serveRequests,
  act: actOnSearch,
  testModel,
};
