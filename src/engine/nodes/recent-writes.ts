import type { TreeNode } from '../../core/tree/tree.ts';

/** The number of writes remembered: more than happen while one folder is read, however many slots there are. */
const MOST = 4096;

/** Which nodes' files were written by this process lately, so that no read mistakes that for a person's change. */
export class RecentWrites {
  readonly #underWay = new Map<TreeNode, number>();
  /** When a node's files were last written, the latest last. */
  readonly #last = new Map<TreeNode, number>();
  #count = 0;
  /** The last write that is not remembered. */
  #forgotten = 0;

  /** This moment, counted in writes. */
  get now(): number {
    return this.#count;
  }

  /** Writes files of a node. */
  async write<T>(node: TreeNode, work: () => Promise<T>): Promise<T> {
    this.#underWay.set(node, (this.#underWay.get(node) ?? 0) + 1);
    return await work().finally(() => this.#end(node));
  }

  /** Tells whether files of a node are being written, or may have been written after a moment. */
  touched(node: TreeNode, since: number): boolean {
    return this.#underWay.has(node) || (this.#last.get(node) ?? this.#forgotten) > since;
  }

  #end(node: TreeNode): void {
    const others = (this.#underWay.get(node) ?? 1) - 1;
    if (others > 0) this.#underWay.set(node, others);
    else this.#underWay.delete(node);
    this.#last.delete(node);
    this.#last.set(node, ++this.#count);
    if (this.#last.size <= MOST) return;
    const [oldest] = this.#last;
    if (!oldest) return;
    this.#last.delete(oldest[0]);
    this.#forgotten = oldest[1];
  }
}
