import { type Concept, ownTerms } from '../words/concept.ts';
import { type ConcernTable, listAt } from './concern-table.ts';

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
  readonly #postings: Postings;
  /** By concern, for the question at hand: what all concepts say, and one of them; 0 between questions. */
  readonly #scores: Float32Array;
  readonly #best: Float32Array;

  constructor(table: ConcernTable) {
    this.#table = table;
    this.#numbers = new Map(table.terms.map((term, number) => [term, number]));
    this.#postings = postingsOf(table);
    this.#scores = new Float32Array(this.#postings.size);
    this.#best = new Float32Array(this.#postings.size);
  }

  /** The concerns that a question is most probably about, likeliest first. */
  of(concepts: readonly Concept[]): LikelyConcern[] {
    const [scores, best] = [this.#scores, this.#best];
    const found: number[] = [];
    for (const concept of concepts) {
      const touched: number[] = [];
      for (const term of ownTerms(concept)) this.#add(term, 1, best, touched);
      for (const term of concept.synonyms) this.#add(term, SYNONYM, best, touched);
      for (const concern of touched) {
        if (scores[concern] === 0) found.push(concern);
        scores[concern] = (scores[concern] ?? 0) + (best[concern] ?? 0);
        best[concern] = 0;
      }
    }
    const order = found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, MOST);
    const most = scores[order[0] ?? 0] || 1;
    const likely = order.map((concern) => ({ likeliness: (scores[concern] ?? 0) / most, terms: this.#said(concern) }));
    for (const concern of found) scores[concern] = 0;
    return likely;
  }

  /** Adds what a term says for each concern, where no other term of its concept says more. */
  #add(term: string, weight: number, best: Float32Array, touched: number[]): void {
    const number = this.#numbers.get(term);
    if (number === undefined) return;
    const { starts, concerns, counts, size } = this.#postings;
    const [from, to] = [starts[number] ?? 0, starts[number + 1] ?? 0];
    const idf = Math.log(1 + (size - (to - from) + 0.5) / (to - from + 0.5));
    for (let at = from; at < to; at++) {
      const concern = concerns[at] ?? 0;
      const score = weight * idf * (counts[at] ?? 0);
      const before = best[concern] ?? 0;
      if (before === 0) touched.push(concern);
      if (score > before) best[concern] = score;
    }
  }

  #said(concern: number): string[] {
    return Array.from(listAt(this.#table.said, concern), (number) => this.#table.terms[number] ?? '');
  }
}

/** By term, which concerns have it. */
interface Postings {
  /** The number of concerns. */
  readonly size: number;
  /** By term: where its concerns begin. */
  readonly starts: Uint32Array;
  readonly concerns: Uint32Array;
  /** How much the concern has of the term, as BM25 counts it, with the length of the concern. */
  readonly counts: Float32Array;
}

function postingsOf({ terms, asked, said }: ConcernTable): Postings {
  const size = asked.starts.length - 1;
  const starts = new Uint32Array(terms.length + 1);
  for (let concern = 0; concern < size; concern++)
    for (const term of termsIn(asked, said, concern)) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
  for (let term = 0; term < terms.length; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  const next = starts.slice();
  const concerns = new Uint32Array(starts[terms.length] ?? 0);
  const counts = new Float32Array(concerns.length);
  const average = (asked.numbers.length + SAID * said.numbers.length) / Math.max(1, size);
  for (let concern = 0; concern < size; concern++) {
    const [people, code] = [listAt(asked, concern), listAt(said, concern)];
    const length = 1 - B + (B * (people.length + SAID * code.length)) / average;
    for (const term of termsIn(asked, said, concern)) {
      const count = Number(people.includes(term)) + (code.includes(term) ? SAID : 0);
      const at = next[term] ?? 0;
      next[term] = at + 1;
      concerns[at] = concern;
      counts[at] = (count * (K + 1)) / (count + K * length);
    }
  }
  return { size, starts, concerns, counts };
}

/** The terms of a concern, each once. */
function termsIn(asked: ConcernTable['asked'], said: ConcernTable['said'], concern: number): number[] {
  const people = listAt(asked, concern);
  const terms = Array.from(people);
  for (const term of listAt(said, concern)) if (!people.includes(term)) terms.push(term);
  return terms;
}
