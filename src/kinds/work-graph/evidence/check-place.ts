import type { Checkout, CommitId, Workshop } from '../../../core/ports/workshop.ts';

/** One checkout for all checks, as they are run one after the other: it goes from commit to commit, and is kept. */
const NAME = 'check';

/** Where the checks of a commit are run: shown when the first one needs it. */
export class CheckPlace {
  readonly #workshop: Workshop;
  readonly #commit: CommitId;
  readonly #signal: AbortSignal;
  #checkout: Promise<Checkout> | undefined;

  constructor(workshop: Workshop, commit: CommitId, signal: AbortSignal) {
    this.#workshop = workshop;
    this.#commit = commit;
    this.#signal = signal;
  }

  open(): Promise<Checkout> {
    this.#checkout ??= this.#workshop.checkout(NAME, this.#signal, this.#commit);
    return this.#checkout;
  }
}
