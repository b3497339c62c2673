import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';
import { byPosition } from '../../core/tree/by-position.ts';
import { isPruned, type NodeId, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import type { Decomposition } from './prompts/thought-messages.ts';
import { Wanted } from './record/wanted.ts';
import { settingsFor, type ThoughtSettings } from './settings/settings.ts';
import { findTask } from './tasks/find-task.ts';
import type { FindTask } from './tasks/task.ts';

/** One open search for a solution: the parts of all searches, and this kind's state, derived from files and journal. */
export interface ThoughtSearch extends SearchContext {
  /** As the search began, with what a person changed since. */
  readonly settings: ThoughtSettings;
  /** The problem as the first thought's state. */
  readonly start: string;
  readonly states: StateIndex;
  /** Bounds how many thoughts are drawn at the same time. */
  readonly draws: LimitFunction;
  /** Leaves that a person wants continued, whatever the depth limit. */
  readonly wantedDeeper: Set<NodeId>;
  decomposition: Decomposition | undefined;
  /** The final answer, once a task or the report's model has written it down. */
  answer: string | undefined;
  /** The defects that judges named and the answer does not mend, once it was written. */
  openDefects: readonly string[];
}

/**
 * @throws ThoughtTreeError `bad-input` if search.json names something unknown, or the task rejects the problem
 */
export function openThoughts(search: SearchContext): ThoughtSearch {
  const { file, options, tree } = search;
  const given = settingsFor({ ...file, options }, (search.findHooks as FindTask | undefined) ?? findTask);
  return {
    ...search,
    get settings(): ThoughtSettings {
      const { threshold, candidates } = search.history.past.part(Wanted)?.changed ?? {};
      if (threshold === undefined && candidates === undefined) return given;
      return { ...given, threshold: threshold ?? given.threshold, candidates: candidates ?? given.candidates };
    },
    start: given.task?.start?.(file.prompt) ?? given.start ?? file.prompt,
    states: new StateIndex(tree),
    draws: pLimit(1),
    wantedDeeper: new Set(),
    decomposition: undefined,
    answer: undefined,
    openDefects: [],
  };
}

/** The nodes by the state after their verified steps. Derived from the tree; removed nodes are skipped when met. */
class StateIndex {
  readonly #tree: Tree;
  #byState: Map<string, Set<TreeNode>> | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Adds a node. */
  add(node: TreeNode): void {
    if (node.state === undefined || !this.#byState) return;
    const nodes = this.#byState.get(node.state) ?? new Set();
    this.#byState.set(node.state, nodes.add(node));
  }

  /**
   * The equal node that may represent both, if there is one: alive, not itself merged, not deeper, so that
   * nothing is lost. A judged one before others, then the shallowest, then the first.
   */
  equalTo(node: TreeNode): TreeNode | undefined {
    if (node.state === undefined) return undefined;
    this.#byState ??= this.#index();
    let best: TreeNode | undefined;
    for (const other of this.#byState.get(node.state) ?? []) {
      if (this.#tree.get(other.id) !== other) this.#byState.get(node.state)?.delete(other);
      else if (this.#canStandFor(other, node) && (!best || order(other, best) < 0)) best = other;
    }
    return best && order(best, node) < 0 ? best : undefined;
  }

  #canStandFor(other: TreeNode, node: TreeNode): boolean {
    if (other === node || other.depth > node.depth || other.leafReason === 'duplicate') return false;
    return other.state === node.state && other.status !== 'failed' && !isPruned(other);
  }

  #index(): Map<string, Set<TreeNode>> {
    const byState = new Map<string, Set<TreeNode>>();
    for (const node of walk(this.#tree.root)) {
      if (node.state === undefined) continue;
      byState.set(node.state, (byState.get(node.state) ?? new Set()).add(node));
    }
    return byState;
  }
}

function order(a: TreeNode, b: TreeNode): number {
  return Number(!isJudged(a)) - Number(!isJudged(b)) || a.depth - b.depth || byPosition(a, b);
}

function isJudged({ status, evaluation, unscored }: TreeNode): boolean {
  return status !== 'unexpanded' || evaluation !== undefined || unscored === true;
}
