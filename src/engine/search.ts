import type { ActionCall } from '../core/actions/action-call.ts';
import { nothingLeft } from '../core/actions/messages.ts';
import { SerialQueue } from '../core/concurrency.ts';
import { kept, type Message, messageOf, noted } from '../core/messages/message.ts';
import type { Offer } from '../core/offers/offer.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { FOUND, type PauseReason, type Results, type SearchEvent } from '../core/search/events.ts';
import type { Limits } from '../core/search/limits.ts';
import type { Folds, SearchRecord } from '../core/search/record/search-record.ts';
import { ownIn } from '../core/search/record/steering.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { oneLine } from '../core/text/text.ts';
import { nearestNode, nodeAt, type Tree, walk } from '../core/tree/tree.ts';
import type { ActingLoop, InterimWritten, Offers } from './context.ts';
import { type SearchContext, slotsToPlan } from './context.ts';
import type { Listener } from './history.ts';
import type { Kind, KindRun, Plan } from './kind.ts';
import {
  completed,
  Dispatcher,
  isNothing,
  type MoveUnderWay,
  type Outcome,
  type RunOptions,
  resultsOf,
  type Stop,
  stopUnwritable,
} from './loop.ts';
import * as say from './messages.ts';

/** One open search: its tree, its events, the loop that works on it, and people's actions. */
export class Search {
  readonly file: SearchFile;
  readonly tree: Tree;
  readonly kind: Kind;
  readonly #ctx: SearchContext;
  readonly #run: KindRun;
  readonly #dispatcher: Dispatcher;
  readonly #skipped: number;
  readonly #rechecks: Rechecks;
  readonly #offers: Offers;
  readonly #reports: Reports;
  readonly #act: Act;
  readonly #foldsOf: EngineParts['foldsOf'];
  /** The requests of people, carried out one after the other. */
  readonly #turns = new SerialQueue();
  #state: Outcome['state'] | 'running' = 'paused';

  /**
   * Opens a search that this process holds: reads its files, repairs what a kill left, adds up its spend.
   * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version` if search.json is unusable
   */
  static async open(parts: EngineParts): Promise<Search> {
    const late: { search?: Search } = {};
    const opened = await parts.openKind((error) => {
      if (late.search) late.search.#storeFailed(error);
    });
    const search = new Search(opened, parts);
    late.search = search;
    await parts.takeUp(opened);
    await search.#offers.takeUp();
    return search;
  }

