import { batch, computed, signal } from '@preact/signals';
import { isOpen, isSame, type Unfolding } from '../../src/drawing/layout/tree-layout.ts';
import type { ViewNode } from '../../src/drawing/tree-model.ts';
import type { ViewState } from './view-state.ts';

/** Until the size of the drawing is known, in pixels. */
const USUAL_HEIGHT = 670;

/** Which branches of the tree are open: as the tree and the window suggest, until a person decides. */
export class Branches {
  readonly #view: () => ViewState;
  readonly #set: (changes: Partial<ViewState>) => void;
  readonly #first: (height: number) => Unfolding;
  readonly #height = signal(USUAL_HEIGHT);
  // One signal per part: a change to another one must not lay out the tree again.
  readonly #isAutomatic = computed(() => this.#view().isAutomatic);
  readonly #levels = computed(() => this.#view().levels || Number.MAX_SAFE_INTEGER);
  readonly #opened = computed(() => this.#view().opened);
  readonly #closed = computed(() => this.#view().closed);
  #last: Unfolding | undefined;
  readonly unfolding = computed<Unfolding>(() => {
    const next = this.#isAutomatic.value
      ? this.#first(this.#height.value)
      : { levels: this.#levels.value, opened: new Set(this.#opened.value), closed: new Set(this.#closed.value) };
    // The same one, if it shows the same: nothing has to be laid out again.
    this.#last = this.#last && isSame(this.#last, next) ? this.#last : next;
    return this.#last;
  });
  /** The number of levels that are shown; 0 for all. */
  readonly levels = computed(() => {
    const { levels } = this.unfolding.value;
    return levels === Number.MAX_SAFE_INTEGER ? 0 : levels;
  });

  /** @param first what is shown until a person decides, in a drawing of some height in pixels */
  constructor(view: () => ViewState, set: (changes: Partial<ViewState>) => void, first: (height: number) => Unfolding) {
    this.#view = view;
    this.#set = set;
    this.#first = first;
  }

  isOpen(node: ViewNode): boolean {
    return isOpen(node, this.unfolding.value);
  }

  setOpen(node: ViewNode, open: boolean): void {
    if (node.children.length > 0) batch(() => this.#setOpen(node, open));
  }

  toggle(node: ViewNode): void {
    this.setOpen(node, !this.isOpen(node));
  }

  /** Shows so many levels, and forgets what was opened and closed individually; 0 for all. */
  setLevels(levels: number): void {
    this.#set({ isAutomatic: false, levels, opened: [], closed: [] });
  }

  /** How high the drawing is, in pixels: what is shown at first depends on it. */
  setHeight(height: number): void {
    this.#height.value = height;
  }

  /** From now on, nothing opens or closes by itself. */
  settle(): void {
    if (!this.#view().isAutomatic) return;
    const { opened } = this.unfolding.value;
    this.#set({ isAutomatic: false, levels: this.levels.value, opened: [...opened], closed: [] });
  }

  #setOpen(node: ViewNode, open: boolean): void {
    if (this.isOpen(node) === open) return;
    this.settle();
    const { opened, closed } = this.#view();
    const isWithin = node.depth < this.#levels.value;
    const without = (paths: readonly string[]): string[] => paths.filter((path) => path !== node.path);
    this.#set({
      opened: open && !isWithin ? [...without(opened), node.path] : without(opened),
      closed: !open && isWithin ? [...without(closed), node.path] : without(closed),
    });
  }
}
