import type { ActionCall } from '../core/actions/action-call.ts';
import type { SearchFacts } from '../core/actions/action-face.ts';
import { actionsOf as actionFacesOf } from '../core/actions/actions.ts';
import { nothingLeft } from '../core/actions/messages.ts';
import { SerialQueue } from '../core/concurrency/serial-queue.ts';
import { kept, messageOf, noted } from '../core/messages/kept.ts';
import type { Message } from '../core/messages/message.ts';
import type { Offer } from '../core/offers/offer.ts';
import type { Store } from '../core/ports/store.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { FOUND, type PauseReason, type Results, type SearchEvent } from '../core/search/events.ts';
import type { Limits } from '../core/search/limits.ts';
import type { SearchRecord } from '../core/search/record/search-record.ts';
import { isResumable } from '../core/search/record/search-record.ts';
import { searchState } from '../core/search/record/search-state.ts';
import { ownIn } from '../core/search/record/wishes.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { oneLine } from '../core/text/text.ts';
import { isSolved, nearestNode, nodeAt, type Tree, walk } from '../core/tree/tree.ts';
import { type Acted, type ActingSearch, act } from './actions/act.ts';
import { actionsOf } from './actions/engine-actions.ts';
import { Rechecks } from './grounding/rechecks.ts';
import type { Listener } from './history.ts';
import type { Kind, KindRun, Plan } from './kind/kind.ts';
import { Dispatcher, type MoveUnderWay } from './loop/dispatcher.ts';
import { type Stop, stopUnwritable } from './loop/stop.ts';
import * as say from './messages.ts';
import { waitsForAnswers } from './offers/messages.ts';
import { Offers } from './offers/offers.ts';
import { foldsOf, type OpenedKind, openKind } from './open-kind.ts';
import type { Outcome, RunOptions } from './outcome.ts';
import { isInterim } from './report/interim.ts';
import { ReportWriting } from './report/report-writing.ts';
import { completed, isNothing, resultsOf } from './results.ts';
import type { SearchContext } from './search-context.ts';
import type { SearchParts } from './search-parts.ts';
import { slotsToPlan } from './slots-to-plan.ts';
import { takeUp } from './take-up.ts';

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
  readonly #reports: ReportWriting;
  readonly #acting: ActingSearch;
  /** The requests of people, carried out one after the other. */
  readonly #turns = new SerialQueue();
  #state: Outcome['state'] | 'running' = 'paused';

  /**
   * Opens a search that this process holds: reads its files, repairs what a kill left, adds up its spend.
   * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version` if search.json is unusable
   */
  static async open(parts: SearchParts): Promise<Search> {
    const late: { search?: Search } = {};
    const opened = await openKind(parts, (error) => {
      if (late.search) late.search.#storeFailed(error);
    });
    const search = new Search(opened);
    late.search = search;
    await takeUp(opened);
    await search.#offers.takeUp();
    return search;
  }

  private constructor({ kind, ctx, run }: OpenedKind) {
    this.file = ctx.file;
    this.kind = kind;
    this.tree = ctx.tree;
    this.#skipped = ctx.tree.finished;
    this.#ctx = ctx;
    this.#run = run;
    this.#offers = new Offers(ctx, {
      protocol: run.offers,
      tell: (move, result) => run.strategy.tell(move, result),
      apart: (work) => ctx.gate.alone(work),
      failed: (error) => this.#storeFailed(error),
    });
    this.#dispatcher = new Dispatcher(ctx, run, this.#offers);
    this.#acting = this.#actingSearch();
    this.#rechecks = new Rechecks(ctx, (work) => this.#turns.run(() => ctx.gate.alone(work)));
    this.#reports = new ReportWriting({
      closing: ctx.closing,
      store: ctx.store,
      recheck: () => this.#rechecks.sinceEarlier(),
      write: () => run.writeReport(this.results),
    });
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
    if (this.#state === 'running' || !this.#run.results) return common;
    return { ...common, [this.kind.face.name]: this.#run.results() };
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
    const { history, model, judge, store } = this.#ctx;
    this.#state = 'running';
    this.#dispatcher.ready();
    if (this.record.offers.unapplied.length > 0)
      await this.#offers.takeUp().catch((error: unknown) => this.#storeFailed(error)); // making their files had failed
    const type = history.past.hasBegun ? 'search-resumed' : 'search-started';
    if (store.holder) history.note(leaseTaken(store.holder));
    history.note({ type, model: model.name, ...(judge && { judge: judge.name }), limits: this.limits });
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
    await this.#run.prepare?.(show, making);
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

  /** The results as a message for programs; undefined for kinds without one. */
  async message(): Promise<object | undefined> {
    return await this.#run.message?.();
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
    return this.#turns.run(() => act(this.#acting, call, by));
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
    await this.#ctx.model.close?.();
    await this.#ctx.judge?.close?.();
    await this.#ctx.workspaceText?.close();
    await this.#ctx.workshop?.close();
    await this.#ctx.asks.tools?.toolbox.close?.();
    await this.#ctx.store.close(() => foldsOf(this.kind, this.file.title));
  }

  #actingSearch(): ActingSearch {
    const ctx = this.#ctx;
    return {
      ctx,
      faces: actionFacesOf(this.kind.face),
      actions: actionsOf(this.#run),
      facts: async () => searchFacts(this, this.#state === 'running', await ctx.store.readReport()),
      loop: {
        release: (nodes) => this.#dispatcher.release(nodes),
        wish: (node) => this.#run.strategy.wish(node),
        again: async (node) => await this.#run.again?.(node),
        setSize: (size) => this.#run.strategy.grow(size),
        pause: (now) => this.pause(now),
        finish: () => this.finish(),
        writeReport: () => this.#reports.write(),
        writeInterim: () => this.#reports.writeInterim(),
        offers: this.#offers,
      },
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
    const { kind, ...said } = why ? { ...stop, ...kept(why) } : stop;
    this.#state = kind;
    this.#ctx.closing.renew(); // stopping the search does not stop later reports
    const { results } = this;
    const ending = history.record({ type: `search-${kind}`, results, ...said } as never, true);
    if (stop.kind === 'paused' && stop.reason === 'store')
      await ending.catch(() => undefined); // a failure to write has already been reported
    else await ending;
    return { state: kind, results, ...said } as Outcome;
  }

  #whyNothing(): Message | undefined {
    return this.#run.whyNothing?.() ?? (isNothing(this.results) ? say.nothingWritten() : undefined);
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

function waitingFor({ length: count }: readonly Offer[]) {
  return { type: 'search-waiting', reason: 'offers', ...kept(waitsForAnswers({ count })) } as const;
}

/** Without its token, which opens the way to requests. */
function leaseTaken({ epoch, pid, host }: NonNullable<Store['holder']>): SearchEvent {
  return { type: 'lease-taken', epoch, pid, host };
}

/**
 * An open search, for deciding what can be done to it.
 * @param isActive whether its loop is running
 * @param report report.md, if there is one
 */
function searchFacts({ state, tree, record }: Search, isActive: boolean, report: string | undefined): SearchFacts {
  const hasReport = report !== undefined;
  const { root, counts, size } = tree;
  const isDivided = root.listed;
  const open = counts.unexpanded + counts['in-progress'];
  const isOpen = !isDivided || open > 0 || size === 0;
  const { turn, waitsOutside } = record;
  const left = searchState({
    last: turn?.type,
    waitsOutside,
    isHeld: false,
    isOpen,
    hasReport: hasReport && !isInterim(report),
  });
  const now = isActive ? state : left;
  return {
    state: now,
    isResumable: isResumable(now, { record, open, isSolved: isSolved(tree) }),
    hasBegun: record.hasBegun,
    isDivided,
    hasReport,
    failed: counts.failed,
    limit: record.limitReached,
    offers: record.offers.size,
  };
}
