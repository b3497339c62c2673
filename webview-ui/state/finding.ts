import { computed, type ReadonlySignal, signal } from '@preact/signals';

/** The field in which something to find is typed: open when asked for, and as long as there is something in it. */
export class Finding {
  readonly #isAsked = signal(false);
  readonly #clear: () => void;
  /** How often it was asked for: it takes the focus each time. */
  readonly times = signal(0);
  readonly isOpen: ReadonlySignal<boolean>;

  /**
   * @param text what is in it
   * @param clear empties it
   */
  constructor(text: () => string, clear: () => void) {
    this.#clear = clear;
    this.isOpen = computed(() => this.#isAsked.value || text() !== '');
  }

  open(): void {
    this.#isAsked.value = true;
    this.times.value++;
  }

  close(): void {
    this.#isAsked.value = false;
    this.#clear();
  }
}
