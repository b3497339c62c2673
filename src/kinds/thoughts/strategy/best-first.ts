import TinyQueue from 'tinyqueue';
import { byPosition, type TreeNode } from '../../../core/tree/tree.ts';
import { judgementsOf, type Place, rankOf, triesOf, worthOf } from '../thought-node.ts';
import type { Plan, StrategyFacts } from './thought-rules.ts';
import { MOST_JUDGED, ThoughtStrategy } from './thought-strategy.ts';

/** From this score on, a thought is continued alone, so that no other call is wasted. */
const OUTSTANDING = 7;
/** The worth of first thoughts before any were seen: that of a good one, assuming that there is a solution. */
const ROOT = 8.5;
/** The worth that each round at a node takes from another one there. */
const DISCOUNT = 1;

/** Something to do at a node: to continue from it, or to ask for other thoughts there. */
interface Option {
  readonly node: TreeNode;
  readonly kind: 'expand' | 'try-again';
  readonly worth: number;
  readonly rank: number;
}

/** Returns to a thought for less each time; about half of the continuations are left. */
export const bestFirst = {
  tries: 8,
  source: 'best-first',
  perLevel: () => 2,
  spreadsSamples: true,
} as const satisfies StrategyFacts;

/**
 * The most promising thought first, wherever it is. In rounds: the best node is continued or, if none is clearly ahead, up
 * to `beam` equally good ones, to share one judgement; then all results are judged at once. That judgement includes open
 * thoughts that were judged fewer than `samples` times: a second opinion without a separate call. Asking once more at a
 * node is one of the choices, with less worth each time. Which nodes form a round does not depend on how long answers
 * take.
 */
export class BestFirst extends ThoughtStrategy {
  #options = new TinyQueue<Option>([], byOption);
  readonly #pending = new Set<TreeNode>();

  protected clear(): void {
    this.#options = new TinyQueue<Option>([], byOption);
    this.#pending.clear();
  }

  protected moved(node: TreeNode, _before: Place | undefined, now: Place | undefined): void {
    if (now === 'pending') this.#pending.add(node);
    else this.#pending.delete(node);
    const option = this.#optionAt(node, now);
    if (option) this.#options.push(option);
  }

  protected plan(room: number, remaining: number): Plan[] {
    const begun = this.#begunInRound();
    if (begun === undefined) return [];
    const waiting = Map.groupBy([...this.#pending].sort(byPosition), ({ parent }) => parent as TreeNode);
    if (remaining > 0 && !this.isAnswered) {
      const round = [
        ...begun.map((node) => ({ node, worth: worthAfter(node, triesOf(node)) })),
        ...[...waiting.keys()].map((node) => ({ node, worth: worthAfter(node, triesOf(node) - 1) })),
      ];
      const next = this.#best(round, Math.min(room, remaining));
      if (next.length > 0) return next.map(({ kind, node }) => ({ kind, nodes: [node] }));
    }
    if (begun.length > 0) return [];
    if (this.rules.judge === 'layer') return this.#judgeRound([...waiting.values()].flat()).slice(0, room);
    return this.judgeAll([...waiting.values()].flat()).slice(0, room);
  }

  /** Returns the nodes that are being continued; undefined while the results of a round are judged together. */
  #begunInRound(): TreeNode[] | undefined {
    const begun: TreeNode[] = [];
    for (const { kind, nodes } of this.underWay) {
      if (kind === 'evaluate') return undefined;
      for (const id of nodes) {
        const node = this.tree.get(id);
        if (node && (kind === 'expand' || kind === 'try-again')) begun.push(node);
      }
    }
    return begun;
  }

  /** Returns what joins a round. Options are taken off the queue and put back: they count once they are begun. */
  #best(round: readonly Pick<Option, 'node' | 'worth'>[], most: number): Option[] {
    // Several nodes share a judgement; if each has its own, a round of more than one gains nothing.
    const widest = this.rules.judge === 'layer' ? this.rules.beam : 1;
    const chosen: Option[] = [];
    for (const option of this.#current()) {
      const [leader] = [...round, ...chosen].sort((a, b) => b.worth - a.worth);
      if (leader && (standsAlone(leader) || option.worth < leader.worth)) break;
      if (chosen.length >= most || round.length + chosen.length >= widest) break;
      chosen.push(option);
    }
    return chosen;
  }

  /** Yields what can be done now, best first. */
  *#current(): Generator<Option> {
    const seen = new Set<TreeNode>();
    const taken: Option[] = [];
    try {
      while (this.#options.length > 0) {
        const option = this.#options.pop() as Option;
        if (!this.#isCurrent(option) || seen.has(option.node)) continue;
        seen.add(option.node);
        taken.push(option);
        yield option;
      }
    } finally {
      for (const option of taken) this.#options.push(option);
    }
  }

  /** New thoughts, and the best open ones that were judged less often than allowed. */
  #judgeRound(fresh: readonly TreeNode[]): Plan[] {
    const places = MOST_JUDGED - fresh.length;
    if (fresh.length === 0 || places <= 0) return this.judge(fresh);
    const again: TreeNode[] = [];
    let looked = 0;
    for (const { node, kind } of this.#current()) {
      if (again.length >= places || ++looked > MOST_JUDGED) break;
      if (kind === 'expand' && judgementsOf(node) < this.rules.samples) again.push(node);
    }
    return this.judge([...fresh, ...again]);
  }

  #isCurrent({ node, kind, worth, rank }: Option): boolean {
    const now = this.#optionAt(node, this.placeOf(node));
    return now?.kind === kind && now.worth === worth && now.rank === rank;
  }

  #optionAt(node: TreeNode, place: Place | undefined): Option | undefined {
    if (place === 'undecided' || place === 'kept' || place === 'aside')
      return { node, kind: 'expand', worth: worthAfter(node, 0), rank: rankOf(node) };
    const tries = triesOf(node);
    if (place !== 'expanded' || tries >= this.rules.tries) return undefined;
    return { node, kind: 'try-again', worth: worthAfter(node, tries), rank: rankOf(node) };
  }
}

/** The closer a thought is to the end, the more its score matters: in its favour if high, against it otherwise. */
function worthAfter(node: TreeNode, tries: number): number {
  const worth = node.parent ? OUTSTANDING + (worthOf(node) - OUTSTANDING) * (1 + node.depth) : ROOT;
  return worth - DISCOUNT * tries;
}

function standsAlone({ node, worth }: Pick<Option, 'node' | 'worth'>): boolean {
  return worth >= OUTSTANDING || !node.parent;
}

function byOption(a: Option, b: Option): number {
  return b.worth - a.worth || a.node.depth - b.node.depth || a.rank - b.rank || byPosition(a.node, b.node);
}
