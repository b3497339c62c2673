import type { NodeStatus } from '../../core/tree/node-status.ts';

/** The statuses of a search's nodes by slug path, counted as they change: a count costs the same for any number. */
export class NodeStatuses {
  readonly #byPath = new Map<string, NodeStatus>();
  readonly #counts = new Map<NodeStatus, number>();

  get size(): number {
    return this.#byPath.size;
  }

  /** The slug paths, in the order in which they came. */
  paths(): string[] {
    return [...this.#byPath.keys()];
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  get(path: string): NodeStatus | undefined {
    return this.#byPath.get(path);
  }

  /** How many nodes stand in one of these statuses. */
  count(...wanted: readonly NodeStatus[]): number {
    return wanted.reduce((sum, status) => sum + (this.#counts.get(status) ?? 0), 0);
  }

  set(path: string, status: NodeStatus): void {
    this.#add(this.#byPath.get(path), -1);
    this.#byPath.set(path, status);
    this.#add(status, 1);
  }

  /** Forgets a node with all that is below it. */
  deleteBranch(path: string): void {
    for (const each of this.paths())
      if (each === path || each.startsWith(`${path}/`)) {
        this.#add(this.#byPath.get(each), -1);
        this.#byPath.delete(each);
      }
  }

  clear(): void {
    this.#byPath.clear();
    this.#counts.clear();
  }

  #add(status: NodeStatus | undefined, change: number): void {
    if (status !== undefined) this.#counts.set(status, (this.#counts.get(status) ?? 0) + change);
  }
}
