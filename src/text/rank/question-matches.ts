import { type Concept, ownTerms } from '../words/concept.ts';
import { FIELDS, type TermTable, windowField } from './term-table.ts';

const FIELD_COUNT = FIELDS.length;
/** The weight of a synonym beside the word itself, if it is rare; less where it is common. */
const SYNONYM_WEIGHT = 0.35;
/** A word in no more than this share of the passages is rare. */
const RARE = 0.03;
/** A set of concepts is kept in the bits of one number. */
const MAX_CONCEPTS = 31;
/** BM25: how soon more of a word says no more, and how much length counts. Code is long because it does much. */
const K = 1.2;
const B = 0.4;
/** By field: what a word there counts in the passage as a whole. */
const BOOST = [1, 1, 1.3, 5, 1.5, 2];
/** BM25+ over windows: text, names, path. */
const WINDOW_BOOST = [1, 2, 1.5];
const WINDOW_FLOOR = 0.5;

/** One place of one of the question's words. */
export interface Match {
  readonly token: number;
  readonly row: number;
  readonly field: number;
  readonly concept: number;
  /** 1 for the word itself. */
  readonly strength: number;
}

/** Where the words of a question are, and what that scores by BM25: of passages by field and as a whole, of windows. */
export class QuestionMatches {
  readonly concepts: readonly Concept[];
  /**
   * By concept: how much a word tells, by its rarity in code, or by that of its synonyms where no file has the word
   * itself; 0 if no file has any.
   */
  readonly idf: Float64Array;
  /** By concept: how much a word tells by its rarity in all files. */
  readonly weights: Float64Array;
  /** By concept: whether any file has the word itself. */
  readonly present: boolean[];
  /** The number of concepts that tell anything. */
  readonly telling: number;
  /** By passage and field. */
  readonly byField: Float32Array;
  /** By passage, of all fields together; and the same without synonyms. */
  readonly whole: Float32Array;
  readonly ownWhole: Float32Array;
  /** By passage, window and file: which concepts it has, as bits; `own`: without synonyms. */
  readonly inPassage: Uint32Array;
  readonly ownInPassage: Uint32Array;
  readonly inWindow: Uint32Array;
  readonly inFile: Uint32Array;
  readonly windowScore: Float32Array;
  /** Passages with any concept. */
  readonly touched: number[] = [];
  /** The share of the question that a set of concepts covers, by rarity. */
  readonly coverage: Coverage;
  readonly #table: TermTable;
  readonly #isCode: (passage: number) => boolean;

  constructor(table: TermTable, concepts: readonly Concept[]) {
    this.#table = table;
    this.concepts = concepts.slice(0, MAX_CONCEPTS);
    const passages = table.fileOf.length;
    const anyCode = table.files.some(({ standing }) => standing === 'code');
    this.#isCode = (passage) => !anyCode || table.files[table.fileOf[passage] ?? 0]?.standing === 'code';
    this.idf = new Float64Array(this.concepts.length);
    this.weights = new Float64Array(this.concepts.length);
    this.present = this.concepts.map((concept) => ownTerms(concept).some((term) => table.tokensOf(term).length > 0));
    this.byField = new Float32Array(passages * FIELD_COUNT);
    this.whole = new Float32Array(passages);
    this.ownWhole = new Float32Array(passages);
    this.inPassage = new Uint32Array(passages);
    this.ownInPassage = new Uint32Array(passages);
    this.inFile = new Uint32Array(table.files.length);
    this.inWindow = new Uint32Array(table.windows);
    this.windowScore = new Float32Array(table.windows);
    const counts = new Counts(passages);
    const inWindows = new Float32Array(table.windows * 3);
    this.concepts.forEach((concept, place) => {
      this.#scorePassages(concept, place, counts);
      this.#scoreWindows(concept, place, inWindows);
    });
    this.coverage = new Coverage(this.idf);
    this.telling = this.idf.filter((idf) => idf > 0).length;
  }

