import { type Concept, ownTerms } from '../words/concept.ts';
import type { ConcernTable, Lists } from './concern-table.ts';

/** A concern that a question may be about. */
export interface LikelyConcern {
  /** From 0 to 1 for the likeliest. */
  readonly likeliness: number;
  /** What its code says, most telling first. */
  readonly terms: readonly string[];
}

/** How many concerns a question may be about. */
const MOST = 30;
/** BM25 over concerns: how soon more of a word says no more, and how much length counts. */
const K = 1.2;
const B = 0.5;
/** What a word counts that the code says, beside one that people say; and a synonym of the question's word. */
const SAID = 0.7;
const SYNONYM = 0.8;

/** Finds what a question is about among what programs do, by BM25 over how people ask about it. */
export class Concerns {
  readonly #table: ConcernTable;
  readonly #numbers: ReadonlyMap<string, number>;
  /** By term: where its concerns begin among those of all terms. */
  readonly #starts: Uint32Array;
  readonly #concerns: Uint32Array;
  /** The same place: how much of the term the concern has, with its length accounted for. */
  readonly #counts: Float32Array;
  readonly #size: number;

  constructor(table: ConcernTable) {
    const { terms, asked, said } = table;
    this.#table = table;
    this.#numbers = new Map(terms.map((term, number) => [term, number]));
    this.#size = asked.starts.length - 1;
    const counts = countsOf(table);
    const average = counts.reduce((sum, of) => sum + sumOf(of), 0) / Math.max(1, this.#size);
    this.#starts = new Uint32Array(terms.length + 1);
    for (const of of counts) for (const term of of.keys()) this.#starts[term + 1] = (this.#starts[term + 1] ?? 0) + 1;
    for (let term = 0; term < terms.length; term++)
      this.#starts[term + 1] = (this.#starts[term + 1] ?? 0) + (this.#starts[term] ?? 0);
    const next = this.#starts.slice();
    this.#concerns = new Uint32Array(asked.numbers.length + said.numbers.length);
    this.#counts = new Float32Array(this.#concerns.length);
    counts.forEach((of, concern) => {
      const length = 1 - B + (B * sumOf(of)) / (average || 1);
      for (const [term, count] of of) {
        const at = next[term] ?? 0;
        this.#concerns[at] = concern;
        this.#counts[at] = (count * (K + 1)) / (count + K * length);
        next[term] = at + 1;
      }
    });
  }

  /** The concerns that a question is most probably about, likeliest first. */
  of(concepts: readonly Concept[]): LikelyConcern[] {
    const scores = new Float32Array(this.#size);
    const found = new Set<number>();
    for (const concept of concepts) {
      const best = new Map<number, number>();
      for (const term of ownTerms(concept)) this.#add(term, 1, best);
      for (const term of concept.synonyms) this.#add(term, SYNONYM, best);
      for (const [concern, score] of best) {
        scores[concern] = (scores[concern] ?? 0) + score;
        found.add(concern);
      }
    }
    const order = [...found].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, MOST);
    const most = scores[order[0] ?? 0] || 1;
    return order.map((concern) => ({ likeliness: (scores[concern] ?? 0) / most, terms: this.#said(concern) }));
  }

  #add(term: string, weight: number, best: Map<number, number>): void {
    const number = this.#numbers.get(term);
    if (number === undefined) return;
    const [from, to] = [this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0];
    const idf = Math.log(1 + (this.#size - (to - from) + 0.5) / (to - from + 0.5));
    for (let at = from; at < to; at++) {
      const concern = this.#concerns[at] ?? 0;
      const score = weight * idf * (this.#counts[at] ?? 0);
      if (score > (best.get(concern) ?? 0)) best.set(concern, score);
    }
  }

  #said(concern: number): string[] {
    return [...listAt(this.#table.said, concern)].map((number) => this.#table.terms[number] ?? '');
  }
}

/** Of each concern how much it has of each of its terms. */
function countsOf({ asked, said }: ConcernTable): Map<number, number>[] {
  return Array.from({ length: asked.starts.length - 1 }, (_, concern) => {
    const counts = new Map<number, number>();
    for (const term of listAt(asked, concern)) counts.set(term, 1);
    for (const term of listAt(said, concern)) counts.set(term, (counts.get(term) ?? 0) + SAID);
    return counts;
  });
}

function listAt({ starts, numbers }: Lists, at: number): Uint16Array {
  return numbers.subarray(starts[at], starts[at + 1]);
}

function sumOf(counts: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
