import { type Purposes, traitsOf, type Usage } from '../ports/model.ts';
import type { CallStatistics, CallSums } from './call-statistics.ts';

/** The expected use and time of one answer. */
export interface ExpectedAnswer extends Usage {
  readonly ms: number;
  /** US dollars per token, where servers reported them. */
  readonly usdPerToken: number | undefined;
}

/** The number of children of a node, by its depth. */
const FANOUTS = [8, 3.5, 2.5, 1.5];
/** Milliseconds until an answer begins, and for each of its tokens. */
const PACE = { begin: 1500, token: 15 };
/** Tokens that our own prompt text adds on each level of a conversation. */
const OUR_WORDS = 40;
/**
 * The number of answers that a guess counts as, and that earlier ones count as at most, the weight of an own answer,
 * and the number of searches that a guess of a whole one counts as.
 */
const WEIGHTS = { guess: 0.3, past: 20, own: 4, search: 0.5 };
/** The share by which a search of which nothing was seen may be wider than usual. */
const WIDER = 0.5;
/** The share of a prompt below the first level that caches serve, if unknown. */
const CACHED = 0.5;

/** A guess at what an answer uses, in tokens; `cached` is the share of the prompt that caches serve. */
export interface PartGuess {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
}

/**
 * The expected calls of a search: guesses where nothing is known, then what earlier searches showed, then what this one
 * shows, each with more weight than the one before.
 */
export class ExpectedCalls {
  readonly #past: CallStatistics;
  readonly #own: CallStatistics;
  readonly #purposes: Purposes;

  constructor(past: CallStatistics, own: CallStatistics, purposes: Purposes) {
    this.#past = past;
    this.#own = own;
    this.#purposes = purposes;
  }