  /** Returns the matches inside some passages, in reading order. */
  within(passages: ReadonlySet<number>): ReadonlyMap<number, readonly Match[]> {
    const { rowOf, passageOf, fieldOf } = this.#table;
    const found = new Map<number, Match[]>([...passages].map((id) => [id, []]));
    // Most places of a common word are in none of them.
    const isAsked = new Uint8Array(this.inPassage.length);
    for (const id of passages) isAsked[id] = 1;
    this.concepts.forEach((concept, place) => {
      for (const [word, strength] of this.#wordsOf(concept)) {
        const tokens = this.#table.tokensOf(word);
        for (let at = 0; at < tokens.length; at++) {
          const token = tokens[at] as number;
          const row = rowOf[token] ?? 0;
          const passage = passageOf[row] ?? -1;
          if (isAsked[passage] !== 1) continue;
          found.get(passage)?.push({ token, row, field: fieldOf[row] ?? 0, concept: place, strength });
        }
      }
    });
    for (const matches of found.values()) matches.sort((a, b) => a.token - b.token);
    return found;
  }

  #scorePassages(concept: Concept, place: number, counts: Counts): void {
    const { rowOf, passageOf, fieldOf, fileOf } = this.#table;
    const bit = 1 << place;
    const [having, owners]: [number[], number[]] = [[], []];
    for (const [word, strength] of this.#wordsOf(concept)) {
      const tokens = this.#table.tokensOf(word);
      // Of a common word there are very many, and an iterator takes longer than all that is done with them.
      for (let token = 0; token < tokens.length; token++) {
        const row = rowOf[tokens[token] ?? 0] ?? 0;
        const passage = passageOf[row] ?? -1;
        if (passage < 0) continue;
        const has = this.inPassage[passage] ?? 0;
        if (has === 0) this.touched.push(passage);
        if ((has & bit) === 0) having.push(passage);
        this.inPassage[passage] = has | bit;
        this.inFile[fileOf[passage] ?? 0] = (this.inFile[fileOf[passage] ?? 0] ?? 0) | bit;
        const at = passage * FIELD_COUNT + (fieldOf[row] ?? 0);
        counts.all[at] = (counts.all[at] ?? 0) + strength;
        if (strength < 1) continue;
        const hasOwn = this.ownInPassage[passage] ?? 0;
        if ((hasOwn & bit) === 0) owners.push(passage);
        this.ownInPassage[passage] = hasOwn | bit;
        counts.own[at] = (counts.own[at] ?? 0) + 1;
      }
    }
    if (having.length === 0) return;
    const telling = owners.length > 0 ? owners : having;
    const all = this.#population();
    const inCode = telling.reduce((sum, passage) => sum + Number(this.#isCode(passage)), 0);
    const idf = Math.log(1 + (all.count - inCode + 0.5) / (inCode + 0.5));
    this.idf[place] = idf;
    this.weights[place] = Math.log(1 + fileOf.length / telling.length);
    for (const passage of having)
      this.whole[passage] = (this.whole[passage] ?? 0) + this.#score(passage, counts.all, idf, this.byField);
    for (const passage of owners)
      this.ownWhole[passage] = (this.ownWhole[passage] ?? 0) + this.#score(passage, counts.own, idf);
  }

  /** BM25 of what was counted in a passage, in all fields together; adds that of each to `byField`. Clears the counts. */
  #score(passage: number, counts: Float32Array, idf: number, byField?: Float32Array): number {
    const { average } = this.#population();
    let sum = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      const at = passage * FIELD_COUNT + field;
      const count = counts[at] ?? 0;
      if (count === 0) continue;
      counts[at] = 0;
      const length = 1 - B + (B * (this.#table.lengths[at] ?? 0)) / (average[field] || 1);
      if (byField) byField[at] = (byField[at] ?? 0) + (idf * count * (K + 1)) / (count + K * length);
      sum += ((BOOST[field] ?? 1) * count) / length;
    }
    return (idf * sum * (K + 1)) / (sum + K);
  }

  #scoreWindows(concept: Concept, place: number, counts: Float32Array): void {
    const { rowOf, windowOf, fieldOf, windowLengths, windows } = this.#table;
    const bit = 1 << place;
    const having: number[] = [];
    const holders = [0, 0, 0];
    for (const token of ownTerms(concept).flatMap((term) => [...this.#table.tokensOf(term)])) {
      const row = rowOf[token] ?? 0;
      const window = windowOf[row] ?? -1;
      if (window < 0) continue;
      const field = windowField(fieldOf[row] ?? 0);
      if (((this.inWindow[window] ?? 0) & bit) === 0) having.push(window);
      this.inWindow[window] = (this.inWindow[window] ?? 0) | bit;
      const at = window * 3 + field;
      if (counts[at] === 0) holders[field] = (holders[field] ?? 0) + 1;
      counts[at] = (counts[at] ?? 0) + 1;
    }
    const average = this.#population().windowAverage;
    for (const window of having)
      for (let field = 0; field < 3; field++) {
        const at = window * 3 + field;
        const count = counts[at] ?? 0;
        if (count === 0) continue;
        counts[at] = 0;
        const idf = Math.log(1 + (windows - (holders[field] ?? 0) + 0.5) / ((holders[field] ?? 0) + 0.5));
        const length = 1 - B + (B * (windowLengths[at] ?? 0)) / (average[field] || 1);
        const score = WINDOW_FLOOR + (count * (K + 1)) / (count + K * length);
        this.windowScore[window] = (this.windowScore[window] ?? 0) + (WINDOW_BOOST[field] ?? 1) * idf * score;
      }
  }

  #known: { count: number; average: readonly number[]; windowAverage: readonly number[] } | undefined;

  /** Returns the number of passages of code, and the average lengths of their fields and of windows. */
  #population(): { count: number; average: readonly number[]; windowAverage: readonly number[] } {
    if (this.#known) return this.#known;
    const { fileOf, lengths, windowLengths, windows } = this.#table;
    const sums = new Array<number>(FIELD_COUNT).fill(0);
    let count = 0;
    for (let passage = 0; passage < fileOf.length; passage++) {
      if (!this.#isCode(passage)) continue;
      count++;
      for (let field = 0; field < FIELD_COUNT; field++)
        sums[field] = (sums[field] ?? 0) + (lengths[passage * FIELD_COUNT + field] ?? 0);
    }
    const windowSums = [0, 0, 0];
    windowLengths.forEach((length, at) => {
      windowSums[at % 3] = (windowSums[at % 3] ?? 0) + length;
    });
    this.#known = {
      count,
      average: sums.map((sum) => sum / Math.max(1, count)),
      windowAverage: windowSums.map((sum) => sum / Math.max(1, windows)),
    };
    return this.#known;
  }

  /** Returns the words of a concept, each with how much it counts. */
  #wordsOf(concept: Concept): (readonly [string, number])[] {
    const own = ownTerms(concept).map((term) => [term, 1] as const);
    return [...own, ...concept.synonyms.map((word) => [word, SYNONYM_WEIGHT * this.#rarity(word)] as const)];
  }

  /** From 0 for a word of all passages to 1 for a rare one. */
  #rarity(word: string): number {
    const { fileOf } = this.#table;
    const count = this.#table.passagesWith(word).length;
    return Math.min(1, Math.log(1 + fileOf.length / Math.max(1, count)) / Math.log(1 + 1 / RARE));
  }
}

/** Counts how often a concept is in each field of each passage, with and without its synonyms. */
class Counts {
  readonly all: Float32Array;
  readonly own: Float32Array;

  constructor(passages: number) {
    this.all = new Float32Array(passages * FIELD_COUNT);
    this.own = new Float32Array(passages * FIELD_COUNT);
  }
}

/** Measures how much of something a set of its weighted parts covers. A set is bits of a number. */
class Coverage {
  readonly total: number;
  readonly #weights: Float64Array;
  readonly #known = new Map<number, number>();

  constructor(weights: Float64Array) {
    this.#weights = weights;
    this.total = weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** From 0 to 1 for all of it. */
  of(parts: number): number {
    const known = this.#known.get(parts);
    if (known !== undefined) return known;
    let sum = 0;
    this.#weights.forEach((weight, place) => {
      if ((parts >>> place) & 1) sum += weight;
    });
    const share = this.total === 0 ? 0 : sum / this.total;
    this.#known.set(parts, share);
    return share;
  }
}
