import type { Skipped } from '../../core/ports/lookup.ts';
import type { Research } from '../../text/find/research.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';

/** What an index may know of the files that it did not cut into passages. */
interface FirstPass {
  readonly skipped?: readonly Skipped[];
  /** Files whose words are known. */
  readonly fileCount?: number;
  /** In how many of those a term is. */
  frequency?(term: string): number;
}

const MOST_EXAMPLES = 3;
const MOST_REASONS = 12;

/** All files of a workspace, those that were not read closely too. */
export class AllFiles {
  readonly #index: WorkspaceIndex & FirstPass;

  constructor(index: WorkspaceIndex) {
    this.#index = index;
  }

  /** How many were searched by their words. */
  get count(): number {
    return this.#index.fileCount ?? this.#index.files.length;
  }

  /** How many of them were read closely. */
  get read(): number {
    return this.#index.files.length;
  }

  /** The files that were not read, by reason, the most first. */
  get skipped(): Skipped[] {
    const { skipped = [], leftOut } = this.#index;
    const all = [...skipped, ...(leftOut > 0 ? [{ reason: 'too-many', count: leftOut, examples: [] }] : [])];
    return all
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, MOST_REASONS)
      .map(({ reason, count, examples }) => ({ reason, count, examples: examples.slice(0, MOST_EXAMPLES) }));
  }

  /** The words among those that are in no file at all. */
  missing(words: readonly string[], { concepts }: Research): string[] {
    return words.filter((word) => {
      const concept = concepts.find((one) => one.word === word);
      return !concept || !(this.#index.frequency && this.#index.frequency(concept.term) > 0);
    });
  }
}