  private constructor(opened: OpenedKind, parts: EngineParts) {
    const { kind, ctx, run } = opened;
    this.file = ctx.file;
    this.kind = kind;
    this.tree = ctx.tree;
    this.#skipped = ctx.tree.finished;
    this.#ctx = ctx;
    this.#run = run;
    this.#offers = parts.offers(opened, (error) => this.#storeFailed(error));
    this.#dispatcher = new Dispatcher(ctx, run, this.#offers);
    this.#act = parts.acting(this, opened, this.#actingLoop());
    this.#foldsOf = parts.foldsOf;
    this.#rechecks = parts.rechecks(ctx, (work) => this.#turns.run(() => ctx.gate.alone(work)));
    this.#reports = parts.reports(
      opened,
      () => this.#rechecks.sinceEarlier(),
      () => this.results,
    );
    ctx.closing.writeInterim = () => this.#reports.writeInterim();
    // A node that a person makes in the folder is wanted as much as one that they add by its title.
    ctx.history.listen((event) => {
      if (event.type !== 'node-added' || event.by !== FOUND.byHand) return;
      for (const path of ownIn(event)) {
        const node = nodeAt(ctx.tree, path);
        if (node) run.strategy.wish(node.id);
      }
    });
  }

  get state(): 'running' | 'waiting' | 'paused' | 'finished' {
    const isWaiting = this.#ctx.asks.isWaiting || this.#dispatcher.isWaiting;
    return this.#state === 'running' && isWaiting ? 'waiting' : this.#state;
  }

  /** True while its loop runs. */
  get isActive(): boolean {
    return this.#state === 'running';
  }

  /** Number of slots now. */
  get concurrency(): number {
    return slotsToPlan(this.#ctx);
  }

  get limits(): Limits {
    return this.#ctx.limits.now;
  }

  /** The record so far, including earlier runs; kept up to date. */
  get record(): SearchRecord {
    return this.#ctx.history.past;
  }

  get results(): Results {
    const common = resultsOf(this.tree, this.#ctx.history.ledger.spend, this.#skipped);
    // The kind's part may have to walk the tree: not while views ask for it all the time.
    if (this.#state === 'running' || !this.#run.findings) return common;
    return { ...common, [this.kind.descriptor.name]: this.#run.findings.results() };
  }

  /** The moves under way now. */
  get running(): readonly MoveUnderWay[] {
    return this.#dispatcher.running;
  }

  /** Adds a listener for every event from now on; returns a function that removes it. */
  listen(listener: Listener): () => void {
    return this.#ctx.history.listen(listener);
  }

  /**
   * Works until the search is finished, paused, or needs something. Never throws because of one node.
   * @throws ThoughtTreeError `lease-lost` if another process took over the search
   */
  async run({ wait = false }: RunOptions = {}): Promise<Outcome> {
    const { history, model, models, judge, store } = this.#ctx;
    this.#state = 'running';
    this.#dispatcher.ready();
    if (this.record.offers.unapplied.length > 0)
      await this.#offers.takeUp().catch((error: unknown) => this.#storeFailed(error)); // making their files had failed
    const type = history.past.hasBegun ? 'search-resumed' : 'search-started';
    this.#tellLease();
    const priced = [model, ...models, judge].flatMap((each) =>
      each?.price && !each.free ? [[each.name, each.price]] : [],
    );
    const prices = priced.length > 0 ? { prices: Object.fromEntries(priced) } : {};
    history.note({ type, model: model.name, ...(judge && { judge: judge.name }), limits: this.limits, ...prices });
    this.#tellSkipped();
    for (const older of this.record.edits.inWords(this.tree)) history.note({ type: 'progress', ...noted(older) });
    const onChange = (offers: readonly Offer[]): void => this.#tellWaiting(offers);
    try {
      return await this.#conclude(await this.#dispatcher.run({ stays: wait, onChange }));
    } finally {
      store.forgetReads();
    }
  }

  /**
   * Makes the plan that has to be known before the search begins, and has it reviewed; nothing for kinds without one.
   * @param show resolves once a person agrees, who may have edited its file
   * @param making called before a model is asked for it, which takes a while
   * @throws ThoughtTreeError errors of the model's call, and of `show`
   */
  async prepare(show: (plan: Plan) => Promise<void>, making?: () => void): Promise<void> {
    await this.#run.prepare?.(show, () => {
      // An earlier process may have been killed while its answer was corrected.
      this.#tellLease();
      making?.();
    });
  }

  /** Journals which process writes from here on, without the token of its lease, which opens the way to requests. */
  #tellLease(): void {
    const { history, store } = this.#ctx;
    if (!store.holder) return;
    const { epoch, pid, host } = store.holder;
    history.note({ type: 'lease-taken', epoch, pid, host });
  }

  /** Leaves a search that does not run for later, and says why. */
  async putOff(why: Extract<Stop, { kind: 'paused' }>): Promise<Outcome> {
    return await this.#conclude(why);
  }

  /** Tells what running it would do: of a search that came to its end, its report at most. */
  async left(): Promise<'work' | 'report' | 'nothing'> {
    if (this.record.turn?.type !== 'search-finished' || this.#run.strategy.end === undefined) return 'work';
    return (await this.#isReported()) ? 'nothing' : 'report';
  }

  /**
   * Closes a search that came to its end if running it could only rewrite its report: nobody pays for that by going on.
   * @throws ThoughtTreeError `bad-input` saying what to do instead; then it is closed
   */
  async closeIfDone(): Promise<void> {
    if ((await this.left()) !== 'report') return;
    await this.close();
    throw new ThoughtTreeError('bad-input', nothingLeft({ title: oneLine(this.file.title, 200) }));
  }

  /** Returns the results as a message for programs; undefined for kinds without one. */
  async message(): Promise<object | undefined> {
    return await this.#run.findings?.message();
  }

  /**
   * Stops the search: lets the slots finish, or with `now` stops them at once. `run` then resolves. A report that is being
   * written is then written without its call.
   * @param why in words; by default only that it is paused
   */
  pause(now = false, why: Message = say.paused()): void {
    if (now) this.#ctx.closing.stop();
    this.#dispatcher.stop({ kind: 'paused', reason: 'user', ...kept(why) }, now);
  }

  /** Stops at once, since another process took the search over: `run` then rejects with why. */
  lose(error: unknown): void {
    this.#ctx.closing.stop();
    this.#dispatcher.stop({ kind: 'lost', error }, true);
  }

  /** Ends the search where it is, with its report: at most one more call. If it is running, `run` resolves with it. */
  async finish(): Promise<void> {
    const stop: Stop = { kind: 'finished', reason: 'finish-now' };
    if (this.#state === 'running') this.#dispatcher.stop(stop, true);
    else await this.#conclude(stop);
  }

  /**
   * Carries out an action, at any time, one after the other; journaled together with who asked.
   * @param by who asks, in a word or two
   * @throws ThoughtTreeError `bad-input`, `edited`, `not-found`, saying what to do; then nothing has changed
   */
  act(call: ActionCall, by: string): Promise<Acted> {
    return this.#turns.run(() => this.#act(call, by));
  }

  /** Applies changes on disk at a slug path; an unknown path is looked for from above. */
  async reconcile(path: string): Promise<void> {
    await this.#ctx.nodes.look(nearestNode(this.tree, path));
    this.#dispatcher.pump();
  }

  /**
   * Rechecks the quotations in the documents of a branch after files of the workspace have changed. The search continues
   * meanwhile; checks are made one after the other, and their writes take turns with a person's actions.
   * @param path slug path; empty for the whole search
   * @returns the number of nodes whose marks changed
   */
  recheckCitations(path = ''): Promise<number> {
    return this.#rechecks.check(path);
  }

  /** Closes the model and releases the lease. */
  async close(): Promise<void> {
    this.#rechecks.stop();
    this.#offers.close();
    await this.#turns.idle();
    const { model, models, judge } = this.#ctx;
    for (const each of new Set([model, ...models, judge])) await each?.close?.();
    await this.#ctx.purse?.close();
    await this.#ctx.workspaceText?.close();
    await this.#ctx.workshop?.close();
    await this.#ctx.asks.tools?.toolbox.close?.();
    await this.#ctx.store.close(() => this.#foldsOf(this.kind, this.file.title));
  }

  #actingLoop(): ActingLoop {
    return {
      release: (nodes) => this.#dispatcher.release(nodes),
      wish: (node) => this.#run.strategy.wish(node),
      again: async (node) => await this.#run.again(node),
      setSize: (size) => this.#run.strategy.grow(size),
      pause: (now) => this.pause(now),
      finish: () => this.finish(),
      writeReport: () => this.#reports.write(),
      writeInterim: () => this.#reports.writeInterim(),
      offers: this.#offers,
    };
  }

  async #conclude(stop: Stop): Promise<Outcome> {
    const { history } = this.#ctx;
    if (stop.kind === 'lost') {
      this.#state = 'paused';
      throw stop.error;
    }
    if (stop.kind === 'finished') {
      const ofOneCause = stop.reason === 'finish-now' ? undefined : await this.#reopenFailed();
      if (ofOneCause) return this.#conclude(ofOneCause);
      await this.#rechecks.sinceEarlier();
      const failed = await this.#report();
      if (failed) return this.#conclude(failed);
      history.note({ type: 'progress', ...noted(completed(this.results)) });
    }
    if (stop.kind === 'paused') await this.#reportOnPause(stop.reason);
    if (stop.kind === 'waiting') return await this.#rest(stop.offers);
    const why = stop.kind === 'finished' ? this.#whyNothing() : undefined;
    this.#state = stop.kind;
    this.#ctx.closing.renew(); // stopping the search does not stop later reports
    const { event, outcome } = endOf(stop, this.results, why);
    const ending = history.record(event, true);
    if (stop.kind === 'paused' && stop.reason === 'store')
      await ending.catch(() => undefined); // a failure to write has already been reported
    else await ending;
    return outcome;
  }

  #whyNothing(): Message | undefined {
    return this.#run.whyNothing() ?? (isNothing(this.results) ? say.nothingWritten() : undefined);
  }

  /** Opens all again, where everything that was tried failed for one reason: that is not the nodes' fault. */
  async #reopenFailed(): Promise<Stop | undefined> {
    if (!isNothing(this.results)) return undefined;
    const failed = [...walk(this.tree.root)].filter(({ status }) => status === 'failed');
    const [first] = failed;
    if (!first?.failure || failed.some(({ failure }) => failure?.reason !== first.failure?.reason)) return undefined;
    const { reason, message, say: said } = first.failure;
    for (const node of failed) if (await this.#ctx.nodes.wanted(node)) await this.#ctx.nodes.reopen(node);
    return {
      kind: 'paused',
      reason: 'person',
      cause: reason,
      ...kept(say.allFailed({ why: messageOf(message, said) })),
    };
  }

  /**
   * Leaves a report behind that says what is known: with the call that was reserved for it where a limit ends the search,
   * without one where a person does. A report that cannot be written keeps no search from being paused.
   */
  async #reportOnPause(reason: PauseReason): Promise<void> {
    if (!this.#ctx.closing.reportsOnPause || this.tree.finished === 0 || reason === 'store') return;
    await this.#reports.writeInterim(reason === 'budget').catch(() => undefined);
  }

  /** Leaves the rest of the search to those outside. */
  async #rest(offers: readonly Offer[]): Promise<Outcome> {
    this.#state = 'waiting';
    const { type, ...said } = waitingFor(offers);
    await this.#ctx.history.record({ type, ...said }, true);
    return { state: 'waiting', offers, ...said, results: this.results };
  }

  #tellWaiting(offers: readonly Offer[]): void {
    this.#ctx.history.note(offers.length === 0 ? { type: 'search-running', reason: 'offers' } : waitingFor(offers));
  }

  /** Writes the report unless there is one that covers everything; if it cannot be written, the search is not finished. */
  async #report(): Promise<Stop | undefined> {
    if (await this.#isReported()) return undefined;
    try {
      await this.#reports.write();
      return undefined;
    } catch (error) {
      return stopUnwritable(error);
    }
  }

  async #isReported(): Promise<boolean> {
    return this.record.isReportFresh && (await this.#ctx.store.readReport()) !== undefined;
  }

  #tellSkipped(): void {
    for (const node of this.tree.root.children)
      if (node.listed) this.#ctx.history.note({ type: 'progress', ...noted(say.nodeSkipped({ title: node.title })) });
  }

  #storeFailed(error: unknown): void {
    this.#dispatcher.stop(stopUnwritable(error), true);
  }
}

