import { readFileSync } from 'node:fs';
import { type Concept, ownTerms } from './concept.ts';
import { type ConcernTable, concernTableOf, type Lists, listAt, packedTable, unpackConcerns } from './packed-tables.ts';

let opened: QueryExpansion | undefined;

/** Returns what programs do, and how people ask about it; read when first needed. */
export function queryExpansion(): QueryExpansion {
  opened ??= new QueryExpansion(readTable());
  return opened;
}

function readTable(): ConcernTable {
  const packed = packedTable('concerns');
  return packed
    ? unpackConcerns(packed)
    : concernTableOf(readFileSync(new URL('../../../data/concerns.txt', import.meta.url), 'utf8'));
}

/** A concern that a question may be about. */
export interface LikelyConcern {
  /** From 0 to 1 for the likeliest. */
  readonly likeliness: number;
  /** The terms of its code, most telling first. */
  readonly terms: readonly string[];
}

/** The number of concerns that a question may be about. */
const MOST = 30;
/** BM25 over concerns: how soon more of a word says no more, and how much length counts. */
const K = 1.2;
const B = 0.5;
/** The weight of a word that the code says, beside one that people say; and of a synonym of the question's word. */
const SAID = 0.7;
const SYNONYM = 0.8;

/**
 * Finds what a question is about among what programs do, by BM25 over how people ask about it. A search asks for a few
 * hundred terms: each is looked for in all lists once, as an index of all terms takes longer to make than that.
 */
export class QueryExpansion {
  readonly #table: ConcernTable;
  readonly #numbers: ReadonlyMap<string, number>;
  /** The number of concerns, and their average length. */
  readonly #size: number;
  readonly #average: number;
  readonly #places = new Map<string, Places>();
  /** By concern, for the question at hand: what all concepts say, and one of them; 0 between questions. */
  readonly #scores: Float32Array;
  readonly #best: Float32Array;

  constructor(table: ConcernTable) {
    this.#table = table;
    this.#numbers = new Map(table.terms.map((term, number) => [term, number]));
    this.#size = table.asked.starts.length - 1;
    this.#average = (table.asked.numbers.length + SAID * table.said.numbers.length) / Math.max(1, this.#size);
    this.#scores = new Float32Array(this.#size);
    this.#best = new Float32Array(this.#size);
  }

  /** Returns the concerns that a question is most probably about, likeliest first. */
  of(concepts: readonly Concept[]): LikelyConcern[] {
    const [scores, best] = [this.#scores, this.#best];
    this.#look(concepts.flatMap((concept) => [...ownTerms(concept), ...concept.synonyms]));
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
    const order = highest(found, scores);
    const most = scores[order[0] ?? 0] || 1;
    const likely = order.map((concern) => ({ likeliness: (scores[concern] ?? 0) / most, terms: this.#said(concern) }));
    for (const concern of found) scores[concern] = 0;
    return likely;
  }

  /** Tells the rarity of words that have one of some terms in what programs do, from 0 for one of all. */
  rarityOf(terms: readonly string[]): number {
    this.#look(terms);
    return this.#rarity(Math.max(0, ...terms.map((term) => (this.#places.get(term) ?? NOWHERE).concerns.length)));
  }

  /** Tells whether any concern has a term. */
  knows(term: string): boolean {
    return this.#numbers.has(term);
  }

  #rarity(count: number): number {
    return Math.log(1 + (this.#size - count + 0.5) / (count + 0.5));
  }

  /** Finds where those of some terms are that were not asked for yet. */
  #look(all: readonly string[]): void {
    const { terms, asked, said } = this.#table;
    const places: Places[] = [];
    /** By term its place among these, from 1; 0 for all others. */
    const wanted = new Uint16Array(terms.length);
    for (const term of all) {
      const number = this.#numbers.get(term);
      if (number === undefined || this.#places.has(term)) continue;
      const place: Places = { concerns: [], counts: [] };
      this.#places.set(term, place);
      wanted[number] = places.push(place);
    }
    if (places.length === 0) return;
    for (let concern = 0; concern < this.#size; concern++) {
      note(asked, concern, 1, wanted, places);
      note(said, concern, SAID, wanted, places);
    }
    for (const { concerns, counts } of places)
      concerns.forEach((concern, at) => {
        counts[at] = this.#saturated(counts[at] ?? 0, concern);
      });
  }

  /** Returns how much a concern has of a term, by BM25 with the length of the concern. */
  #saturated(count: number, concern: number): number {
    const { asked, said } = this.#table;
    const length = 1 - B + (B * (lengthAt(asked, concern) + SAID * lengthAt(said, concern))) / this.#average;
    return Math.fround((count * (K + 1)) / (count + K * length));
  }

  /** Adds what a term says for each concern, where no other term of its concept says more. */
  #add(term: string, weight: number, best: Float32Array, touched: number[]): void {
    const { concerns, counts } = this.#places.get(term) ?? NOWHERE;
    const idf = this.#rarity(concerns.length);
    for (let at = 0; at < concerns.length; at++) {
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

/** Returns those with the highest scores, in order; a question touches most of the concerns, which need none. */
function highest(found: readonly number[], scores: Float32Array): number[] {
  const isBefore = (a: number, b: number): boolean => {
    const difference = (scores[a] ?? 0) - (scores[b] ?? 0);
    return difference > 0 || (difference === 0 && a < b);
  };
  const top: number[] = [];
  for (const one of found) {
    if (top.length === MOST && isBefore(top[MOST - 1] as number, one)) continue;
    let at = top.length;
    while (at > 0 && isBefore(one, top[at - 1] as number)) at--;
    top.splice(at, 0, one);
    top.length = Math.min(top.length, MOST);
  }
  return top;
}

/** The concerns that have a term, in order, and how much of it. */
interface Places {
  readonly concerns: number[];
  readonly counts: number[];
}

const NOWHERE: Places = { concerns: [], counts: [] };

/** Notes which of the wanted terms one of the lists has. */
function note(lists: Lists, concern: number, count: number, wanted: Uint16Array, places: readonly Places[]): void {
  const { starts, numbers } = lists;
  const end = starts[concern + 1] ?? 0;
  for (let at = starts[concern] ?? 0; at < end; at++) {
    const place = wanted[numbers[at] ?? 0] ?? 0;
    if (place === 0) continue;
    const { concerns, counts } = places[place - 1] as Places;
    const last = concerns.length - 1;
    if (concerns[last] === concern) counts[last] = (counts[last] ?? 0) + count;
    else {
      concerns.push(concern);
      counts.push(count);
    }
  }
}

function lengthAt({ starts }: Lists, at: number): number {
  return (starts[at + 1] ?? 0) - (starts[at] ?? 0);
}
