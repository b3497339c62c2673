import type { Layout, Placed } from '../../src/drawing/layout/tree-layout.ts';

const LASTS_MS = 260;
/** Above this number, everything jumps into place: animating it would take longer than a frame. */
const MOST = 3000;

/** Animates nodes from their previous places to the current ones, and lets new ones appear. */
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
   * @param shift rows by which the drawing itself was moved, so that what a person is looking at stays in place
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

  /** Moves everything into place at once. */
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
