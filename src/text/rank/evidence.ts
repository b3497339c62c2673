import type { Passage } from '../cut/passage.ts';

/** The references between the symbols of the workspace; see `Names`. */
export interface Neighbours {
  /** The symbols that a passage names; if a name is ambiguous, all of them. */
  namedIn(passage: Passage): readonly (readonly Passage[])[];
  /** Where a symbol may be named. */
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

  /** The symbols that prose names as code does: between backticks, or with a capital or underscore inside. */
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
