import type { SourceFile } from '../files/source-file.ts';
import { type Concept, ownTerms } from '../words/concept.ts';
import { termsOf } from '../words/terms.ts';
import type { WorkspaceIndex } from './workspace-index.ts';

/** The comment above a function is informative, but the lines that do the work are more so. */
const COMMENT = 0.25;
/** The weight of a synonym beside the word itself. */
const SYNONYM = 0.35;
const NOTHING = { place: -1, weight: 0 };

/** The weights of a workspace's lines: how informative each is about some concepts. */
export class LineWeights {
  /** By term: the place of its concept, and how much it tells. */
  readonly #terms = new Map<string, { readonly place: number; readonly weight: number }>();
  readonly #index: WorkspaceIndex;

  constructor(index: WorkspaceIndex, concepts: readonly Concept[], weights: readonly number[]) {
    this.#index = index;
    concepts.forEach((concept, place) => {
      const weight = weights[place] ?? 0;
      for (const word of concept.synonyms)
        if (!this.#terms.has(word)) this.#terms.set(word, { place, weight: weight * SYNONYM });
      for (const term of ownTerms(concept)) this.#terms.set(term, { place, weight });
    });
  }

  /** From 0; any line that is not empty is worth a little. */
  of(file: SourceFile, row: number): number {
    const line = file.lines[row] ?? '';
    if (line.trim() === '') return 0;
    const weight = 0.1 + this.ofWords(line);
    return this.#index.isComment(file, row) ? weight * COMMENT : weight;
  }

  /** The weight of the concepts in a line, each once. From 0. */
  ofWords(line: string): number {
    const found = new Map<number, number>();
    for (const term of termsOf(line)) {
      const { place, weight } = this.#terms.get(term) ?? NOTHING;
      if (weight > (found.get(place) ?? 0)) found.set(place, weight);
    }
    let sum = 0;
    for (const weight of found.values()) sum += weight;
    return sum;
  }
}
