import type { Tree, TreeNode } from '../../../core/tree/tree.ts';
import { hasDocument } from '../../../engine/report/link-target.ts';

/** The most documents that a report reads. */
const MOST_READ = 100;
const MOST_NAMED = 15;
const MOST_MODELS = 10;

/** Nodes of one kind: their number, and those that are named. */
export interface Group {
  readonly count: number;
  readonly named: readonly TreeNode[];
}

/** The facts about a tree that a report needs, from one walk through it. */
export interface Survey {
  /** Number of nodes with a document, except in pruned branches. */
  readonly documents: number;
  /** The documents worth reading, the most informative first: the best of each first-level topic before any second best. */
  readonly best: readonly TreeNode[];
  /** Documents below each first-level topic, without its own. */
  readonly below: ReadonlyMap<TreeNode, number>;
  /** The named ones are the most promising. */
  readonly open: Group;
  readonly failed: Group;
  /** The tops of pruned branches. */
  readonly pruned: Group;
  readonly models: readonly string[];
  /** The number of documents that end at the depth limit: nobody asked for what is below them. */
  readonly atLimit: number;
}

/** Visits every node once, and keeps no more of a large tree than of a small one. */
export function surveyOf(tree: Tree): Survey {
  const open = new Best(byExpectation);
  const failed = new Best(inTheirOrder);
  const pruned = new Best(inTheirOrder);
  const models = new Set<string>();
  const below = new Map<TreeNode, number>();
  const branches: TreeNode[][] = [];
  let documents = 0;
  let atLimit = 0;
  for (const topic of tree.root.children) {
    const branch = new Best(byWorth, MOST_READ);
    for (const node of keptNodes(topic)) {
      if (node.model !== undefined && models.size < MOST_MODELS) models.add(node.model);
      if (node.leafReason === 'depth-limit') atLimit++;
      if (node.status === 'pruned') pruned.add(node);
      else if (node.status === 'failed') failed.add(node);
      else if (hasDocument(node)) branch.add(node);
      else if (node.leafReason !== 'duplicate') open.add(node);
    }
    documents += branch.count;
    below.set(topic, branch.count - (hasDocument(topic) ? 1 : 0));
    if (branch.count > 0) branches.push(branch.named);
  }
  return { documents, best: interleaved(branches), below, open, failed, pruned, models: [...models], atLimit };
}

/** A node and everything below it that is not pruned; of a pruned branch only its top. */
function* keptNodes(top: TreeNode): Generator<TreeNode> {
  const stack: TreeNode[] = [top];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    if (node.status === 'pruned') continue;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as TreeNode);
  }
}

/** The first few of many nodes, in an order; among equals those that came first. */
class Best implements Group {
  count = 0;
  readonly #order: (a: TreeNode, b: TreeNode) => number;
  readonly #most: number;
  #kept: TreeNode[] = [];

  constructor(order: (a: TreeNode, b: TreeNode) => number, most: number = MOST_NAMED) {
    this.#order = order;
    this.#most = most;
  }

  get named(): TreeNode[] {
    return this.#kept.sort(this.#order).slice(0, this.#most);
  }

  add(node: TreeNode): void {
    this.count++;
    this.#kept.push(node);
    if (this.#kept.length > 8 * this.#most) this.#kept = this.named;
  }
}

function inTheirOrder(): number {
  return 0;
}

function byExpectation(a: TreeNode, b: TreeNode): number {
  return scoreOf(b) - scoreOf(a) || a.depth - b.depth;
}

/** A first-level document has the overview of its branch; below it, the highest score comes first. */
function byWorth(a: TreeNode, b: TreeNode): number {
  return Number(b.depth === 1) - Number(a.depth === 1) || byExpectation(a, b);
}

function scoreOf(node: TreeNode): number {
  return node.evaluation?.score ?? -1;
}

function interleaved(branches: readonly TreeNode[][]): TreeNode[] {
  const best: TreeNode[] = [];
  for (let round = 0; best.length < MOST_READ; round++) {
    const next = branches.flatMap((branch) => branch[round] ?? []).sort(byExpectation);
    if (next.length === 0) break;
    best.push(...next.slice(0, MOST_READ - best.length));
  }
  return best;
}
