import * as z from 'zod';
import { costOf } from '../../core/money/price.ts';
import { ModelSpend, type ModelWorth } from '../../core/money/several-models.ts';
import type { Model } from '../../core/ports/model.ts';
import type { JournalEvent, KeptFold } from '../../core/search/events.ts';
import { pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import { thoughtPurposes } from './purposes.ts';
import { seenAt } from './strategy/child-by-child.ts';
import { drawsAt, randomBeta } from './strategy/draws.ts';
import type { ThoughtSearch } from './thought-search.ts';

/** Several models are asked for thoughts; the cost of judging these is part of their price. */
const MAKES = 'generate';
const JUDGES = 'evaluate';

const Answer = z.object({
  model: z.string(),
  isJudged: z.boolean(),
  usd: z.number(),
  prompt: z.number(),
  cached: z.number(),
  completion: z.number(),
});
type Answer = z.infer<typeof Answer>;
const AnswersState = z.object({
  kept: z.array(z.tuple([z.string(), Answer])),
  open: z.array(z.tuple([z.string(), z.string()])),
  missed: z.array(z.tuple([z.string(), z.object({ count: z.number(), usd: z.number() })])),
});

/**
 * The answers that made thoughts, by the place in which they are kept: one that a kill lost, and that was asked for again, counts
 * once. So a search that was killed chooses its models as one that was not.
 */
export class ModelAnswers implements KeptFold {
  static readonly part = 'model-answers';
  readonly name = ModelAnswers.part;
  readonly #kept = new Map<string, Answer>();
  readonly #open = new Map<string, string>();
  /** Those that no conversation keeps, since they could not be used or came after such. */
  readonly #missed = new Map<string, { count: number; usd: number }>();

  apply(event: JournalEvent): void {
    if (event.type === 'call-started' && isCounted(event.purpose)) this.#open.set(event.call, event.model);
    if (event.type !== 'call-ended') return;
    const model = this.#open.get(event.call);
    this.#open.delete(event.call);
    if (model === undefined || !event.usage) return;
    const { usd = 0, prompt, cached, completion } = event.usage;
    const isJudged = event.purpose === JUDGES;
    if (event.kept) {
      const { conversation, turn } = event.kept;
      this.#kept.set(`${conversation} ${turn}`, { model, isJudged, usd, prompt, cached, completion });
    } else if (!isJudged) {
      const before = this.missedBy(model);
      this.#missed.set(model, { count: before.count + 1, usd: before.usd + usd });
    }
  }

  missedBy(model: string): { readonly count: number; readonly usd: number } {
    return this.#missed.get(model) ?? { count: 0, usd: 0 };
  }

  get all(): Iterable<Answer> {
    return this.#kept.values();
  }

  get state(): z.infer<typeof AnswersState> {
    return { kept: [...this.#kept], open: [...this.#open], missed: [...this.#missed] };
  }

  restore(state: unknown): void {
    const { kept, open, missed } = AnswersState.parse(state);
    for (const [place, answer] of kept) this.#kept.set(place, answer);
    for (const [call, model] of open) this.#open.set(call, model);
    for (const [model, sum] of missed) this.#missed.set(model, sum);
  }
}

function isCounted(purpose: string): boolean {
  return purpose === MAKES || purpose === JUDGES;
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
  const { models, settings, history } = ctx;
  const { past } = history;
  const answers = past.part(ModelAnswers);
  const brought = broughtBy(ctx);
  const sums = new Map(models.map(({ name }) => [name, { count: 0, usd: 0, cached: 0 }]));
  const all = { judging: 0, rounds: 0, prompt: 0, completion: 0 };
  for (const { model, isJudged, usd, prompt, cached, completion } of answers?.all ?? []) {
    if (isJudged) {
      all.judging += usd;
      continue;
    }
    all.rounds++;
    all.prompt += prompt;
    all.completion += completion;
    const sum = sums.get(model);
    if (!sum) continue;
    sum.count++;
    sum.usd += usd;
    sum.cached += cached;
  }
  const rounds = Math.max(1, all.rounds);
  const answer = all.rounds > 0 ? { prompt: all.prompt / rounds, completion: all.completion / rounds } : GUESS;
  const usual = models.map((model) => usualCost(model, answer));
  const order = [...usual.keys()].sort((a, b) => (usual[a] ?? 0) - (usual[b] ?? 0) || a - b);
  return models.map(({ name, price, free }, index) => {
    const earlier = settings.modelsBefore.find(({ model }) => model === name);
    const here = brought.get(name) ?? NOTHING;
    const { count, usd, cached } = sums.get(name) ?? { count: 0, usd: 0, cached: 0 };
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
      cost: mean + all.judging / rounds,
      saved:
        price && !free && count > 0 ? ((cached / count) * Math.max(0, price.prompt - price.cached)) / 1_000_000 : 0,
      hasRoom: !ctx.spentUp.has(name) && (past.part(ModelSpend)?.atMost(name) ?? 0) + mean <= most,
    };
  });
}

/** Returns the cost of an answer by the price alone, if it is as long as those of all models here. */
function usualCost({ price, free }: Model, answer: typeof GUESS): number {
  if (free) return 0;
  return price ? costOf({ ...answer, cached: 0 }, price) : UNKNOWN_COST;
}

const GUESS: { readonly prompt: number; readonly completion: number } = thoughtPurposes.generate.guess;

interface Brought {
  readonly judged: number;
  /** The sum of scores, from 0 to 1. */
  readonly good: number;
  /** The best score, from 0 to 10. */
  readonly best: number | undefined;
}

const NOTHING: Brought = { judged: 0, good: 0, best: undefined };

function broughtBy({ tree }: Pick<ThoughtSearch, 'tree'>): Map<string, Brought> {
  const found = new Map<string, Brought>();
  for (const node of walk(tree.root)) {
    const seen = node.model === undefined ? undefined : seenAt(node);
    if (node.model === undefined || seen === undefined) continue;
    const { judged, good, best } = found.get(node.model) ?? NOTHING;
    const score = node.leafReason === 'solved' ? (node.evaluation?.score ?? 10) : node.evaluation?.score;
    found.set(node.model, {
      judged: judged + 1,
      good: good + seen / 1000,
      best: score === undefined ? best : Math.max(best ?? 0, score),
    });
  }
  return found;
}

/** The worth of one of several models in a search. */
export interface ModelResult extends ModelWorth {
  readonly best?: number;
}

/** Returns what each of several models was worth, even where none of them is opened any more; empty where one did all. */
export function modelResults(ctx: Pick<ThoughtSearch, 'models' | 'settings' | 'tree' | 'history'>): ModelResult[] {
  const shared = ctx.settings.models;
  const brought = shared.length > 0 ? broughtBy(ctx) : new Map<string, Brought>();
  const answers = ctx.history.past.part(ModelAnswers);
  const found = shared.map(({ name: model }) => {
    const { judged, good, best } = brought.get(model) ?? NOTHING;
    // One of them may do all the rest, too: that says nothing of its thoughts.
    const made = [...(answers?.all ?? [])].filter((each) => each.model === model && !each.isJudged);
    const missed = answers?.missedBy(model) ?? { count: 0, usd: 0 };
    const calls = made.length + missed.count;
    const usd = made.reduce((sum, each) => sum + each.usd, missed.usd);
    return { model, calls, usd, judged, good: Math.round(1000 * good) / 1000, ...(best !== undefined && { best }) };
  });
  return ctx.models.length > 0 || found.some(({ calls }) => calls > 0) ? found : [];
}