/** Returns the end of a run as the journal tells it and as its caller gets it. @param why why there is nothing to show */
function endOf(
  stop: Extract<Stop, { kind: 'finished' | 'paused' }>,
  results: Results,
  why: Message | undefined,
): { event: SearchEvent; outcome: Outcome } {
  if (stop.kind === 'paused') {
    const { kind: state, ...said } = stop;
    return { event: { type: 'search-paused', results, ...said }, outcome: { state, results, ...said } };
  }
  const { kind: state, ...said } = why ? { ...stop, ...kept(why) } : stop;
  return { event: { type: 'search-finished', results, ...said }, outcome: { state, results, ...said } };
}

function waitingFor({ length: count }: readonly Offer[]) {
  return { type: 'search-waiting', reason: 'offers', ...kept(say.waitsForAnswers({ count })) } as const;
}

/**
 * The parts of a search that the kernel does not import: whoever opens a search hands them in, as `openHeldSearch` of
 * `engine-parts` does.
 */
interface EngineParts {
  /**
   * Reads a search's files, repairs what a kill left, adds up its spend, and lets its kind open it.
   * @param onStoreFailure called if the journal cannot be written
   */
  readonly openKind: (onStoreFailure: (error: unknown) => void) => Promise<OpenedKind>;
  /** Takes up what earlier runs left open. */
  readonly takeUp: (opened: OpenedKind) => Promise<void>;
  /** @param failed called if kept answers cannot be written to files */
  readonly offers: (opened: OpenedKind, failed: (error: unknown) => void) => Offers;
  /** @param apart does something while nothing else changes the tree or its files */
  readonly rechecks: (ctx: SearchContext, apart: <T>(work: () => Promise<T>) => Promise<T>) => Rechecks;
  readonly reports: (opened: OpenedKind, recheck: () => Promise<void>, results: () => Results) => Reports;
  readonly acting: (search: Search, opened: OpenedKind, loop: ActingLoop) => Act;
  /** Returns the folds of the journal that the next opening needs. */
  readonly foldsOf: (kind: Kind, title: string) => Folds;
}

/** A search that its kind has opened. */
export interface OpenedKind {
  readonly kind: Kind;
  readonly ctx: SearchContext;
  readonly run: KindRun;
}

/** Carries out an action, and journals it together with who asked. */
type Act = (call: ActionCall, by: string) => Promise<Acted>;

/** The result of an action: as data, and in words for whoever asked. */
export interface Acted {
  readonly value: unknown;
  readonly say: Message;
}

/** Checks citations again, after files have changed. */
interface Rechecks {
  /** Returns the number of nodes whose marks changed. */
  check(path: string): Promise<number>;
  /** Checks citations of earlier runs, once. */
  sinceEarlier(): Promise<void>;
  stop(): void;
}

/** Writes report.md, one at a time. */
interface Reports {
  write(): Promise<void>;
  /** @param asks whether the one call that a report may make is made for it */
  writeInterim(asks?: boolean): Promise<InterimWritten>;
}
