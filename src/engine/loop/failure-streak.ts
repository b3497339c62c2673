import type { NodeId } from '../../core/tree/tree.ts';

/** Consecutive nodes that may fail for the same reason before a person is asked. */
const LONGEST = 5;

/** Counts consecutive nodes that fail for the same reason: after a few, the nodes are not the problem. */
export class FailureStreak {
  #reason = '';
  #nodes: NodeId[] = [];

  /** Adds a failure; returns the nodes of the streak once it is long enough, and starts over. */
  add(reason: string, nodes: readonly NodeId[]): NodeId[] | undefined {
    this.#nodes = reason === this.#reason ? [...this.#nodes, ...nodes] : [...nodes];
    this.#reason = reason;
    if (this.#nodes.length < LONGEST) return undefined;
    const streak = this.#nodes;
    this.reset();
    return streak;
  }

  reset(): void {
    this.#nodes = [];
    this.#reason = '';
  }
}
