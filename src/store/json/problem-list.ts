import { kept } from '../../core/messages/kept.ts';
import type { Problem } from '../../core/ports/store.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';

/** The problems of reading, each once. */
export class ProblemList {
  readonly #problems: Problem[] = [];
  readonly #seen = new Set<string>();

  get all(): readonly Problem[] {
    return this.#problems;
  }

  add(problem: Problem): void {
    const key = `${problem.file}\n${problem.message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#problems.push(problem);
  }

  /** Records the error of reading one file; rethrows anything that is not about this file. */
  addError(error: unknown, file: string): void {
    if (!isThoughtTreeError(error, 'damaged', 'outside', 'not-writable')) throw error;
    const { line } = error.details;
    this.add({ file, ...kept(error.say), ...(line === undefined ? {} : { line }) });
  }
}
