import { signal } from '@preact/signals';
import type { PageHost } from './host.ts';
import { readViewState, type ViewState } from './view-state.ts';

/** How long changes are collected before they are kept, in milliseconds: a drag makes many a second. */
const KEEP_MS = 150;

/** The person's view settings, which the editor keeps for the page's next load. */
export class KeptView {
  readonly state = signal<ViewState>(readViewState(undefined));
  readonly #host: Pick<PageHost, 'keep'>;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Pick<PageHost, 'keep' | 'kept'>) {
    this.#host = host;
    this.state.value = readViewState(host.kept());
  }

  set(changes: Partial<ViewState>): void {
    this.state.value = { ...this.state.value, ...changes };
    this.#keep();
  }

  /** Where the drawing was left; null until a person moved it. */
  get camera(): ViewState['camera'] {
    return this.state.peek().camera;
  }

  /** Changes with each frame, and nothing else depends on it: no signal changes. */
  set camera(camera: ViewState['camera']) {
    Object.assign(this.state.peek(), { camera });
    this.#keep();
  }

  #keep(): void {
    if (this.#keeping === undefined) this.#host.keep(this.state.peek());
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => {
      this.#keeping = undefined;
      this.#host.keep(this.state.peek());
    }, KEEP_MS);
  }
}
