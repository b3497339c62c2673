import { type Concept, ownTerms } from '../words/concept.ts';
import { termsOf } from '../words/terms.ts';

const SYNONYM = 0.35;

/** Which concepts of a question a line has. */
export class ConceptsInLine {
  readonly #places = new Map<string, { readonly place: number; readonly share: number }[]>();

  constructor(concepts: readonly Concept[]) {
    concepts.forEach((concept, place) => {
      for (const term of ownTerms(concept)) this.#add(term, place, 1);
      for (const term of concept.synonyms) this.#add(term, place, SYNONYM);
    });
  }

  /** By the concept's place in the question, from 0: how surely the line has it, up to 1. */
  in(line: string): Map<number, number> {
    const found = new Map<number, number>();
    for (const term of termsOf(line))
      for (const { place, share } of this.#places.get(term) ?? [])
        found.set(place, Math.max(found.get(place) ?? 0, share));
    return found;
  }

  #add(term: string, place: number, share: number): void {
    const places = this.#places.get(term) ?? [];
    places.push({ place, share });
    this.#places.set(term, places);
  }
}
