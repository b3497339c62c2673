import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CallStatistics, depthOf } from '../core/money/call-statistics.ts';
import {
  eitherOf,
  type Forecast,
  type ForecastRequest,
  forecast,
  withinLimits,
  withSpend,
} from '../core/money/forecast.ts';
import { type Model, type Price, traitsOf } from '../core/ports/model.ts';
import { isThoughtTreeError } from '../core/search/errors.ts';
import { expansionsOf, type Limits, type SpendLimits } from '../core/search/limits.ts';
import { FORMER_READ, readingOf, USUAL_READ } from '../core/search/reading.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';
import { type SearchFile, withoutMissing } from '../core/search/search-file.ts';
import { isPruned, pathOf, type Tree, walk } from '../core/tree/tree.ts';
import { type Kind, type Kinds, loadKind, optionsOf } from '../engine/kind.ts';
import { lastLimits, limitsBefore } from '../engine/limits.ts';
import { openTree } from '../engine-parts/opening/open-tree.ts';
import { findSearches, openPresent } from '../store/open-store.ts';
import { isFreeModel } from './models/choose-model.ts';
import { priceOf } from './models/own-prices.ts';
import type { Place } from './place.ts';
import type { SearchOverview } from './reader/search-overview.ts';
import { ownUse } from './trust/own-search.ts';
import { recallUse } from './trust/search-use.ts';
import { ownKey } from './trust/state-folder.ts';

/** The facts about a model that a forecast needs. */
type Asked = Pick<Model, 'name' | 'free' | 'price' | 'prose' | 'tools'>;

/** A search that is about to be begun or continued. */
export interface WantedForecast {
  /** The kinds that this program knows. */
  readonly kinds: Kinds;
  readonly place: Place;
  /** The search to create; undefined if it exists. */
  readonly create?: SearchFile | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** The plan that it begins with, as its kind checked it. */
  readonly plan?: string | undefined;
  /** The spend limits of this person's settings, for a search that they gave none. */
  readonly guards?: SpendLimits | undefined;
  readonly concurrency?: number | undefined;
  /** The options of its kind that this run sets. */
  readonly options?: object | undefined;
  /** Prepared, so that its price is known if possible. */
  readonly model: Asked;
  /** The model that picks and evaluates, if different. */
  readonly judge?: Asked | undefined;
  /** Those that share the work, if they are several. */
  readonly several?: readonly Asked[] | undefined;
}

/** The forecast of a search if one of several models did all that they share. */
interface ForecastOfOne {
  readonly model: string;
  readonly left: Forecast;
}

/** Returns the forecast of a search before its start: for the rest of it, and including what was already spent. */
export async function forecastFor(
  wanted: WantedForecast,
): Promise<{ left: Forecast; whole: Forecast; each: readonly ForecastOfOne[] }> {
  const { place, create, model } = wanted;
  if (create) {
    const begun = await RunningForecast.open(wanted, create, new SearchRecord());
    const left = begun.left(undefined);
    return { left, whole: left, each: begun.each(undefined) };
  }
  const store = await openPresent(place.folder, ownKey());
  const file = await store.readSearch();
  const { record } = await store.readRecord(() => ({ record: new SearchRecord() }));
  const own = await ownUse(place.folder, wanted.guards);
  if (!own.isKnown) record.apply({ seq: record.seq + 1, time: new Date().toISOString(), type: 'adopted' });
  const tree = await openTree(store, file.title, 'reader');
  const usualDepth = (await loadKind(wanted.kinds, file)).usualDepth(file.options);
  const limits = lastLimits(
    limitsBefore(record.limits, own, file, usualDepth),
    file,
    withoutMissing(wanted.limits ?? {}),
    model,
    usualDepth,
  );
  const running = await RunningForecast.open({ ...wanted, limits }, file, record);
  return { left: running.left(tree), whole: running.whole(tree), each: running.each(tree) };
}

/** The forecast of a search while it runs, corrected by everything that its record learns. */
export class RunningForecast {
  readonly #request: Omit<ForecastRequest, 'own' | 'open' | 'expansions' | 'maxDepth' | 'priceFor'>;
  /** The prices of calls, for each of the models that may share the work. */
  readonly #prices: readonly ForecastRequest['priceFor'][];
  readonly #record: SearchRecord;
  readonly #wanted: WantedForecast;
  /** The limits until the record has others. */
  readonly #limits: Partial<Limits>;
  readonly #toldBefore: Limits | undefined;
  readonly #guards: SpendLimits;
  /** Leaves by depth, from 0, as long as there is no tree; undefined if no plan tells. */
  readonly #planned: readonly number[] | undefined;

