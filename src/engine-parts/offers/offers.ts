import type { Move, MoveResult } from '../../core/kind/strategy.ts';
import type { Message } from '../../core/messages/message.ts';
import { type Offer, type OfferAnswer, OfferAnswers, OfferDraft } from '../../core/offers/offer.ts';
import { type AnswerBatch, isLate, type OfferBook, type OpenOffer, takingAt } from '../../core/offers/offer-book.ts';
import type { AnswerProblem } from '../../core/offers/verdict.ts';
import { type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import { isPruned, nodeAt, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';
import type {
  AnsweredOffer,
  Applied,
  OfferingExecutor,
  OfferProtocol,
  Offers,
  SearchContext,
  Taker,
} from '../../engine/context.ts';
import * as say from './messages.ts';

/** The length of an offer's name, in characters, if it is unique. */
const NAME_LENGTH = 8;

interface OffersParts {
  /** The handling of answers by the search's kind. */
  readonly protocol: OfferProtocol | undefined;
  /** Reports the result of a move to the strategy. */
  readonly tell: (move: Move, result: MoveResult) => void;
  /** Does something while nothing is committed and no move begins. */
  readonly apart: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called if kept answers cannot be written to files: the next opening repeats it. */
  readonly failed: (error: unknown) => void;
}

/**
 * The moves of an open search that somebody outside may take and answer. Their state is in the journal, so that it is the
 * same for the next process; a move of this run is matched to its offer by what both are about.
 */
export class SearchOffers implements Offers {
  readonly #ctx: SearchContext;
  readonly #parts: OffersParts;
  /** The moves of this run, by the name of their offer. */
  readonly #moves = new Map<string, Move>();
  /** Offers of earlier runs that no move has been matched to yet, by what they are about. */
  readonly #left = new Map<string, string[]>();
  readonly #closed = new AbortController();

  constructor(ctx: SearchContext, parts: OffersParts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  get #book(): OfferBook {
    return this.#ctx.history.past.offers;
  }

  /** The offers that the search waits for, oldest first. */
  get pending(): readonly Offer[] {
    return this.#book.open.flatMap(({ offer }) => (this.#moves.has(offer.id) ? offer : []));
  }

  /** Takes up what earlier runs left: kept answers that were not applied, expired offers, or offers without their nodes. */
  async takeUp(): Promise<void> {
    // A journal may come from anywhere: a kind that makes no offers has no answers to apply.
    if (this.#parts.protocol) for (const batch of this.#book.unapplied) await this.#apply(batch);
    for (const open of this.#book.open) {
      const { offer, taking } = open;
      if (!this.#moves.has(offer.id)) this.#leave(offer);
      if (taking?.expiresAt !== undefined) this.#watch(offer.id, taking.expiresAt);
    }
    this.sweep();
  }

  /**
   * Offers a move, or finds the offer that an earlier run made of it.
   * @throws the kind's error if it cannot describe the move
   */
  async make(move: Move, executor: OfferingExecutor, signal: AbortSignal): Promise<MoveResult | 'offered'> {
    const { tree, nodes, history } = this.#ctx;
    const found: TreeNode[] = [];
    for (const id of move.nodes) {
      const node = tree.get(id);
      if (node) await nodes.lookBeforeWork(node, signal);
      if (!node || tree.get(id) !== node || isPruned(node)) return { outcome: 'dropped' };
      found.push(node);
    }
    const paths = found.map(pathOf);
    const left = this.#left.get(topicOf(move.kind, paths))?.shift();
    if (left !== undefined && this.#book.find(left)) {
      this.#moves.set(left, move);
      return 'offered';
    }
    const draft = OfferDraft.parse(await executor.offer(move, signal));
    const offer: Offer = { id: this.#newName(), kind: move.kind, nodes: paths, ...draft };
    this.#moves.set(offer.id, move);
    history.note({ type: 'offer-made', offer });
    return 'offered';
  }

  /**
   * Assigns an offer; if it is already assigned to the same taker, its time starts again.
   * @throws ThoughtTreeError `offer-gone`, `offer-answered`, `offer-taken`
   */
  async take(id: string, { by, isPerson = false }: Taker): Promise<OpenOffer> {
    await this.#look([id]);
    const now = this.#ctx.clock.now();
    const { offer } = this.#openFor(id, by);
    this.#expire(id);
    const expiresAt = isPerson || offer.expiresMs === undefined ? undefined : now + offer.expiresMs;
    const until = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() };
    const person = isPerson ? { person: true } : {};
    await this.#ctx.history.record({ type: 'offer-taken', offer: id, by, ...person, ...until }, true);
    if (expiresAt !== undefined) this.#watch(id, expiresAt);
    return this.#book.find(id) as OpenOffer;
  }

  /**
   * Makes an offer available to others.
   * @throws ThoughtTreeError `offer-gone`, `offer-answered`, `offer-taken` if somebody else works on it
   */
  async giveBack(id: string, by: string): Promise<void> {
    const { taking } = this.#openFor(id, by);
    if (taking?.by === by) await this.#ctx.history.record({ type: 'offer-given-back', offer: id, by }, true);
  }

  /**
   * Accepts answers that belong together: checked as a whole, kept in one record, and only then written to files.
   * @param answers checked by `OfferAnswers`
   * @throws ThoughtTreeError `bad-input`, or the reason of the first offer that rejects their answer, with all problems in
   *   its details; then nothing has changed
   */
  async answer(answers: readonly OfferAnswer[], by: string): Promise<Applied> {
    await this.#look(answers.map(({ offer }) => offer));
    return await this.#parts.apart(() => this.#answer(answers, by));
  }

  async #answer(answers: readonly OfferAnswer[], by: string): Promise<Applied> {
    this.sweep();
    const now = this.#ctx.clock.now();
    const problems = answers.flatMap(({ offer }): AnswerProblem[] => {
      const say = refusalOf(this.#book, offer, by, now, true);
      return say ? [{ offer, ...say }] : [];
    });
    if (problems.length > 0) throw answersRefused(problems);
    const answered = answers.map(({ offer: id, result }) =>
      this.#withNodes((this.#book.find(id) as OpenOffer).offer, result),
    );
    const verdict = await this.#protocol.check(answered as AnsweredOffer[]);
    if (!verdict.ok) throw answersRefused(verdict.problems);
    const kept = answers.map(({ offer }, i) => ({ offer, result: verdict.results[i] ?? null }));
    await this.#ctx.history.record({ type: 'offers-answered', answers: OfferAnswers.parse(kept), by }, true);
    const batch = this.#book.unapplied.at(-1) as AnswerBatch;
    const value = await this.#apply(batch).catch((error: unknown) => {
      this.#parts.failed(error);
      throw error;
    });
    return { offers: kept.map(({ offer }) => offer), value };
  }

  /** Withdraws the offers about released nodes. */
  release(nodes: ReadonlySet<NodeId>): void {
    this.#withdraw(({ id }) => nodes.has(id));
  }

  /** Withdraws the offers whose nodes are gone or pruned; returns whether there were any. */
  sweep(): boolean {
    return this.#withdraw((node) => this.#ctx.tree.get(node.id) !== node || isPruned(node));
  }

  /** Stops watching offers. */
  close(): void {
    this.#closed.abort();
  }

  get #protocol(): OfferProtocol {
    const { protocol } = this.#parts;
    if (!protocol) throw new RangeError(`the kind ${this.#ctx.descriptor.name} makes offers and takes no answers`);
    return protocol;
  }

  /** Writes files from kept answers, and tells the strategy. */
  async #apply({ answers, by }: AnswerBatch): Promise<unknown> {
    const offers = answers.map(({ offer }) => offer.id);
    // A person may have removed a node since; answers about it are then dropped, like any other work.
    const standing = answers.flatMap(({ offer, result }) => this.#withNodes(offer, result) ?? []);
    const value = standing.length > 0 ? await this.#protocol.apply(standing, by) : undefined;
    await this.#ctx.history.record({ type: 'offers-applied', offers });
    for (const id of offers) this.#settle(id, { outcome: 'done' });
    return value;
  }

  /** Rereads the nodes of offers from the disk, so that changes by hand are known. */
  async #look(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const open = this.#book.find(id);
      const nodes = open && this.#nodesOf(open.offer);
      for (const node of nodes ?? []) await this.#ctx.nodes.lookBeforeWork(node, this.#closed.signal);
    }
    this.sweep();
  }

  #withNodes(offer: Offer, result: unknown): AnsweredOffer | undefined {
    const nodes = this.#nodesOf(offer);
    return nodes && { offer, nodes, result };
  }

  /** Returns the nodes that an offer is about; undefined if one of them is gone. */
  #nodesOf({ id, nodes }: Offer): TreeNode[] | undefined {
    const { tree } = this.#ctx;
    const move = this.#moves.get(id);
    const found = move ? move.nodes.map((node) => tree.get(node)) : nodes.map((path) => nodeAt(tree, path));
    const standing = found.filter((node) => node !== undefined);
    return standing.length === found.length ? standing : undefined;
  }

  #openFor(id: string, by: string): OpenOffer {
    const refusal = refusalOf(this.#book, id, by, this.#ctx.clock.now(), false);
    if (refusal) throw new ThoughtTreeError(refusal.reason, refusal.say);
    return this.#book.find(id) as OpenOffer;
  }

  #withdraw(isUnwanted: (node: TreeNode) => boolean): boolean {
    const offers = this.#book.open.flatMap(({ offer }) => {
      const nodes = this.#nodesOf(offer);
      return !nodes || nodes.some(isUnwanted) ? offer.id : [];
    });
    if (offers.length === 0) return false;
    this.#ctx.history.note({ type: 'offers-withdrawn', offers });
    for (const id of offers) this.#settle(id, { outcome: 'dropped' });
    return true;
  }

  #settle(id: string, result: MoveResult): void {
    const move = this.#moves.get(id);
    this.#moves.delete(id);
    if (move) this.#parts.tell(move, result);
  }

  #leave({ id, kind, nodes }: Offer): void {
    const topic = topicOf(kind, nodes);
    const left = this.#left.get(topic) ?? [];
    if (!left.includes(id)) this.#left.set(topic, [...left, id]);
  }

  /** Reports that an offer has expired, once it has. */
  #expire(id: string): void {
    const open = this.#book.find(id);
    if (open?.taking && !takingAt(open, this.#ctx.clock.now()))
      this.#ctx.history.note({ type: 'offer-expired', offer: id });
  }

  #watch(id: string, expiresAt: number): void {
    const { clock } = this.#ctx;
    const { signal } = this.#closed;
    void clock.sleep(expiresAt - clock.now(), signal).then(() => {
      if (!signal.aborted) this.#expire(id);
    });
  }

  #newName(): string {
    const id = this.#ctx.random.id();
    const short = id.slice(0, NAME_LENGTH);
    return this.#book.find(short) || this.#book.settled(short) ? id : short;
  }
}

