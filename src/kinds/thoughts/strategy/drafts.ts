import { isPruned, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { OPEN, triesOf, worthOf } from '../thought-node.ts';
import type { Plan, StrategyFacts } from './thought-rules.ts';
import { ThoughtStrategy } from './thought-strategy.ts';
import { byEnd, comparedWith } from './whole-solutions.ts';

/** Writing a whole draft is several times the work of a step: it counts as so many of the size's. */
export const STEPS_A_DRAFT = 6;
/** The gain that a draft has from being written again, in points, before any was. */
const USUAL_GAIN = 1;
/** The worth that each earlier version takes from one more of the same draft. */
const DISCOUNT = 1;

/** Each thought is a whole solution, and one below another is that solution written again. */
export const drafts = {
  tries: 6,
  source: 'drafts',
  perLevel: () => 1,
  asksSideBySide: true,
  writesDrafts: true,
} as const satisfies StrategyFacts;

/**
 * Wider or deeper by what each brought: another draft is expected to be as good as the first ones were, with some luck; one that
 * is written again, to gain what such versions gained so far. What promises most is done, and read, before the next is chosen.
 * Nothing is drawn: a search of drafts makes a handful of such choices. At its end the best two are compared.
 */
export class Drafts extends ThoughtStrategy {
  protected override readonly stepsATime = STEPS_A_DRAFT;

  /** Every draft is a solution; one that two readers would act on as it stands ends the search. */
  protected override get isAnswered(): boolean {
    return this.counts.solved >= (this.rules.wantedEnds?.() ?? 1);
  }

  protected clear(): void {
    // The next move follows from the tree, which is small.
  }

  protected moved(): void {
    this.clear();
  }

  /** Nobody reads two drafts at once. */
  protected override judge(nodes: readonly TreeNode[]): Plan[] {
    return nodes.map((node) => ({ kind: 'evaluate', nodes: [node] }));
  }

  protected plan(room: number, remaining: number): Plan[] {
    const unread = this.judge(this.at('pending')).slice(0, room);
    if (unread.length > 0) return unread;
    if (room <= 0 || !this.isIdle) return [];
    const next = (remaining > 0 ? this.#widerOrDeeper() : undefined) ?? this.#comparison();
    return next ? [next] : [];
  }

  #widerOrDeeper(): Plan | undefined {
    const drafts = [...walk(this.tree.root)].filter((node) => node.parent && !isPruned(node));
    const gains = drafts.flatMap(({ evaluation, parent }) =>
      evaluation && parent?.evaluation ? evaluation.score - parent.evaluation.score : [],
    );
    const gain = (USUAL_GAIN + gains.reduce((sum, each) => sum + each, 0)) / (1 + gains.length);
    let best: { readonly plan: Plan; readonly worth: number } | undefined;
    for (const node of [this.tree.root, ...drafts]) {
      const plan = this.#continuing(node);
      const worth = node.parent ? worthOf(node) + gain - DISCOUNT * triesOf(node) : this.#another();
      if (plan && (!best || worth > best.worth)) best = { plan, worth };
    }
    return best?.plan;
  }

  #continuing(node: TreeNode): Plan | undefined {
    const place = this.placeOf(node);
    if (place === 'expanded')
      return triesOf(node) < this.rules.tries ? { kind: 'try-again', nodes: [node] } : undefined;
    return place && OPEN.has(place) ? { kind: 'expand', nodes: [node] } : undefined;
  }

  /** Returns the expected worth of another draft of its own: halfway between the mean of the first ones and their best. */
  #another(): number {
    const worths = this.tree.root.children.filter((node) => !isPruned(node)).map(worthOf);
    if (worths.length === 0) return 0;
    const mean = worths.reduce((sum, each) => sum + each, 0) / worths.length;
    return (mean + Math.max(...worths)) / 2;
  }

  /** The two that readers scored highest, unless somebody has compared them. */
  #comparison(): Plan | undefined {
    const read = [...walk(this.tree.root)].filter((node) => node.parent && !isPruned(node) && node.evaluation);
    const [best, second] = read.sort(byEnd);
    return best && second && !comparedWith(second, best) ? { kind: 'compare-ends', nodes: [best, second] } : undefined;
  }
}
