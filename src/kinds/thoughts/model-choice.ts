import * as z from 'zod';
import { costOf } from '../../core/money/price.ts';
import { ModelSpend, type ModelWorth } from '../../core/money/several-models.ts';
import type { Model } from '../../core/ports/model.ts';
import type { JournalEvent, KeptFold } from '../../core/search/events.ts';
import { movedPath } from '../../core/tree/slug.ts';
import { pathOf, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import { thoughtPurposes } from './purposes.ts';
import { seenAt } from './strategy/child-by-child.ts';
import { drawsAt, randomBeta } from './strategy/draws.ts';
import { BroughtByModels, type ThoughtSearch } from './thought-search.ts';

/** Several models are asked for thoughts; the cost of judging these is part of their price. */
const MAKES: ReadonlySet<string> = new Set(['generate', 'write-draft']);
const JUDGES: ReadonlySet<string> = new Set(['evaluate', 'read-draft']);

const Answer = z.object({
  model: z.string(),
  isJudged: z.boolean(),
  usd: z.number(),
  prompt: z.number(),
  cached: z.number(),
  completion: z.number(),
});
type Answer = z.infer<typeof Answer>;
const Missed = z.object({ count: z.number(), parts: z.number() });
type Missed = z.infer<typeof Missed>;
/** Such answers to one question, in the latest run that asked it. */
const Missing = Missed.extend({ model: z.string(), node: z.string(), run: z.number() });
type Missing = z.infer<typeof Missing>;

const Fresh = z.object({ node: z.string(), answer: Answer });
type Fresh = z.infer<typeof Fresh>;

const AnswersState = z.object({
  kept: z.array(z.tuple([z.string(), Answer])),
  open: z.array(z.tuple([z.string(), z.string()])),
  missed: z.array(z.tuple([z.string(), Missed])),
  fresh: z.array(z.tuple([z.string(), Fresh])),
  missing: z.array(z.tuple([z.string(), Missing])),
  runs: z.number(),
  passed: z.array(z.tuple([z.string(), z.array(z.string())])),
  spentUp: z.array(z.tuple([z.string(), z.number()])),
});

/** A sum over answers. */
interface Sum {
  readonly count: number;
  readonly usd: number;
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
}

const NOTHING_MADE: Sum = { count: 0, usd: 0, prompt: 0, cached: 0, completion: 0 };
/** Costs are summed in whole parts of a dollar, so that no order matters. */
const PARTS = 1e12;

/**
 * The answers that made thoughts, by the place in which they are kept: one that a kill lost, and that was asked for again, counts
 * once. So a search that was killed chooses its models as one that was not. Their sums are kept up to date, so that a choice reads
 * none of them.
 */
export class ModelAnswers implements KeptFold {
  static readonly part = 'model-answers';
  readonly name = ModelAnswers.part;
  readonly #kept = new Map<string, Answer>();
  readonly #open = new Map<string, string>();
  /** Those that no conversation keeps, since they could not be used or came after such. */
  readonly #missed = new Map<string, Missed>();
  /** Both of rounds under way, by place and by question: they count once these are over, as a kill may cut one off. */
  readonly #fresh = new Map<string, Fresh>();
  readonly #missing = new Map<string, Missing>();
  #runs = 0;
  /** The models that a round at a node goes on without. */
  readonly #passed = new Map<string, readonly string[]>();
  /** The limits at which models could spend nothing more. */
  readonly #spentUp = new Map<string, number>();
  readonly #made = new Map<string, Sum>();
  #judging = 0;

  apply(event: JournalEvent): void {
    if (event.type === 'call-started' && isCounted(event.purpose)) this.#open.set(event.call, event.model);
    else if (event.type === 'call-ended') this.#end(event);
    else if (event.type === 'search-resumed') this.#runs++;
    else if (event.type === 'models-passed') {
      const { node, round, models, spent } = event;
      this.#settle(node);
      if (models.length > 0) this.#passed.set(placeOf(node, round), models);
      else this.#passed.delete(placeOf(node, round));
      if (spent) this.#spentUp.set(spent.model, spent.most);
    } else if (event.type === 'generated') {
      this.#settle(event.node);
      this.#passed.delete(placeOf(event.node, event.round));
    } else if (event.type === 'node-moved') this.#move(event.from, event.node);
    else if (event.type === 'node-removed') this.#move(event.node);
  }

  #end({ call, question = call, node, usage, purpose, kept }: JournalEvent & { type: 'call-ended' }): void {
    const model = this.#open.get(call);
    this.#open.delete(call);
    if (model === undefined || !usage) return;
    const { usd = 0, prompt, cached, completion } = usage;
    const isJudged = JUDGES.has(purpose);
    const answer = { model, isJudged, usd, prompt, cached, completion };
    const place = kept && `${kept.conversation} ${kept.turn}`;
    if (isJudged && place !== undefined) this.#keep(place, answer);
    else if (place !== undefined) this.#fresh.set(place, { node, answer });
    else if (!isJudged) {
      const key = `${question} ${model}`;
      const before = this.#missing.get(key);
      const { count, parts } = before?.run === this.#runs ? before : { count: 0, parts: 0 };
      const sum = { count: count + 1, parts: parts + partsOf(usd) };
      this.#missing.set(key, { ...sum, model, node, run: this.#runs });
    }
  }

  /** Counts what a round at a node brought: it is over, or goes on without a model. */
  #settle(at: string): void {
    for (const [place, { node, answer }] of this.#fresh) {
      if (node !== at) continue;
      this.#keep(place, answer);
      this.#fresh.delete(place);
    }
    for (const [key, { model, node, count, parts }] of this.#missing) {
      if (node !== at) continue;
      const sum = this.#missed.get(model) ?? { count: 0, parts: 0 };
      this.#missed.set(model, { count: sum.count + count, parts: sum.parts + parts });
      this.#missing.delete(key);
    }
  }

  #keep(place: string, answer: Answer): void {
    const before = this.#kept.get(place);
    if (before) this.#count(before, -1);
    this.#kept.set(place, answer);
    this.#count(answer, 1);
  }

  #count({ model, isJudged, usd, prompt, cached, completion }: Answer, times: 1 | -1): void {
    const parts = times * partsOf(usd);
    if (isJudged) {
      this.#judging += parts;
      return;
    }
    const sum = this.#made.get(model) ?? NOTHING_MADE;
    this.#made.set(model, {
      count: sum.count + times,
      usd: sum.usd + parts,
      prompt: sum.prompt + times * prompt,
      cached: sum.cached + times * cached,
      completion: sum.completion + times * completion,
    });
  }

  /** Lets what is known of a branch go with it, or forgets it. */
  #move(from: string, to?: string): void {
    for (const [place, models] of Array.from(this.#passed)) {
      const [round = '', path = ''] = place.split(' ');
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#passed.delete(place);
      if (to !== undefined) this.#passed.set(placeOf(movedPath(path, from, to), Number(round)), models);
    }
  }

  missedBy(model: string): { readonly count: number; readonly usd: number } {
    const { count, parts } = this.#missed.get(model) ?? { count: 0, parts: 0 };
    return { count, usd: parts / PARTS };
  }

  /** Returns the sum of a model's answers that made thoughts, in tokens and US dollars. */
  madeBy(model: string): Sum {
    const sum = this.#made.get(model) ?? NOTHING_MADE;
    return { ...sum, usd: sum.usd / PARTS };
  }

  /** Returns this sum for all models together, and the cost of judging what they made. */
  get all(): Sum & { readonly judging: number } {
    const all = { ...NOTHING_MADE, judging: this.#judging / PARTS };
    for (const sum of this.#made.values())
      for (const name of ['count', 'usd', 'prompt', 'cached', 'completion'] as const) all[name] += sum[name];
    return { ...all, usd: all.usd / PARTS };
  }

  /** Returns the models that made no thoughts in a round at a node, or may spend nothing more. */
  passedIn(node: string, round: number): readonly string[] {
    return this.#passed.get(placeOf(node, round)) ?? [];
  }

  /** Tells whether a model could spend nothing more under a limit, in US dollars, that was at least as high. */
  isSpentUp(model: string, most: number): boolean {
    return most <= (this.#spentUp.get(model) ?? -1);
  }

  get state(): z.infer<typeof AnswersState> {
    const passed = [...this.#passed].map(([place, models]): [string, string[]] => [place, [...models]]);
    return {
      kept: [...this.#kept],
      open: [...this.#open],
      missed: [...this.#missed],
      fresh: [...this.#fresh],
      missing: [...this.#missing],
      runs: this.#runs,
      passed,
      spentUp: [...this.#spentUp],
    };
  }

  restore(state: unknown): void {
    const { kept, open, missed, fresh, missing, runs, passed, spentUp } = AnswersState.parse(state);
    this.#runs = runs;
    for (const [place, answer] of kept) this.#keep(place, answer);
    for (const [call, model] of open) this.#open.set(call, model);
    for (const [model, sum] of missed) this.#missed.set(model, sum);
    for (const [place, each] of fresh) this.#fresh.set(place, each);
    for (const [question, each] of missing) this.#missing.set(question, each);
    for (const [place, models] of passed) this.#passed.set(place, models);
    for (const [model, most] of spentUp) this.#spentUp.set(model, most);
  }
}

function partsOf(usd: number): number {
  return Math.round(usd * PARTS);
}

function placeOf(node: string, round: number): string {
  return `${round} ${node}`;
}

function isCounted(purpose: string): boolean {
  return MAKES.has(purpose) || JUDGES.has(purpose);
}

/** The thoughts of earlier searches that count at most, so that they are soon outweighed. */
const MOST_BEFORE = 10;
/** Jeffreys' prior. */
const PRIOR = 0.5;
/** In US dollars: what costs nothing is not worth infinitely much. */
const LEAST_COST = 1e-6;
/** In US dollars: a call of a model whose price nobody knows, until one was made. */
const UNKNOWN_COST = 0.01;

/** One of several models, as far as it is known. */
interface Arm {
  readonly name: string;
  /** Its place from the cheapest to the dearest, by price alone. */
  readonly rank: number;
  readonly good: number;
  readonly bad: number;
  /** The expected cost of one more of its answers, with its judging. */
  readonly cost: number;
  /** The dollars that its cache saves where it was asked last. */
  readonly saved: number;
  readonly hasRoom: boolean;
}

/**
 * Chooses which of several models makes the next thoughts at a node. The worth of each is drawn from what its thoughts were worth,
 * here and in this person's earlier searches, over what it costs; the highest wins. Where nothing stands of what was made at the
 * node, only dearer models than those that made it are left.
 * @param round the number of the round there, from 1
 * @param without those that were tried in it
 * @returns undefined if one model does all, or none is left
 */
export function chooseModel(
  ctx: ThoughtSearch,
  node: TreeNode,
  round: number,
  without: ReadonlySet<string>,
): string | undefined {
  const arms = armsOf(ctx);
  const left = arms.filter(({ name }) => !without.has(name));
  // Calls under way may turn out cheaper than they are booked.
  const open = left.some(({ hasRoom }) => hasRoom) ? left.filter(({ hasRoom }) => hasRoom) : left;
  const chosen = dearerAt(node, ctx.settings.threshold, arms, open);
  const random = drawsAt(ctx.settings.seed, `${pathOf(node)} model`, round + 1000 * without.size);
  const last = node.children.findLast(({ model }) => model !== undefined)?.model ?? node.model;
  let best: { name: string; worth: number } | undefined;
  for (const { name, good, bad, cost, saved } of chosen) {
    const worth = randomBeta(random, good, bad) / Math.max(LEAST_COST, cost + (name === last ? 0 : saved));
    if (!best || worth > best.worth) best = { name, worth };
  }
  return best?.name;
}

/** Leaves only dearer models than those whose thoughts were all refused at a node; the dearest, if there are none. */
function dearerAt(node: TreeNode, floor: number, arms: readonly Arm[], open: readonly Arm[]): readonly Arm[] {
  const rankOf = (name: string | undefined): number => arms.find((arm) => arm.name === name)?.rank ?? -1;
  const made = node.children.filter(({ model, prunedBy }) => rankOf(model) >= 0 && prunedBy !== 'user');
  if (made.length === 0 || !made.every((child) => isRefused(child, floor))) return open;
  const tried = Math.max(...made.map(({ model }) => rankOf(model)));
  const dearer = open.filter(({ rank }) => rank > tried);
  if (dearer.length > 0) return dearer;
  const dearest = Math.max(...open.map(({ rank }) => rank));
  return open.filter(({ rank }) => rank === dearest);
}

/** Tells whether a check or a judge said no to a thought, or a score below the floor did. */
function isRefused({ status, evaluation, leafReason }: TreeNode, floor: number): boolean {
  return status === 'pruned' || leafReason === 'duplicate' || (evaluation !== undefined && evaluation.score < floor);
}

function armsOf(ctx: ThoughtSearch): Arm[] {
  const { models, settings, history, brought } = ctx;
  const { past } = history;
  const answers = past.part(ModelAnswers);
  const { count: made = 0, prompt = 0, completion = 0, judging = 0 } = answers?.all ?? {};
  const rounds = Math.max(1, made);
  const answer = made > 0 ? { prompt: prompt / rounds, completion: completion / rounds } : GUESS;
  const usual = models.map((model) => usualCost(model, answer));
  const order = [...usual.keys()].sort((a, b) => (usual[a] ?? 0) - (usual[b] ?? 0) || a - b);
  return models.map(({ name, price, free }, index) => {
    const earlier = settings.modelsBefore.find(({ model }) => model === name);
    const here = brought.of(name);
    const { count, usd, cached } = answers?.madeBy(name) ?? NOTHING_MADE;
    const missed = answers?.missedBy(name) ?? { count: 0, usd: 0 };
    const judged = Math.min(MOST_BEFORE, earlier?.judged ?? 0);
    const good = earlier && earlier.judged > 0 ? judged * Math.min(1, earlier.good / earlier.judged) : 0;
    const calls = Math.min(MOST_BEFORE, earlier?.calls ?? 0);
    const before = earlier && earlier.calls > 0 ? (calls * earlier.usd) / earlier.calls : 0;
    const mean = ((usual[index] ?? 0) + before + usd + missed.usd) / (1 + calls + count);
    const most = settings.models.find((each) => each.name === name)?.most ?? Number.POSITIVE_INFINITY;
    return {
      name,
      rank: order.indexOf(index),
      good: PRIOR + good + here.good,
      bad: PRIOR + (judged - good) + (here.judged - here.good) + missed.count,
      cost: mean + judging / rounds,
      saved:
        price && !free && count > 0 ? ((cached / count) * Math.max(0, price.prompt - price.cached)) / 1_000_000 : 0,
      hasRoom: answers?.isSpentUp(name, most) !== true && (past.part(ModelSpend)?.atMost(name) ?? 0) + mean <= most,
    };
  });
}

/** Returns the cost of an answer by the price alone, if it is as long as those of all models here. */
function usualCost({ price, free }: Model, answer: typeof GUESS): number {
  if (free) return 0;
  return price ? costOf({ ...answer, cached: 0 }, price) : UNKNOWN_COST;
}

const GUESS: { readonly prompt: number; readonly completion: number } = thoughtPurposes.generate.guess;

/** Returns the sums and the best score, from 0 to 10, of each model's thoughts: one walk, for the report. */
function broughtBy(tree: Tree): { readonly sums: BroughtByModels; readonly best: ReadonlyMap<string, number> } {
  const sums = new BroughtByModels(tree);
  const best = new Map<string, number>();
  for (const node of walk(tree.root)) {
    sums.look(node);
    const { model } = node;
    if (model === undefined || seenAt(node) === undefined) continue;
    const score = node.leafReason === 'solved' ? (node.evaluation?.score ?? 10) : node.evaluation?.score;
    if (score !== undefined) best.set(model, Math.max(best.get(model) ?? 0, score));
  }
  return { sums, best };
}

/** The worth of one of several models in a search. */
export interface ModelResult extends ModelWorth {
  readonly best?: number;
}

/** Returns what each of several models was worth, even where none of them is opened any more; empty where one did all. */
export function modelResults(ctx: Pick<ThoughtSearch, 'models' | 'settings' | 'tree' | 'history'>): ModelResult[] {
  const shared = ctx.settings.models;
  if (shared.length === 0) return [];
  const { sums, best } = broughtBy(ctx.tree);
  const answers = ctx.history.past.part(ModelAnswers);
  const found = shared.map(({ name: model }) => {
    const { judged, good } = sums.of(model);
    // One of them may do all the rest, too: that says nothing of its thoughts.
    const made = answers?.madeBy(model) ?? NOTHING_MADE;
    const missed = answers?.missedBy(model) ?? { count: 0, usd: 0 };
    const score = best.get(model);
    const spent = { calls: made.count + missed.count, usd: made.usd + missed.usd };
    return { model, ...spent, judged, good, ...(score !== undefined && { best: score }) };
  });
  return ctx.models.length > 0 || found.some(({ calls }) => calls > 0) ? found : [];
}
