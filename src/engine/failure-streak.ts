import type { NodeId } from '../core/tree/tree.ts';

/** Nodes that may fail of one cause, one after the other, before a person is asked. */
const LONGEST = 5;

/** Counts nodes that fail in a row of one cause: after a few it is not the nodes that are wrong. */
export class FailureStreak {
  #reason = '';
  #nodes: NodeId[] = [];

  /** Takes in a failure; returns the nodes of the streak once it is long enough, and begins anew. */
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
