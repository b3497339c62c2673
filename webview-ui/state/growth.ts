import type { Layout, Placed } from './tree-layout.ts';

const LASTS_MS = 260;
/** Above this, everything is at its place at once: moving it would cost more than a frame has. */
const MOST = 3000;

/** Moves nodes from where they were to where they are now, and lets new ones come up. */
export class Growth {
  #from = new Map<string, number>();
  #new = new Set<string>();
  #began = Number.NEGATIVE_INFINITY;
  #progress = 1;

  get isOver(): boolean {
    return this.#progress >= 1;
  }

  /**
   * Begins to move from one layout to the next.
   * @param shift rows by which the drawing itself was moved, so that what a person looks at stays
   */
  begin(before: Layout, after: Layout, shift: number, now: number): void {
    const rows = new Map(before.placed.map((placed) => [placed.node.path, this.rowOf(placed) + shift]));
    this.#from = new Map();
    this.#new = new Set();
    let isMoving = false;
    if (before.placed.length > 0 && after.placed.length <= MOST)
      for (const { node, row } of after.placed) {
        const known = rows.get(node.path);
        if (known === undefined) this.#new.add(node.path);
        const from = known ?? this.#from.get(node.parent?.path ?? '') ?? row;
        this.#from.set(node.path, from);
        if (known === undefined || from !== row) isMoving = true;
      }
    this.#began = now;
    this.#progress = isMoving ? 0 : 1;
  }

  /** Everything is at its place. */
  end(): void {
    this.#progress = 1;
  }

  at(now: number): void {
    if (this.#progress < 1) this.#progress = Math.min(1, (now - this.#began) / LASTS_MS);
  }

  readonly rowOf = ({ node, row }: Placed): number => {
    if (this.#progress >= 1) return row;
    const from = this.#from.get(node.path) ?? row;
    return from + (row - from) * eased(this.#progress);
  };

  readonly presence = ({ node }: Placed): number =>
    this.#progress < 1 && this.#new.has(node.path) ? eased(this.#progress) : 1;
}

/** Fast at first, slow at the end; from 0 to 1. */
export function eased(progress: number): number {
  return 1 - (1 - progress) ** 3;
}
