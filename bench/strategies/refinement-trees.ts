import type { Move, Strategy } from '../../src/core/kind/strategy.ts';
import { Tree, type TreeNode } from '../../src/core/tree/tree.ts';
import { outcomeIn } from '../../src/kinds/thoughts/report/outcome.ts';
import { normal, type Random, randomBeta, seeded } from '../../src/kinds/thoughts/strategy/draws.ts';
import { endRound, triesOf } from '../../src/kinds/thoughts/thought-node.ts';

/** How answers turn out: a first one, what a lineage can reach, whether a refined one is better, and how wrong a judge is. */
interface Family {
  /** The two parameters of the Beta distribution of first answers. */
  readonly first: readonly [number, number];
  /** The probability that a refined answer is better than what it refines. */
  readonly better: number;
  readonly ceiling: (random: Random, quality: number) => number;
  readonly noise: number;
}

/** Refining is useless, always pays, or pays up to what a lineage can reach, with a good judge and with a poor one. */
export const FAMILIES = {
  wide: { first: [0.5, 3], better: 0.1, ceiling: (random, q) => q + (1 - q) * 0.1 * random(), noise: 0.05 },
  deep: { first: [2, 8], better: 0.6, ceiling: () => 1, noise: 0.05 },
  mixed: { first: [1, 4], better: 0.5, ceiling: (random, q) => q + (1 - q) * random(), noise: 0.05 },
  noisy: { first: [1, 4], better: 0.5, ceiling: (random, q) => q + (1 - q) * random(), noise: 0.25 },
} as const satisfies Record<string, Family>;
export type FamilyName = keyof typeof FAMILIES;

interface Answer {
  readonly quality: number;
  readonly ceiling: number;
}

/** A tree of answers that can be made anew, below the root, or refined, below another one. */
export class RefinementTree {
  readonly tree = new Tree('Which answer?');
  made = 0;
  readonly #family: Family;
  readonly #random: Random;
  readonly #answers = new Map<TreeNode, Answer>();

  constructor(family: FamilyName, seed: number) {
    this.#family = FAMILIES[family];
    this.#random = seeded(seed);
  }

  /** Makes an answer, which nobody has judged. */
  make(parent: TreeNode): TreeNode {
    const { tree } = this;
    this.made++;
    const slug = `node_${parent.children.length + 1}`;
    const node = tree.add(parent, slug, { file: { title: slug, status: 'unexpanded', id: `${this.made}` } });
    this.#answers.set(node, this.#answer(parent));
    return node;
  }

  /** Judges an answer: from 0 to 10. */
  judge(node: TreeNode): void {
    const { quality } = this.#answers.get(node) as Answer;
    const seen = clipped(quality + this.#family.noise * normal(this.#random));
    this.tree.update(node, { evaluation: { score: 10 * seen } });
  }

  /** The true quality of the answer that a search gives: of the best judged one. */
  get result(): number {
    const { best } = outcomeIn(this.tree, false);
    return best ? (this.#answers.get(best) as Answer).quality : 0;
  }

  #answer(parent: TreeNode): Answer {
    const random = this.#random;
    const from = this.#answers.get(parent);
    if (!from) {
      const quality = randomBeta(random, ...this.#family.first);
      return { quality, ceiling: this.#family.ceiling(random, quality) };
    }
    const { ceiling } = from;
    const isBetter = random() < this.#family.better;
    const gain = (): number => Math.max(0, ceiling - from.quality) * randomBeta(random, 1, 2);
    return { quality: isBetter ? from.quality + gain() : clipped(from.quality - 0.3 * random()), ceiling };
  }
}

function clipped(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** How a search goes on. */
export interface Driving {
  readonly slots: number;
  /** The answers that are made at most. */
  readonly budget: number;
  /** The answers of one move. */
  readonly candidates: number;
  readonly seed: number;
}

const GROWS = new Set(['list-root', 'expand', 'try-again']);
/** Making answers takes about 1, judging some of them about a third of that. */
const DURATION = { grow: 1, judge: 0.3 } as const;

/**
 * Drives a strategy through ask and tell in virtual time, until the budget is spent or it wants nothing more. A move that would
 * make more answers than are left makes as many as are left.
 */
export function drive(world: RefinementTree, strategy: Strategy, { slots, budget, candidates, seed }: Driving): void {
  const { tree } = world;
  const timing = seeded(seed ^ 0x5eed);
  const running: { move: Move; count: number; at: number }[] = [];
  let now = 0;
  let begun = 0;
  let busy = 0;
  strategy.open(tree);
  for (;;) {
    for (const move of begun < budget ? strategy.ask(slots - busy) : []) {
      const grows = GROWS.has(move.kind);
      const takes = grows || move.kind === 'evaluate';
      const count = grows ? Math.min(candidates, budget - begun) : 0;
      begun += count;
      const takesTime = grows ? DURATION.grow : DURATION.judge;
      running.push({ move, count, at: takes ? now + takesTime * (0.5 + timing()) : now });
      if (takes) busy++;
    }
    const next = running.reduce<(typeof running)[number] | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined);
    if (!next) break;
    running.splice(running.indexOf(next), 1);
    now = next.at;
    if (GROWS.has(next.move.kind) || next.move.kind === 'evaluate') busy--;
    for (const id of next.move.nodes) carryOut(world, tree.get(id) as TreeNode, next.move.kind, next.count);
    strategy.tell(next.move, { outcome: 'done' });
  }
  judgeAll(world);
}

function carryOut(world: RefinementTree, node: TreeNode, kind: string, count: number): void {
  const { tree } = world;
  if (kind === 'evaluate') world.judge(node);
  else if (kind === 'keep' || kind === 'set-aside') tree.update(node, { selected: kind === 'keep' });
  else {
    const tries = triesOf(node) + 1;
    for (let made = 0; made < count; made++) world.make(node);
    tree.update(node, { ...(node.parent ? { status: 'expanded' } : {}), listed: true });
    endRound(tree, node, tries);
  }
}

/** What was made last is judged, too. */
function judgeAll(world: RefinementTree): void {
  const open = [...world.tree.root.children];
  for (let node = open.pop(); node; node = open.pop()) {
    if (!node.evaluation) world.judge(node);
    open.push(...node.children);
  }
}