  /** The number of answers that it is based on: of earlier searches, and of this one. */
  get seen(): { readonly past: number; readonly own: number } {
    const count = (of: CallStatistics): number => of.purposes.reduce((sum, purpose) => sum + of.of(purpose).answers, 0);
    return { past: count(this.#past), own: count(this.#own) };
  }

  /** @param given what one uses where nothing is known, if that is another guess than the purpose's own */
  answer(purpose: string, depth: number, given?: PartGuess): ExpectedAnswer {
    const guess = given ?? traitsOf(this.#purposes, purpose).guess;
    const isForked = this.#isForked(purpose) && depth > 0;
    const completion = this.#blend(purpose, depth, guess.completion, (sums) => sums.completion);
    const flat = (): number => this.#flatPrompt(purpose, depth, given && isForked ? 3 * given.prompt : guess.prompt);
    const prompt = isForked ? this.#forkedPrompt(purpose, depth, guess.prompt) : flat();
    const share = given ? given.cached : isForked && depth > 1 ? CACHED : 0;
    const cached =
      this.#share(
        purpose,
        (sums) => sums.cached,
        (sums) => sums.prompt,
      ) ?? share;
    const ms = this.#blend(purpose, depth, PACE.begin + PACE.token * completion, (sums) => sums.ms);
    const usdPerToken = this.#share(
      purpose,
      (sums) => sums.usd,
      (sums) => sums.paidTokens,
    );
    return { prompt, cached: cached * prompt, completion, ms, usdPerToken };
  }

  /** Calls needed for one usable answer; 1 or more. */
  callsPerAnswer(purpose: string): number {
    const { calls, answers } = this.#sums(purpose);
    return (calls + 20) / (answers + 20);
  }

  /**
   * Children of a node at a depth: on average, or as many as there may be in most searches.
   * @param atMost whether the latter is wanted
   * @param guess where nothing is known, if that is another guess than usual
   */
  fanout(depth: number, atMost = false, guess = FANOUTS[Math.min(depth, FANOUTS.length - 1)] ?? 2): number {
    let weight = WEIGHTS.guess;
    let sum = weight * guess;
    for (const [of, most, times] of this.#sources()) {
      const { lists, children } = of.lists(depth);
      if (lists === 0) continue;
      const counts = times * Math.min(lists, most);
      weight += counts;
      sum += (counts * children) / lists;
    }
    const seen = this.#past.lists(depth).lists + WEIGHTS.own * this.#own.lists(depth).lists;
    return (sum / weight) * (atMost ? 1 + WIDER / Math.sqrt(1 + seen / 4) : 1);
  }

  /** Returns how much the tokens of single answers differ: standard deviation over mean. */
  variation(purpose: string): number {
    const { answers, prompt, completion, squares } = this.#sums(purpose);
    if (answers < 3) return 0.6;
    const mean = (prompt + completion) / answers;
    return mean > 0 ? Math.sqrt(Math.max(0, squares / answers - mean ** 2)) / mean : 0;
  }

  /** Usable answers of a purpose per node worked on; undefined if none were seen. */
  perNode(purpose: string): number | undefined {
    const nodes = this.#past.finished + this.#own.finished;
    return nodes === 0 ? undefined : this.#sums(purpose).answers / nodes;
  }

  /**
   * Usable answers of a purpose in a whole search: a guess, then what earlier searches had, each of which counts more than
   * the guess.
   */
  perSearch(purpose: string, guess: number): number {
    const { searches } = this.#past;
    if (searches === 0) return guess;
    const counts = Math.min(searches, WEIGHTS.past);
    return (WEIGHTS.search * guess + (counts * this.#past.of(purpose).answers) / searches) / (WEIGHTS.search + counts);
  }

  /** Usable answers of a purpose that this search had. */
  made(purpose: string): number {
    return this.#own.of(purpose).answers;
  }

  /** Purposes that were seen. */
  get purposes(): string[] {
    return [...new Set([...this.#past.purposes, ...this.#own.purposes])];
  }

  /** A linear fit over depth; if only one depth was seen, each level adds a document and a list. */
  #forkedPrompt(purpose: string, depth: number, guess: number): number {
    const points: { depth: number; mean: number; weight: number }[] = [];
    for (const [of, most, times] of this.#sources())
      for (const [at, { answers, prompt }] of of.byDepth(purpose))
        if (at > 0 && answers > 0)
          points.push({ depth: at, mean: prompt / answers, weight: times * Math.min(answers, most) });
    const forked = Object.keys(this.#purposes).filter((each) => this.#isForked(each));
    const level = forked.reduce((sum, each) => sum + this.#completionOf(each), OUR_WORDS);
    if (points.length === 0) return guess + level * (depth - 1);
    const weight = points.reduce((sum, point) => sum + point.weight, 0);
    const middle = points.reduce((sum, point) => sum + point.weight * point.depth, 0) / weight;
    const mean = points.reduce((sum, point) => sum + point.weight * point.mean, 0) / weight;
    const spread = points.reduce((sum, point) => sum + point.weight * (point.depth - middle) ** 2, 0);
    const rise = points.reduce((sum, point) => sum + point.weight * (point.depth - middle) * (point.mean - mean), 0);
    // One more pair of points, a level apart, keeps the slope sensible where there is little data.
    const slope = (rise + level) / (spread + 1);
    return Math.max(1, mean + slope * (depth - middle));
  }

  /** Tells whether its answers are in the nodes' conversations, whose prompts grow from level to level. */
  #isForked(purpose: string): boolean {
    return traitsOf(this.#purposes, purpose).conversation === 'node';
  }

  #flatPrompt(purpose: string, depth: number, guess: number): number {
    return this.#blend(purpose, depth, this.#isForked(purpose) ? guess / 3 : guess, (sums) => sums.prompt);
  }

  #completionOf(purpose: string): number {
    return this.#blend(purpose, 1, traitsOf(this.#purposes, purpose).guess.completion, (sums) => sums.completion);
  }

  /** The mean of a figure per answer; the root's list is a case of its own, other depths are pooled. */
  #blend(purpose: string, depth: number, guess: number, of: (sums: CallSums) => number): number {
    let weight = WEIGHTS.guess;
    let total = weight * guess;
    for (const [statistics, most, times] of this.#sources()) {
      let answers = 0;
      let sum = 0;
      for (const [at, sums] of statistics.byDepth(purpose)) {
        if (this.#isForked(purpose) && (at === 0) !== (depth === 0)) continue;
        answers += sums.answers;
        sum += of(sums);
      }
      if (answers === 0) continue;
      const counts = times * Math.min(answers, most);
      weight += counts;
      total += (counts * sum) / answers;
    }
    return total / weight;
  }

  #share(purpose: string, of: (sums: CallSums) => number, over: (sums: CallSums) => number): number | undefined {
    let part = 0;
    let whole = 0;
    for (const [statistics, most, times] of this.#sources()) {
      const sums = statistics.of(purpose);
      if (sums.answers === 0 || over(sums) === 0) continue;
      const counts = (times * Math.min(sums.answers, most)) / sums.answers;
      part += counts * of(sums);
      whole += counts * over(sums);
    }
    return whole === 0 ? undefined : part / whole;
  }

  #sums(purpose: string): { answers: number; calls: number; prompt: number; completion: number; squares: number } {
    const [a, b] = [this.#past.of(purpose), this.#own.of(purpose)];
    return {
      answers: a.answers + b.answers,
      calls: a.calls + b.calls,
      prompt: a.prompt + b.prompt,
      completion: a.completion + b.completion,
      squares: a.squares + b.squares,
    };
  }

  #sources(): [CallStatistics, number, number][] {
    return [
      [this.#past, WEIGHTS.past, 1],
      [this.#own, Number.POSITIVE_INFINITY, WEIGHTS.own],
    ];
  }
}