/** Returns the topic of an offer, in a form that two processes agree on. */
function topicOf(kind: string, paths: readonly string[]): string {
  return JSON.stringify([kind, ...paths]);
}

/** Why somebody cannot take or answer an offer. */
interface OfferRefusal {
  readonly reason: Reason;
  readonly say: Message;
}

/**
 * Why somebody may not take an offer, give it back or answer it; undefined if they may.
 * @param now milliseconds since 1970
 * @param isAnswer whether they answer it, for which it may be too late
 */
function refusalOf(
  book: OfferBook,
  offer: string,
  by: string,
  now: number,
  isAnswer: boolean,
): OfferRefusal | undefined {
  const open = book.find(offer);
  if (!open) return settled(book, offer);
  const taking = takingAt(open, now);
  if (taking && taking.by !== by) {
    const until = taking.expiresAt === undefined ? undefined : new Date(taking.expiresAt).toISOString();
    const taken =
      until === undefined
        ? say.offerTaken({ offer, by: taking.by })
        : say.offerTakenUntil({ offer, by: taking.by, until });
    return { reason: 'offer-taken', say: taken };
  }
  return isAnswer && isLate(open, by, now) ? { reason: 'offer-expired', say: say.offerTooLate({ offer }) } : undefined;
}

function settled(book: OfferBook, offer: string): OfferRefusal {
  const as = book.settled(offer);
  if (as === 'answered') return { reason: 'offer-answered', say: say.offerAnswered({ offer }) };
  return { reason: 'offer-gone', say: as === 'withdrawn' ? say.offerWithdrawn({ offer }) : say.noSuchOffer({ offer }) };
}

/** The error for rejected answers: each problem is in the details. */
function answersRefused(problems: readonly AnswerProblem[]): ThoughtTreeError {
  const [first] = problems;
  const why =
    problems.length > 1 ? say.answersWrong({ count: problems.length }) : say.answerWrong({ why: first?.say ?? '' });
  return new ThoughtTreeError(reasonOf(first), why, { problems });
}

const REASONS: readonly Reason[] = ['offer-gone', 'offer-answered', 'offer-taken', 'offer-expired'];

/** A kind may have its own codes for problems; as ours, they are invalid input. */
function reasonOf(problem: AnswerProblem | undefined): Reason {
  return REASONS.find((reason) => reason === problem?.reason) ?? 'bad-input';
}
