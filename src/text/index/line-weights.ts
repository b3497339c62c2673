import type { SourceFile } from '../files/source-file.ts';
import { type Concept, ownTerms } from '../words/concept.ts';
import { termsOf } from '../words/terms.ts';
import type { WorkspaceIndex } from './workspace-index.ts';

/** The comment above a function is informative, but the lines that do the work are more so. */
const COMMENT = 0.25;

/** How informative each line of a workspace is about some concepts. */
export class LineWeights {
  readonly #weights = new Map<string, number>();
  readonly #index: WorkspaceIndex;

  constructor(index: WorkspaceIndex, concepts: readonly Concept[], weights: readonly number[]) {
    this.#index = index;
    concepts.forEach((concept, place) => {
      const weight = weights[place] ?? 0;
      for (const word of concept.synonyms) if (!this.#weights.has(word)) this.#weights.set(word, weight * 0.35);
      for (const term of ownTerms(concept)) this.#weights.set(term, weight);
    });
  }

  /** From 0; any line that is not empty is worth a little. */
  of(file: SourceFile, row: number): number {
    const line = file.lines[row] ?? '';
    if (line.trim() === '') return 0;
    const weight = 0.1 + this.ofWords(line);
    return this.#index.isComment(file, row) ? weight * COMMENT : weight;
  }

  /** The weight of the concepts in a line. From 0. */
  ofWords(line: string): number {
    let weight = 0;
    for (const term of new Set(termsOf(line))) weight += this.#weights.get(term) ?? 0;
    return weight;
  }
}
