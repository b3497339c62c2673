import * as z from 'zod';
import { type Message, messageOf } from '../../messages/message.ts';
import { CallStatistics } from '../../money/call-statistics.ts';
import { Ledger, type Spend } from '../../money/ledger.ts';
import { DoubtedServers, ReportedCosts } from '../../money/reported-usage.ts';
import { OfferBook } from '../../offers/offer-book.ts';
import { movedPath } from '../../tree/slug.ts';
import type { TreeRecord } from '../../tree/tree-record.ts';
import { FOUND, type Fold, type JournalEvent, type KeptFold, type PartClass } from '../events.ts';
import type { Limits } from '../limits.ts';
import { Rankings } from '../rankings.ts';
import { CallsUnderWay, Runs, RunsState } from './runs.ts';
import {
  type Findings,
  findingsIn,
  isAtWork,
  type LimitReached,
  type SearchState,
  type SearchTurn,
} from './search-state.ts';
import { EditedTexts, type Wish, Wishes } from './steering.ts';

const RecordState = z.object({
  seq: z.number(),
  ...RunsState.shape,
  ranking: z.array(z.string()),
  system: z.string().optional(),
  broughtSystem: z.string().optional(),
  ledger: z.unknown(),
  statistics: z.unknown(),
  costs: z.unknown(),
  doubted: z.unknown(),
  callsUnderWay: z.unknown(),
  offers: z.unknown(),
  wishes: z.unknown(),
  isFresh: z.unknown(),
  edits: z.unknown().optional(),
  texts: z.array(z.tuple([z.string(), z.string()])).optional(),
});

/** The text of a journal where a person paused a search. */
const PLAIN_PAUSE = 'Paused.';

/**
 * The record of a search as a whole: the one fold over its journal. It takes events one by one, so that it exists for
 * any moment of the journal, and keeps only the last of a few kinds: however long the journal, it holds what is under
 * way, wished for and ranked. Callers add further folds as parts, for what is known about each node or only by one kind
 * of search.
 */