  /** Reads the statistics of earlier searches of the workspace. */
  static async open(wanted: WantedForecast, file: SearchFile, record: SearchRecord): Promise<RunningForecast> {
    const { place, model } = wanted;
    const searches = dirname(place.folder);
    const { name, free } = model;
    const wish = { searches, kind: file.kind, model: name, free, except: place.folder, isOwn };
    const past = await pastStatistics(wish);
    return new RunningForecast(wanted, await loadKind(wanted.kinds, file), file, record, past);
  }

  private constructor(
    wanted: WantedForecast,
    kind: Kind,
    file: SearchFile,
    record: SearchRecord,
    past: CallStatistics,
  ) {
    const { limits, model, judge, concurrency, several = [], plan } = wanted;
    const options = optionsOf(kind, file, wanted.options);
    this.#record = record;
    this.#wanted = wanted;
    this.#toldBefore = record.limits;
    const given = plan === undefined ? undefined : kind.extras.plans?.read(plan, 'plan');
    this.#planned = given && [0, given.nodes];
    const { size = options.size, maxDepth = options.maxDepth } = limits ?? record.limits ?? {};
    this.#limits = { size: size ?? 'medium', maxDepth: maxDepth ?? kind.usualDepth(options) };
    const isFree = [model, judge, ...several].every((each) => each?.free !== false);
    this.#guards = lastLimits(record.limits, file, limits, { free: isFree }).guards;
    const { purposes } = kind.descriptor;
    const priced = (shared: Asked) => (purpose: string) => {
      const traits = traitsOf(purposes, purpose);
      if (!traits.shared) return modelPrice(judge && traits.judged ? judge : model);
      return modelPrice(shared) ?? (several.length > 0 ? 'unknown' : undefined);
    };
    this.#prices = (several.length > 0 ? several : [model]).map(priced);
    this.#request = {
      kind: kind.forecast,
      options,
      strategy: file.strategy,
      concurrency: concurrency ?? options.concurrency ?? 4,
      hasOpening: model.prose !== false,
      reads: model.tools === true && readingOf(file.options, wanted.create ? USUAL_READ : FORMER_READ).tools,
      past,
    };
  }

  /** Returns a forecast for each of several models, as if it did all that they share; none where one model does all. */
  each(tree: Tree | undefined): ForecastOfOne[] {
    const { several = [] } = this.#wanted;
    const { withPrice } = this.#rest(tree);
    return several.map(({ name: model }, at) => ({ model, left: withPrice(at) }));
  }

  /** @param tree the search's tree; undefined as long as there is none */
  left(tree: Tree | undefined): Forecast {
    const { withPrice } = this.#rest(tree);
    return this.#prices.map((_, at) => withPrice(at)).reduce(eitherOf);
  }

  /** The rest of the search, by what its calls cost. */
  #rest(tree: Tree | undefined): { readonly withPrice: (at: number) => Forecast } {
    const open = tree?.root.listed ? openByDepth(tree) : this.#planned;
    const { limits: told, statistics: own } = this.#record;
    const { size = 'medium', maxDepth = 4 } = told && told !== this.#toldBefore ? told : this.#limits;
    const expansions = Math.max(0, expansionsOf(size) - (tree?.finished ?? 0));
    const { guards } = told && told !== this.#toldBefore ? told : { guards: this.#guards };
    const request = { ...this.#request, maxDepth, own, expansions, ...(open ? { open } : {}) };
    const withPrice = (at: number): Forecast => {
      const priceFor = this.#prices[at] ?? (() => undefined);
      return withinLimits(forecast({ ...request, priceFor }), guards, this.#record.spend);
    };
    return { withPrice };
  }

  /** Forecasts the whole search, including what was spent. */
  whole(tree: Tree | undefined): Forecast {
    return withSpend(this.left(tree), this.#record.spend);
  }
}

async function isOwn(folder: string): Promise<boolean> {
  return (await recallUse(folder)).here !== undefined;
}

function modelPrice({ free, price }: Asked): Price | 'free' | undefined {
  return free ? 'free' : price;
}

/** Leaves that may still be worked on, by depth. */
function openByDepth({ root }: Tree): number[] {
  const open: number[] = [];
  for (const node of walk(root)) {
    if (!node.parent || isPruned(node) || (node.status !== 'unexpanded' && node.status !== 'in-progress')) continue;
    const depth = depthOf(pathOf(node));
    open[depth] = (open[depth] ?? 0) + 1;
  }
  return open;
}

/** The facts that are known of a model by its name. */
type Facts = Pick<Model, 'name' | 'free' | 'price'>;

/**
 * The forecast for the rest of an unfinished search; undefined if it costs nothing.
 * @param facts what its models cost; by default what the price table says
 */
export async function forecastLeft(
  overview: SearchOverview,
  kinds: Kinds,
  facts: (name: string) => Facts = inTable,
): Promise<Forecast | undefined> {
  const { folder, file, record, limits, model, judge, tree, free, state } = overview;
  if (free || state === 'finished' || model === undefined) return undefined;
  const place = { folder, workspace: folder };
  const models = { model: facts(model), ...(judge === undefined ? {} : { judge: facts(judge) }) };
  return (await RunningForecast.open({ kinds, place, limits, ...models }, file, record)).left(tree);
}

function inTable(name: string): Facts {
  const price = priceOf(name);
  return { name, free: isFreeModel(name), ...(price && { price }) };
}

/** The most searches that are read, latest first, and the largest journal, in bytes: more would take long. */
const MOST_SEARCHES = 8;
const LARGEST_JOURNAL = 8 * 1024 * 1024;
/** The number of answers of one model that suffice to leave out other models. */
const ENOUGH_ANSWERS = 30;

export interface PastRequest {
  /** The folder that holds a workspace's searches. */
  readonly searches: string;
  readonly kind: string;
  /** The model that will write: its own answers count most. */
  readonly model: string;
  /** It costs nothing; models that write for nothing and others teach nothing about each other. */
  readonly free?: boolean;
  /** A search to leave out, by its folder. */
  readonly except?: string | undefined;
  /** Tells whether this user ran a search: the journals of others may say anything. By default, all are theirs. */
  readonly isOwn?: ((folder: string) => Promise<boolean>) | undefined;
}

/** Returns the call statistics of earlier searches in a workspace. Unreadable ones are ignored. */
export async function pastStatistics({
  searches,
  kind,
  model,
  free = false,
  except,
  isOwn,
}: PastRequest): Promise<CallStatistics> {
  const found = await findSearches(searches).catch(() => []);
  const alike = found.filter(({ folder, search }) => search?.kind === kind && folder !== except);
  const latest = await latestOf(
    await ownAmong(
      alike.map(({ folder }) => folder),
      isOwn,
    ),
  );
  const records = await Promise.all(latest.map(readRecord));
  const same = new CallStatistics();
  const all = new CallStatistics();
  for (const record of records) {
    if (record.model === undefined || isFreeModel(record.model) !== free) continue;
    const isSame = record.model === model;
    if (isSame) same.include(record.statistics);
    all.include(record.statistics, isSame);
  }
  const answers = same.purposes.reduce((sum, purpose) => sum + same.of(purpose).answers, 0);
  return answers >= ENOUGH_ANSWERS ? same : all;
}

async function ownAmong(folders: readonly string[], isOwn: PastRequest['isOwn']): Promise<readonly string[]> {
  if (!isOwn) return folders;
  const own = await Promise.all(folders.map(isOwn));
  return folders.filter((_, index) => own[index]);
}

async function latestOf(folders: readonly string[]): Promise<string[]> {
  const journals = await Promise.all(
    folders.map(async (folder) => {
      const found = await stat(join(folder, '.search', 'journal.jsonl')).catch(() => undefined);
      return { folder, at: found?.isFile() && found.size <= LARGEST_JOURNAL ? found.mtimeMs : undefined };
    }),
  );
  const readable = journals.flatMap(({ folder, at }) => (at === undefined ? [] : [{ folder, at }]));
  return readable
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_SEARCHES)
    .map(({ folder }) => folder);
}

async function readRecord(folder: string): Promise<SearchRecord> {
  try {
    const store = await openPresent(folder, ownKey());
    return (await store.readRecord(() => ({ record: new SearchRecord() }))).record;
  } catch (error) {
    if (isThoughtTreeError(error)) return new SearchRecord();
    throw error;
  }
}
