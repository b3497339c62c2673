import type { Passage } from '../chunk/chunk-file.ts';
import type { LikelyConcern } from '../words/query-expansion.ts';
import type { TermTable } from './term-table.ts';

/** The references between the symbols of the workspace; see `Names`. */
export interface Neighbours {
  /** Returns the symbols that a passage names; if a name is ambiguous, all of them. */
  namedIn(passage: Passage): readonly (readonly Passage[])[];
  /** Returns where a symbol may be named. */
  usesOf(passage: Passage): readonly { readonly passage: Passage }[];
}

/** The support of other passages that fit the question for one: the best score of each kind, from 0 to 1. */
export interface Support {
  called: number;
  calls: number;
  tested: number;
  documented: number;
}

const NAME_IN_PROSE = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;
/** A name with more meanings points nowhere. */
const MAX_MEANINGS = 4;

/** Follows the names in passages that fit a question to the code that they point at. */
export class Evidence {
  readonly #neighbours: Neighbours;
  readonly #definitions = new Map<string, Passage[]>();
  /** By passage: what it names, as code or as prose. The questions of one search look at the same ones. */
  readonly #named = new Map<number, readonly (readonly Passage[])[]>();

  constructor(passages: readonly Passage[], neighbours: Neighbours) {
    this.#neighbours = neighbours;
    for (const passage of passages) {
      if (passage.identifier === undefined || passage.file.role !== 'source') continue;
      const known = this.#definitions.get(passage.identifier);
      if (known) known.push(passage);
      else this.#definitions.set(passage.identifier, [passage]);
    }
  }

  /**
   * @param candidates what is to be ranked
   * @param witnesses tests and documents that fit the question
   * @param scoreOf how well a passage fits by its own words, from 0 to 1
   */
  support(
    candidates: readonly Passage[],
    witnesses: readonly Passage[],
    scoreOf: (passage: Passage) => number,
  ): ReadonlyMap<number, Support> {
    const supports = new Map<number, Support>(
      candidates.map(({ id }) => [id, { called: 0, calls: 0, tested: 0, documented: 0 }]),
    );
    for (const candidate of candidates)
      for (const meant of this.#namedIn(candidate))
        for (const other of meant) {
          if (other.id === candidate.id) continue;
          const own = supports.get(candidate.id);
          if (own) own.calls = Math.max(own.calls, scoreOf(other) / meant.length);
          const called = supports.get(other.id);
          if (called && candidate.file.role === 'source')
            called.called = Math.max(called.called, scoreOf(candidate) / meant.length);
        }
    for (const witness of witnesses) {
      const isTest = witness.file.role === 'test';
      for (const meant of this.#namedIn(witness, !isTest))
        for (const { id } of meant) {
          const support = supports.get(id);
          if (!support) continue;
          const score = scoreOf(witness) / meant.length;
          if (isTest) support.tested = Math.max(support.tested, score);
          else support.documented = Math.max(support.documented, score);
        }
    }
    return supports;
  }

  #namedIn(passage: Passage, isProse = false): readonly (readonly Passage[])[] {
    const key = 2 * passage.id + Number(isProse);
    let named = this.#named.get(key);
    if (!named) {
      named = isProse ? this.#namedInProse(passage) : this.#neighbours.namedIn(passage);
      this.#named.set(key, named);
    }
    return named;
  }

  /** Returns the symbols that prose names as code does: between backticks, or with a capital or underscore inside. */
  #namedInProse({ file, start, end }: Passage): (readonly Passage[])[] {
    const text = file.lines.slice(start, Math.min(end, start + 200) + 1).join('\n');
    const names = new Set<string>();
    for (const [name] of text.matchAll(NAME_IN_PROSE))
      if (/\p{Ll}\p{Lu}|\p{L}_\p{L}/u.test(name) || text.includes(`\`${name}`)) names.add(name);
    return [...names].flatMap((name) => {
      const meant = this.#definitions.get(name);
      return meant && meant.length <= MAX_MEANINGS ? [meant] : [];
    });
  }
}

const WRITTEN_NAME = /`([^`\n]{2,100})`|([\p{L}\p{N}_$@#./:-]{3,200})/gu;

/** The names that a question writes as code does: `setErrorHandler`, `Queue#push`, `max_retries`, `lib/reply.js`. */
export class ExactNames {
  readonly #names = new Set<string>();
  readonly #files = new Set<string>();

  constructor(question: string) {
    for (const [, quoted, bare] of question.matchAll(WRITTEN_NAME)) {
      const text = (quoted ?? bare ?? '').replace(/^[.,;:/-]+|(?<![.,;:/-])[.,;:/-]+$/g, '').replace(/\(\)$/, '');
      if (/\/|\.[a-z]{1,4}$/i.test(text)) this.#files.add(text.toLowerCase());
      for (const part of text.split(/[#./]|::/))
        if (quoted !== undefined || /[\p{Ll}\p{N}]\p{Lu}|\p{L}_\p{L}/u.test(part)) this.#names.add(part);
    }
  }

  /** Tells whether the question names a passage. */
  names({ identifier }: Passage): boolean {
    return identifier !== undefined && this.#names.has(identifier);
  }

  /** Returns which share of the names is written in a passage's lines. */
  shareIn({ file, start, end }: Passage): number {
    if (this.#names.size === 0) return 0;
    let found = 0;
    for (const name of this.#names)
      for (let row = start; row <= end; row++)
        if (file.lines[row]?.includes(name)) {
          found++;
          break;
        }
    return found / this.#names.size;
  }

  namesFile(path: string): boolean {
    const lower = path.toLowerCase();
    for (const name of this.#files) if (lower === name || lower.endsWith(`/${name}`)) return true;
    return false;
  }
}

/** A passage's score is the mean of so many concerns: more than one has to say that it is the place. */
const BEST_CONCERNS = 5;
/** The place among the terms of a concern at which a term counts half. */
const HALF_TELLING = 8;
/** The rarity of a term that no passage has. */
const RARITY_OF_MISSING = 3;

/** Measures how much of the likely concerns' code is in each passage, whatever words the question has. */
export class ExpectedTerms {
  readonly #best: Float32Array;

  constructor(table: Pick<TermTable, 'fileOf' | 'passagesWith' | 'rarityOf'>, concerns: readonly LikelyConcern[]) {
    const passages = table.fileOf.length;
    this.#best = new Float32Array(passages * BEST_CONCERNS);
    const sums = new Float32Array(passages);
    for (const { likeliness, terms } of concerns) {
      const touched: number[] = [];
      let all = 0;
      for (const [place, term] of terms.entries()) {
        const having = table.passagesWith(term);
        const idf = having.length === 0 ? RARITY_OF_MISSING : table.rarityOf(term);
        const worth = idf / (1 + place / HALF_TELLING);
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
    return this.#best[passage * BEST_CONCERNS] ?? 0;
  }

  /** By those that fit it best. */
  mean(passage: number): number {
    let sum = 0;
    for (let at = passage * BEST_CONCERNS; at < (passage + 1) * BEST_CONCERNS; at++) sum += this.#best[at] ?? 0;
    return sum / BEST_CONCERNS;
  }

  /** Keeps the largest, in order. */
  #keep(passage: number, score: number): void {
    const from = passage * BEST_CONCERNS;
    let at = from + BEST_CONCERNS - 1;
    if (score <= (this.#best[at] ?? 0)) return;
    for (; at > from && score > (this.#best[at - 1] ?? 0); at--) this.#best[at] = this.#best[at - 1] ?? 0;
    this.#best[at] = score;
  }
}
