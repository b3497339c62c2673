import TinyQueue from 'tinyqueue';
import { byPosition, type TreeNode } from '../../../core/tree/tree.ts';
import { byRank, type Place, triesOf, worthOf } from '../thought-node.ts';
import type { Plan, StrategyFacts } from './thought-rules.ts';
import { ThoughtStrategy } from './thought-strategy.ts';

/** Above the first a thought is strong, below the second weak: a layer with many of one sort changes the beam. */
const STRONG = 7.5;
const WEAK = 5.5;
/** A layer whose best thought scores less is not continued. */
const HOPELESS = 4;

interface Layer {
  readonly pending: Set<TreeNode>;
  readonly undecided: Set<TreeNode>;
  readonly kept: Set<TreeNode>;
  /** Scores given in this layer, including those of pruned thoughts. */
  readonly scores: Map<TreeNode, number>;
}

/** Keeps enough next to a thought, so that none is continued twice. */
export const breadthFirst = {
  tries: 1,
  source: 'BFS',
  perLevel: (beam) => beam,
  judgesLayers: true,
} as const satisfies StrategyFacts;

/**
 * Layer by layer: all kept thoughts of one layer are continued, all results are judged, and the best `beam` of them are
 * kept. Other good ones are set aside, and taken up if the kept ones lead nowhere. A layer is continued as a whole even if
 * one of its thoughts leads to a solution: which of the others had been begun by then would depend on the number of slots.
 */
export class BreadthFirst extends ThoughtStrategy {
  readonly #layers: Layer[] = [];
  readonly #solved = new Set<TreeNode>();
  #aside = new TinyQueue<TreeNode>([], byWorth);
  #retries = new TinyQueue<TreeNode>([], byDepth);

