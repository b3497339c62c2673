import type { Checkout, CommitId, Workshop } from '../../../core/ports/workshop.ts';

/** A checkout in which checks are run: made when the first one needs it, and removed with `close`. */
export class CheckPlace {
  readonly #workshop: Workshop;
  readonly #name: string;
  readonly #commit: CommitId;
  readonly #signal: AbortSignal;
  #checkout: Promise<Checkout> | undefined;

  constructor(workshop: Workshop, name: string, commit: CommitId, signal: AbortSignal) {
    this.#workshop = workshop;
    this.#name = name;
    this.#commit = commit;
    this.#signal = signal;
  }

  open(): Promise<Checkout> {
    this.#checkout ??= this.#workshop.checkout(this.#name, this.#signal, this.#commit);
    return this.#checkout;
  }

  async close(): Promise<void> {
    const checkout = await this.#checkout?.catch(() => undefined);
    await checkout?.remove();
  }
}
