import type { Store } from '../../core/ports/store.ts';
import { progressOf, progressWords } from '../../core/search/progress.ts';
import type { Closing, InterimWritten, SearchContext } from '../../engine/context.ts';
import { interimReport } from './messages.ts';

export interface ReportWritingParts {
  readonly closing: Closing;
  readonly store: Store;
  /** Checks what earlier runs quoted against the files as they are now. */
  readonly recheck: () => Promise<void>;
  /** Writes a report on the tree as it is; an interim one if `closing` says so. */
  readonly write: () => Promise<void>;
}

/** When reports are written: one at a time, and one that is requested while it is being written, once. */
export class ReportWriting {
  readonly #parts: ReportWritingParts;
  #full: Promise<void> | undefined;
  #interim: Promise<InterimWritten> | undefined;

  constructor(parts: ReportWritingParts) {
    this.#parts = parts;
  }

  /**
   * Of what there is, with the one call that a report may make.
   * @throws ThoughtTreeError if it cannot be written
   */
  write(): Promise<void> {
    const { closing, recheck, write } = this.#parts;
    this.#full ??= Promise.resolve(this.#interim)
      .catch(() => undefined)
      .then(recheck)
      .then(write)
      .finally(() => {
        closing.renew();
        this.#full = undefined;
      });
    return this.#full;
  }

  /**
   * Writes a report of what there is so far. It takes the place of no better one: of one that is being written, that a model
   * was asked for earlier, or that a person changed.
   * @param asks whether the one call that a report may make is made for it
   */
  async writeInterim(asks = false): Promise<InterimWritten> {
    if (this.#full) {
      await this.#full;
      return 'better';
    }
    const { closing, store, write } = this.#parts;
    this.#interim ??= writeInterim(store, async () => {
      closing.isInterim = true;
      closing.isSilent = !asks;
      await write();
    }).finally(() => {
      closing.isInterim = false;
      closing.isSilent = false;
      this.#interim = undefined;
    });
    return await this.#interim;
  }
}

/** The beginning of an interim report's notice, in every language. */
const MARK = '> ⏸ ';
/** Where it is looked for, in characters. */
const WITHIN = 2000;

/**
 * Returns the notice of a report on a search that is not finished: how far it is, and how it goes on. Nothing in a
 * final report.
 */
export function interimNotice({ closing, tree, descriptor, show }: SearchContext): string[] {
  if (!closing.isInterim) return [];
  return [`${MARK}${show(interimReport({ progress: progressWords(progressOf(tree.counts), descriptor.words) }))}`];
}

/**
 * Writes an interim report, unless the one on disk is of another hand: one that a model was asked for, or that a person
 * changed since it was written. One of which nothing is known, as in a clone, counts as changed.
 */
async function writeInterim(store: Store, write: () => Promise<void>): Promise<InterimWritten> {
  const there = await store.readReport();
  if (there !== undefined && !isInterim(there)) return 'better';
  if (there !== undefined && store.hashOf(there) !== (await store.readInterimHash())) return 'edited';
  await write();
  const written = await store.readReport();
  if (written !== undefined) await store.writeInterimHash(store.hashOf(written));
  return 'written';
}

/** Tells whether a report is about a search that was not finished. */
export function isInterim(report: string): boolean {
  return report.slice(0, WITHIN).includes(`\n${MARK}`);
}
