import { dirname } from 'node:path';
import { type CallStatistics, depthOf } from '../core/money/call-statistics.ts';
import { type Forecast, type ForecastRequest, forecast, withinGuards, withSpend } from '../core/money/forecast.ts';
import type { Model, Price } from '../core/ports/model.ts';
import { traitsOf } from '../core/ports/purpose.ts';
import { expansionsOf, type Guards, type Limits, USUAL_DEPTH } from '../core/search/limits.ts';
import { FORMER_READ, readingOf, USUAL_READ } from '../core/search/reading.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { isPruned, pathOf, type Tree, walk } from '../core/tree/tree.ts';
import { lastLimits, limitsBefore } from '../engine/budget/limits-of.ts';
import type { Kind } from '../engine/kind/kind.ts';
import { optionsOf } from '../engine/kind/kind-options.ts';
import { type Kinds, loadKind } from '../engine/kind/kinds.ts';
import { openTree } from '../engine/nodes/open-tree.ts';
import { openForReading } from '../store/open-store.ts';
import { pastStatistics } from './past-searches.ts';
import type { Place } from './place.ts';
import { ownKey } from './trust/own-key.ts';
import { ownUse } from './trust/own-search.ts';
import { recallUse } from './trust/search-use.ts';

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
  /** The guards of this person's settings, for a search that they gave none. */
  readonly guards?: Guards | undefined;
  readonly concurrency?: number | undefined;
  /** The options of its kind that this run sets. */
  readonly options?: object | undefined;
  /** Prepared, so that its price is known if possible. */
  readonly model: Asked;
  /** The model that picks and evaluates, if different. */
  readonly judge?: Asked | undefined;
}

/** The forecast of a search before its start: for the rest of it, and including what was already spent. */
export async function forecastFor(wanted: WantedForecast): Promise<{ left: Forecast; whole: Forecast }> {
  const { place, create, model } = wanted;
  if (create) {
    const begun = await RunningForecast.open(wanted, create, new SearchRecord());
    const left = begun.left(undefined);
    return { left, whole: left };
  }
  const store = await openForReading(place.folder, ownKey());
  const file = await store.readSearch();
  const { record } = await store.readRecord(() => ({ record: new SearchRecord() }));
  const own = await ownUse(place.folder, wanted.guards);
  if (!own.isKnown) record.apply({ seq: record.seq + 1, time: new Date().toISOString(), type: 'adopted' });
  const tree = await openTree(store, file.title, 'reader');
  const usualDepth = (await loadKind(wanted.kinds, file)).usualDepth?.(file.options);
  const limits = lastLimits(
    limitsBefore(record.limits, own, file, usualDepth),
    file,
    withoutUndefined(wanted.limits ?? {}),
    model,
    usualDepth,
  );
  const running = await RunningForecast.open({ ...wanted, limits }, file, record);
  return { left: running.left(tree), whole: running.whole(tree) };
}

/** The forecast of a search while it runs, corrected by everything that its record learns. */
export class RunningForecast {
  readonly #request: Omit<ForecastRequest, 'own' | 'open' | 'expansions' | 'maxDepth'>;
  readonly #record: SearchRecord;
  /** The limits until the record has others. */
  readonly #limits: Partial<Limits>;
  readonly #toldBefore: Limits | undefined;
  readonly #guards: Guards;

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
    const { limits, model, judge, concurrency } = wanted;
    const options = optionsOf(kind, file, wanted.options);
    this.#record = record;
    this.#toldBefore = record.limits;
    const { size = options.size, maxDepth = options.maxDepth } = limits ?? record.limits ?? {};
    this.#limits = { size: size ?? 'medium', maxDepth: maxDepth ?? kind.usualDepth?.(options) ?? USUAL_DEPTH };
    const isFree = model.free && judge?.free !== false;
    this.#guards = lastLimits(record.limits, file, limits, { free: isFree }).guards;
    this.#request = {
      kind: kind.forecast,
      options,
      strategy: file.strategy,
      concurrency: concurrency ?? options.concurrency ?? 4,
      priceFor: (purpose) => priceOf(judge && traitsOf(kind.face.purposes, purpose).judged ? judge : model),
      hasOpening: model.prose !== false,
      reads: model.tools === true && readingOf(file.options, wanted.create ? USUAL_READ : FORMER_READ).tools,
      past,
    };
  }

  /** @param tree the search's tree; undefined as long as there is none */
  left(tree: Tree | undefined): Forecast {
    const open = tree?.root.listed ? openByDepth(tree) : undefined;
    const { limits: told, statistics: own } = this.#record;
    const { size = 'medium', maxDepth = 4 } = told && told !== this.#toldBefore ? told : this.#limits;
    const expansions = Math.max(0, expansionsOf(size) - (tree?.finished ?? 0));
    const { guards } = told && told !== this.#toldBefore ? told : { guards: this.#guards };
    const left = forecast({ ...this.#request, maxDepth, own, expansions, ...(open ? { open } : {}) });
    return withinGuards(left, guards, this.#record.spend);
  }

  /** Forecasts the whole search, including what was spent. */
  whole(tree: Tree | undefined): Forecast {
    return withSpend(this.left(tree), this.#record.spend);
  }
}

async function isOwn(folder: string): Promise<boolean> {
  return (await recallUse(folder)).here !== undefined;
}

function priceOf({ free, price }: Asked): Price | 'free' | undefined {
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

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