export class SearchRecord implements KeptFold {
  readonly name = 'record';
  readonly ledger = new Ledger();
  readonly callsUnderWay = new CallsUnderWay();
  /** The offers that somebody outside may take and answer. */
  readonly offers = new OfferBook();
  #statistics = new CallStatistics();
  #costs = new ReportedCosts();
  #doubted = new DoubtedServers();
  readonly #runs = new Runs();
  readonly #wishes = new Wishes(() => this.#runs.isAtRest);
  readonly #freshness = new ReportFreshness();
  /** The documents that people edited. */
  readonly edits = new EditedTexts(() => this.#runs.isAtRest);
  readonly #parts: readonly Fold[];
  readonly #texts = new Map<string, string>();
  #seq = 0;
  readonly #rankings = new Rankings<string>();
  #system: string | undefined;
  #broughtSystem: string | undefined;

  /** @param parts receive every event too, after the record itself */
  constructor(...parts: readonly Fold[]) {
    this.#parts = parts;
  }

  /** Returns the record of a whole journal. */
  static of(journal: Iterable<JournalEvent>, ...parts: readonly Fold[]): SearchRecord {
    return SearchRecord.at(journal, Number.POSITIVE_INFINITY, ...parts);
  }

  /** Returns the record as it was right after an event, by the event's number. */
  static at(journal: Iterable<JournalEvent>, seq: number, ...parts: readonly Fold[]): SearchRecord {
    const record = new SearchRecord(...parts);
    for (const event of journal) if (event.seq <= seq) record.apply(event);
    return record;
  }

  apply(event: JournalEvent): void {
    this.#seq = Math.max(this.#seq, event.seq);
    this.ledger.apply(event);
    this.#statistics.apply(event);
    this.#costs.apply(event);
    this.#doubted.apply(event);
    this.callsUnderWay.apply(event);
    this.offers.apply(event);
    this.#wishes.apply(event);
    this.#freshness.apply(event);
    this.edits.apply(event);
    this.#runs.apply(event);
    if (event.type === 'search-started' || event.type === 'search-resumed') this.#rankings.settle();
    else if (event.type === 'picked') this.#rankings.add(event.ranking, event.beside);
    else if (event.type === 'system-text') this.#system ??= event.text;
    else if (event.type === 'text-written') setOrDelete(this.#texts, event.file, event.text);
    else if (event.type === 'adopted') this.#forget();
    else if (event.type === 'node-moved') this.#rankings.rename((path) => movedPath(path, event.from, event.node));
    for (const part of this.#parts) part.apply(event);
  }

  /** Without its parts, which are kept by themselves. */
  get state(): z.infer<typeof RecordState> {
    return {
      seq: this.#seq,
      ...this.#runs.state,
      ranking: [...this.#rankings.all],
      system: this.#system,
      broughtSystem: this.#broughtSystem,
      ledger: this.ledger.state,
      statistics: this.#statistics.state,
      costs: this.#costs.state,
      doubted: this.#doubted.state,
      callsUnderWay: this.callsUnderWay.state,
      offers: this.offers.state,
      wishes: this.#wishes.state,
      isFresh: this.#freshness.state,
      edits: this.edits.state,
      texts: [...this.#texts],
    };
  }

  restore(state: unknown): void {
    const known = RecordState.parse(state);
    this.ledger.restore(known.ledger);
    this.#statistics.restore(known.statistics);
    this.#costs.restore(known.costs);
    this.#doubted.restore(known.doubted);
    this.callsUnderWay.restore(known.callsUnderWay);
    this.offers.restore(known.offers);
    this.#wishes.restore(known.wishes);
    this.#freshness.restore(known.isFresh);
    this.edits.restore(known.edits ?? []);
    for (const [file, text] of known.texts ?? []) this.#texts.set(file, text);
    this.#seq = known.seq;
    this.#runs.restore(known);
    this.#rankings.add(known.ranking);
    this.#system = known.system;
    this.#broughtSystem = known.broughtSystem;
  }

  /** The process of the last run is gone: what it left under way is settled, as its next run does. */
  settle(): void {
    this.ledger.giveUp();
    this.callsUnderWay.giveUp();
  }

  /** The folds that were added to it. */
  get parts(): readonly Fold[] {
    return this.#parts;
  }

  /** Returns the added part of a class, found by its name: whoever added it may have another copy of the class. */
  part<T extends KeptFold>(kind: PartClass<T>): T | undefined {
    return this.#parts.find((part): part is T => 'name' in part && part.name === kind.part);
  }

  /** The hashes of the texts of the search as a whole, such as notes.md, by file. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /** The use of calls by purpose and depth: the basis of forecasts. */
  get statistics(): CallStatistics {
    return this.#statistics;
  }

  /** The costs of models without a known price, as their servers report them. */
  get costs(): ReportedCosts {
    return this.#costs;
  }

  /** The servers whose figures turned out to be wrong. */
  get doubted(): DoubtedServers {
    return this.#doubted;
  }

  /** The number of the last event; 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  /** True if it has ever been run. */
  get hasBegun(): boolean {
    return this.#runs.now.hasBegun;
  }

  /** The last event about the search as a whole: that it began, waits, paused, finished. */
  get turn(): SearchTurn | undefined {
    return this.#runs.now.turn;
  }

  /** The end of its last completed run. */
  get end(): Runs['now']['end'] {
    return this.#runs.now.end;
  }

  /** The model of its last run. */
  get model(): string | undefined {
    return this.#runs.now.run?.model;
  }

  /** The model that picked and evaluated in its last run, if different. */
  get judge(): string | undefined {
    return this.#runs.now.run?.judge;
  }

  /** The limits that were last set. */
  get limits(): Limits | undefined {
    return this.#runs.now.limits;
  }

  /** The beginning of every request; undefined before the first one. */
  get system(): string | undefined {
    return this.#system;
  }

  /** The beginning of requests that came with the search, before this user adopted it. */
  get broughtSystem(): string | undefined {
    return this.#broughtSystem;
  }

  /** Why it paused or waits. */
  get reason(): Message | undefined {
    if (this.waitsOutside && this.offers.size === 0) return undefined;
    const { message, say } = (this.turn ?? {}) as { message?: string; say?: unknown };
    // That somebody paused it is its state, and no reason.
    return message === undefined || message === PLAIN_PAUSE ? undefined : messageOf(message, say);
  }

  /** True if its last event says that all remaining work is outside. */
  get waitsOutside(): boolean {
    return this.#runs.waitsOutside;
  }

  /** True if it ended by itself and nothing happened since, so that continuing would do nothing. */
  get isDone(): boolean {
    const { turn } = this;
    return turn?.type === 'search-finished' && turn.reason !== 'finish-now' && this.isReportFresh;
  }

  /** The spend limit that it paused before, unless that was raised since: until then, continuing would do nothing. */
  get limitReached(): LimitReached | undefined {
    return this.#runs.limitReached;
  }

  /** The cause for which it needs a person, if it paused for one. */
  get cause(): string | undefined {
    return this.#runs.cause;
  }

  /** Returns the results that the kind of a search adds, if it is at rest and has any. */
  findings(kind: string | undefined): Findings | undefined {
    const { turn } = this;
    return turn && 'results' in turn ? findingsIn(turn.results, kind) : undefined;
  }

  /** The sum of what is settled; see `Ledger`. */
  get spend(): Spend {
    return this.ledger.spend;
  }

  /** The nodes that a person wants worked on next and no run has started on, oldest first. */
  get wishes(): readonly Wish[] {
    return this.#wishes.open;
  }

  /** True if a node came, or was opened again, since it last finished. */
  get hasMore(): boolean {
    return this.#runs.now.hasMore;
  }

  /** True if it may go further than when it last finished. */
  get hasGrown(): boolean {
    return this.#runs.hasGrown;
  }

  /** The slug paths of the picker's last ranking, or rankings side by side, most important first. */
  get ranking(): readonly string[] {
    return this.#rankings.all;
  }

  /** True if its report, if there is one, covers everything that happened. */
  get isReportFresh(): boolean {
    return this.#freshness.isFresh;
  }

  /** True if the last report covers the tree as it is, whatever else happened since. */
  get isReportCurrent(): boolean {
    return this.#freshness.isCurrent;
  }

  /** The number of the event since which there is no report; 0 if there never was one. */
  get unreportedSince(): number {
    return this.#freshness.since;
  }

  /** Keeps what came with the folder as history, state and spending, but learns nothing from it. */
  #forget(): void {
    this.#statistics = new CallStatistics();
    this.#costs = new ReportedCosts();
    this.#doubted = new DoubtedServers();
    this.#broughtSystem ??= this.#system;
    this.#system = undefined;
  }
}

/** The events that change a tree, and so what a report on it says. */
const CHANGES = new Set<JournalEvent['type']>([
  'node-added',
  'node-status',
  'node-removed',
  'node-moved',
  'node-order',
  'reconciled',
]);

const FreshnessState = z.object({ isFresh: z.boolean(), since: z.number(), isCurrent: z.boolean().optional() });

/** Knows whether anything happened since the search last finished, so that no report is paid for twice. */
class ReportFreshness implements Fold {
  isFresh = false;
  /** The number of the event since which there is no report: what its model said before belongs to an earlier one. */
  since = 0;
  /** True if the last report, written at an end or when a person asked for it, covers the tree as it is. */
  isCurrent = false;

  apply(event: JournalEvent): void {
    if (event.type === 'search-finished' || event.type === 'steered') this.since = event.seq;
    const isReport = event.type === 'steered' && event.action === 'report';
    const isChange = CHANGES.has(event.type) && !('by' in event && event.by === FOUND.onOpening);
    if (event.type === 'search-finished') this.isFresh = true;
    else if (isChange || event.type === 'steered') this.isFresh = false;
    if (event.type === 'search-finished' || isReport) this.isCurrent = true;
    else if (isChange) this.isCurrent = false;
  }

  get state(): z.infer<typeof FreshnessState> {
    return { isFresh: this.isFresh, since: this.since, isCurrent: this.isCurrent };
  }

  restore(state: unknown): void {
    const { isFresh, since, isCurrent = isFresh } = FreshnessState.parse(state);
    this.isCurrent = isCurrent;
    this.isFresh = isFresh;
    this.since = since;
  }
}

/** The facts that are known of the rest of a search. */
interface Rest {
  readonly record: Pick<SearchRecord, 'isDone' | 'hasBegun' | 'end' | 'wishes' | 'hasMore' | 'hasGrown'>;
  /** Its tree has a solution that nobody pruned. */
  readonly isSolved: boolean;
  /** The number of open nodes. */
  readonly open: number;
}

/**
 * Tells whether there is anything left to work on, apart from the report. A search that came to its end has to be grown, or
 * something in it expanded or added.
 */
export function isResumable(state: SearchState, { record, isSolved, open }: Rest): boolean {
  if (isAtWork(state)) return false;
  if (state !== 'finished') return true;
  const { isDone, hasBegun, end, wishes, hasMore, hasGrown } = record;
  const hasNews = wishes.length > 0 || hasMore;
  const reason = end?.type === 'search-finished' ? end.reason : undefined;
  // Without a journal (a clone, an import), a solution that is there counts as its end.
  const isOver = isSolved ? !hasBegun || reason === 'solved' : reason !== undefined && reason !== 'finish-now';
  return !isDone && open > 0 && (!isOver || hasNews || (hasGrown && reason !== 'solved'));
}

function setOrDelete(map: Map<string, string>, key: string, value: string | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** The folds of one pass over a journal: the record of the search with its parts, and its tree if that is wanted. */
export interface Folds {
  readonly record: SearchRecord;
  readonly told?: TreeRecord | undefined;
}