  /** Returns the number of thoughts of a layer that are kept. Without `beamFollowsScores`, the configured beam. */
  beamAt(depth: number): number {
    const { beam, beamFollowsScores } = this.rules;
    if (!beamFollowsScores) return beam;
    let width = beam;
    for (let d = 1; d <= depth; d++) width = Math.min(2 * beam, Math.max(1, width + tendency(this.#layerAt(d).scores)));
    return width;
  }

  protected clear(): void {
    this.#layers.length = 0;
    this.#solved.clear();
    this.#aside = new TinyQueue<TreeNode>([], byWorth);
    this.#retries = new TinyQueue<TreeNode>([], byDepth);
  }

  protected moved(node: TreeNode, before: Place | undefined, now: Place | undefined): void {
    const layer = this.#layerAt(node.depth);
    if (before === 'pending' || before === 'undecided' || before === 'kept') layer[before].delete(node);
    if (now === 'pending' || now === 'undecided' || now === 'kept') layer[now].add(node);
    if (before === 'solved') this.#solved.delete(node);
    if (now === 'solved') this.#solved.add(node);
    if (now === 'aside') this.#aside.push(node);
    if (now === 'expanded' && triesOf(node) < this.rules.tries) this.#retries.push(node);
    if (node.evaluation && this.tree.get(node.id)) layer.scores.set(node, node.evaluation.score);
    else layer.scores.delete(node);
  }

  protected plan(room: number, remaining: number): Plan[] {
    for (let depth = 1; depth < this.#layers.length; depth++) {
      const plans = this.#planLayer(depth, room, remaining);
      if (plans) return plans;
    }
    return this.isIdle && !this.isAnswered && remaining > 0 ? this.#recover() : [];
  }

  /** Plans what a layer needs before a deeper one can continue; undefined if it is done. */
  #planLayer(depth: number, room: number, remaining: number): Plan[] | undefined {
    const { pending, undecided, kept } = this.#layerAt(depth);
    const isGrowing = this.#isBusyAt(depth - 1) || (remaining > 0 && this.#layerAt(depth - 1).kept.size > 0);
    // Considered as a whole: while more is to come, or decisions are being written, nothing is judged or decided. Otherwise
    // the order of answers would determine which of two equal thoughts is merged into which.
    if (isGrowing) return [];
    if (pending.size > 0) return this.judgeAll(inOrder(pending)).slice(0, room);
    if (this.#isBusyAt(depth, 'evaluate')) return [];
    if (this.#isBusyAt(depth, 'keep', 'set-aside')) return [];
    if (undecided.size > 0) return this.#choose(depth);
    if (kept.size === 0) return undefined;
    const next = this.#continueLayer(depth, Math.min(room, remaining));
    if (next.length > 0) return next;
    return remaining > 0 ? [] : undefined;
  }

  protected override finishBegun(remaining: number): Plan[] {
    const depths = new Set([...this.#solved].map(({ depth }) => depth - 1));
    return [...depths]
      .sort((a, b) => a - b)
      .flatMap((depth) => this.#continueLayer(depth, remaining))
      .slice(0, Math.max(0, remaining));
  }

  /** Returns up to `most` kept thoughts of a layer, the best first. */
  #continueLayer(depth: number, most: number): Plan[] {
    const next = inOrder(this.#layerAt(depth).kept).sort(byWorth);
    return next.slice(0, Math.max(0, most)).map((node): Plan => ({ kind: 'expand', nodes: [node] }));
  }

  #choose(depth: number): Plan[] {
    const { undecided, kept } = this.#layerAt(depth);
    const ranked = inOrder(undecided).sort(byWorth);
    // Including those that a killed run had already kept.
    const isHopeless = [...kept, ...ranked].every((node) => worthOf(node) < this.#hopeless);
    const places = isHopeless ? 0 : Math.max(0, this.beamAt(depth) - kept.size);
    const chosen = ranked.slice(0, places);
    const rest = ranked.slice(places);
    return [
      ...(chosen.length > 0 ? [{ kind: 'keep', nodes: chosen } as const] : []),
      ...(rest.length > 0 ? [{ kind: 'set-aside', nodes: rest } as const] : []),
    ];
  }

  /** Nothing is left of what was kept: the best one set aside is taken up, then nodes are asked once more. */
  #recover(): Plan[] {
    const taken: TreeNode[] = [];
    while (taken.length < this.rules.beam && this.#aside.length > 0) {
      const node = this.#aside.pop() as TreeNode;
      if (this.placeOf(node) === 'aside' && worthOf(node) >= this.#hopeless && !taken.includes(node)) taken.push(node);
    }
    for (const node of taken) this.#aside.push(node);
    if (taken.length > 0) return [{ kind: 'keep', nodes: taken }];
    while (this.#retries.length > 0) {
      const node = this.#retries.peek() as TreeNode;
      if (this.placeOf(node) === 'expanded' && triesOf(node) < this.rules.tries)
        return [{ kind: 'try-again', nodes: [node] }];
      this.#retries.pop();
    }
    return [];
  }

  /** Below this, nothing is continued; a person's own threshold may be lower. */
  get #hopeless(): number {
    return Math.min(HOPELESS, this.rules.ownThreshold?.() ?? HOPELESS);
  }

  #isBusyAt(depth: number, ...kinds: string[]): boolean {
    for (const { kind, nodes } of this.underWay)
      if (
        (kinds.length > 0 ? kinds.includes(kind) : kind === 'expand' || kind === 'try-again') &&
        nodes.some((id) => this.tree.get(id)?.depth === depth)
      )
        return true;
    return false;
  }

  #layerAt(depth: number): Layer {
    while (this.#layers.length <= depth)
      this.#layers.push({ pending: new Set(), undecided: new Set(), kept: new Set(), scores: new Map() });
    return this.#layers[depth] as Layer;
  }
}

function tendency(scores: ReadonlyMap<TreeNode, number>): -1 | 0 | 1 {
  if (scores.size === 0) return 0;
  let strong = 0;
  let weak = 0;
  for (const score of scores.values()) {
    if (score > STRONG) strong++;
    if (score < WEAK) weak++;
  }
  if (2 * strong >= scores.size) return 1;
  return weak === scores.size ? -1 : 0;
}

function inOrder(nodes: ReadonlySet<TreeNode>): TreeNode[] {
  return [...nodes].sort(byPosition);
}

function byWorth(a: TreeNode, b: TreeNode): number {
  return worthOf(b) - worthOf(a) || byRank(a, b) || byPosition(a, b);
}

function byDepth(a: TreeNode, b: TreeNode): number {
  return a.depth - b.depth || byWorth(a, b);
}
