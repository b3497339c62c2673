import type { LikelyConcern } from '../concerns/concerns.ts';
import type { TermTable } from './term-table.ts';

/** A passage's score is the mean of so many concerns: more than one has to say that it is the place. */
const BEST = 5;
/** The place among the terms of a concern at which a term counts half. */
const TELLING = 8;
/** The rarity of a term that no passage has. */
const MISSING = 3;

/** Measures how much of the likely concerns' code is in each passage, whatever words the question has. */
export class ExpectedTerms {
  readonly #best: Float32Array;

  constructor(table: Pick<TermTable, 'fileOf' | 'passagesWith' | 'rarityOf'>, concerns: readonly LikelyConcern[]) {
    const passages = table.fileOf.length;
    this.#best = new Float32Array(passages * BEST);
    const sums = new Float32Array(passages);
    for (const { likeliness, terms } of concerns) {
      const touched: number[] = [];
      let all = 0;
      for (const [place, term] of terms.entries()) {
        const having = table.passagesWith(term);
        const idf = having.length === 0 ? MISSING : table.rarityOf(term);
        const worth = idf / (1 + place / TELLING);
        all += worth;
        for (let at = 0; at < having.length; at++) {
          const passage = having[at] as number;
          if (sums[passage] === 0) touched.push(passage);
          sums[passage] = (sums[passage] ?? 0) + worth;
        }
      }
      for (const passage of touched) {
        this.#keep(passage, (likeliness * (sums[passage] ?? 0)) / all);
        sums[passage] = 0;
      }
    }
  }

  /** By the concern that fits a passage best: from 0 to 1 if the likeliest one's terms are all there. */
  best(passage: number): number {
    return this.#best[passage * BEST] ?? 0;
  }

  /** By those that fit it best. */
  mean(passage: number): number {
    let sum = 0;
    for (let at = passage * BEST; at < (passage + 1) * BEST; at++) sum += this.#best[at] ?? 0;
    return sum / BEST;
  }

  /** Keeps the largest, in order. */
  #keep(passage: number, score: number): void {
    const from = passage * BEST;
    let at = from + BEST - 1;
    if (score <= (this.#best[at] ?? 0)) return;
    for (; at > from && score > (this.#best[at - 1] ?? 0); at--) this.#best[at] = this.#best[at - 1] ?? 0;
    this.#best[at] = score;
  }
}
