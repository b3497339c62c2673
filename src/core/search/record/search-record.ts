import { messageOf } from '../../messages/kept.ts';
import type { Message } from '../../messages/message.ts';
import { CallStatistics } from '../../money/call-statistics.ts';
import { Ledger, type Spend } from '../../money/ledger.ts';
import { ReportedCosts } from '../../money/reported-costs.ts';
import { OfferBook } from '../../offers/offer-book.ts';
import { movedPath } from '../../tree/slug-path.ts';
import type { JournalEvent } from '../events.ts';
import { type Findings, findingsIn } from '../findings.ts';
import type { Limits } from '../limits.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import type { Fold } from './fold.ts';
import { ReportFreshness } from './report-freshness.ts';
import type { SearchTurn } from './search-state.ts';
import { type Wish, Wishes } from './wishes.ts';

type RunBegin = Extract<JournalEvent, { type: 'search-started' | 'search-resumed' }>;
type RunEnd = Extract<JournalEvent, { type: 'search-paused' | 'search-finished' }>;

/**
 * What a journal says of a search as a whole: the one fold over it. Takes events one by one, so that it can be had for
 * any moment of the journal, and keeps none but the last of a few kinds: however long the journal, it holds what is
 * under way, wished for and ranked. What is known of each node, and what one kind of search alone has to remember, are
 * parts that whoever needs them adds.
 */
export class SearchRecord implements Fold {
  readonly ledger = new Ledger();
  /** What calls came to by purpose and depth: what forecasts are made of. */
  readonly statistics = new CallStatistics();
  /** What models without a known price turned out to cost. */
  readonly costs = new ReportedCosts();
  readonly callsUnderWay = new CallsUnderWay();
  /** What somebody outside may take and answer. */
  readonly offers = new OfferBook();
  readonly #wishes = new Wishes();
  readonly #freshness = new ReportFreshness();
  readonly #parts: readonly Fold[];
  #seq = 0;
  #hasBegun = false;
  #run: RunBegin | undefined;
  #turn: SearchTurn | undefined;
  #end: RunEnd | undefined;
  #limits: Limits | undefined;
  #ranking: readonly string[] = [];
  #system: string | undefined;

  /** @param parts told of every event too, after the record itself */
  constructor(...parts: readonly Fold[]) {
    this.#parts = parts;
  }

  /** The record of a whole journal. */
  static of(journal: Iterable<JournalEvent>, ...parts: readonly Fold[]): SearchRecord {
    return SearchRecord.at(journal, Number.POSITIVE_INFINITY, ...parts);
  }

  /** The record as it was right after an event, by the event's number. */
  static at(journal: Iterable<JournalEvent>, seq: number, ...parts: readonly Fold[]): SearchRecord {
    const record = new SearchRecord(...parts);
    for (const event of journal) if (event.seq <= seq) record.apply(event);
    return record;
  }

  apply(event: JournalEvent): void {
    this.#seq = Math.max(this.#seq, event.seq);
    this.ledger.apply(event);
    this.statistics.apply(event);
    this.costs.apply(event);
    this.callsUnderWay.apply(event);
    this.offers.apply(event);
    this.#wishes.apply(event);
    this.#freshness.apply(event);
    if (isTurn(event)) this.#take(event);
    else if (event.type === 'budget-changed') this.#limits = event.limits;
    else if (event.type === 'picked') this.#ranking = event.ranking;
    else if (event.type === 'system-text') this.#system ??= event.text;
    else if (event.type === 'node-moved')
      this.#ranking = this.#ranking.map((path) => movedPath(path, event.from, event.node));
    for (const part of this.#parts) part.apply(event);
  }

  /** The part of a class that was added; undefined where there is none. */
  part<T extends Fold>(kind: new () => T): T | undefined {
    return this.#parts.find((part): part is T => part instanceof kind);
  }

  /** The number of the last event; 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  /** Whether it was ever run. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** What was said last of the search as a whole: that it began, waits, paused, finished. */
  get turn(): SearchTurn | undefined {
    return this.#turn;
  }

  /** How its last run that came to an end ended. */
  get end(): RunEnd | undefined {
    return this.#end;
  }

  /** The model that it was last run with. */
  get model(): string | undefined {
    return this.#run?.model;
  }

  /** The model that picked and evaluated in its last run, where that was another one. */
  get judge(): string | undefined {
    return this.#run?.judge;
  }

  /** The limits that were given last. */
  get limits(): Limits | undefined {
    return this.#limits;
  }

  /** What every request of it begins with; undefined before the first one, and for searches that version 0.1 began. */
  get system(): string | undefined {
    return this.#system;
  }

  /** Why it paused or waits. */
  get reason(): Message | undefined {
    if (this.waitsOutside && this.offers.size === 0) return undefined;
    return this.#turn && 'message' in this.#turn ? messageOf(this.#turn.message, this.#turn.say) : undefined;
  }

  /** Whether it said last that all that is left to do is outside. */
  get waitsOutside(): boolean {
    return this.#turn?.type === 'search-waiting' && this.#turn.reason === 'offers';
  }

  /** Whether it came to its own end and nothing happened since, so that continuing with it would do nothing. */
  get isDone(): boolean {
    const { turn } = this;
    return turn?.type === 'search-finished' && turn.reason !== 'finish-now' && this.isReportFresh;
  }

  /** What a person is needed for, where it paused for that. */
  get cause(): string | undefined {
    return this.#turn?.type === 'search-paused' && this.#turn.reason === 'person' ? this.#turn.cause : undefined;
  }

  /** What the kind of a search says of its results, where it rests and said so. */
  findings(kind: string | undefined): Findings | undefined {
    return this.#turn && 'results' in this.#turn ? findingsIn(this.#turn.results, kind) : undefined;
  }

  /** What is settled; see `Ledger`. */
  get spend(): Spend {
    return this.ledger.spend;
  }

  /** What a person wants worked on next and no run has come to, the oldest first. */
  get wishes(): readonly Wish[] {
    return this.#wishes.open;
  }

  /** The slug paths that the picker ranked last, the most important first. */
  get ranking(): readonly string[] {
    return this.#ranking;
  }

  /** Whether its report, where there is one, says all that happened. */
  get isReportFresh(): boolean {
    return this.#freshness.isFresh;
  }

  #take(event: SearchTurn): void {
    this.#turn = event;
    if (event.type === 'search-paused' || event.type === 'search-finished') this.#end = event;
    if (event.type !== 'search-started' && event.type !== 'search-resumed') return;
    if (event.type === 'search-started') this.#hasBegun = true;
    this.#run = event;
    this.#limits = event.limits;
  }
}

function isTurn(event: JournalEvent): event is SearchTurn {
  return event.type.startsWith('search-');
}
