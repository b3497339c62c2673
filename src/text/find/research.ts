import type { Passage } from '../chunk/chunk-file.ts';
import type { SourceFile } from '../files/source-file.ts';
import { Lru } from '../index/lru.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import { asksForValue, calledIn, constantIn, signsOf } from '../rank/asked-for.ts';
import type { Found } from '../rank/passage-search.ts';
import { foreignWords } from '../words/asking.ts';
import { type Concept, conceptsOf, kinOf, ownTerms } from '../words/concept.ts';
import { termsOf } from '../words/terms.ts';

/** The findings of the workspace about some words, prepared for queries. */
export class Research {
  readonly text: string;
  readonly concepts: readonly Concept[];
  readonly found: Found;
  readonly lines: LineWeights;
  readonly values: LineValues;
  /** True if the question is German or French: its words need not be those of the files. */
  readonly isForeign: boolean;
  readonly #index: WorkspaceIndex;
  #missing: string[] | undefined;

  constructor(index: WorkspaceIndex, text: string) {
    this.#index = index;
    this.text = text;
    this.concepts = conceptsOf(text);
    this.isForeign = foreignWords(text.toLowerCase().match(/\p{L}+/gu) ?? []).size > 0;
    this.found = index.search.search(this.concepts, text);
    this.lines = new LineWeights(index, this.concepts, this.found.weights);
    this.values = new LineValues({
      index,
      question: text,
      weights: this.lines,
      heaviest: Math.max(0, ...this.found.weights),
      relevance: (passage) => this.relevance(passage),
    });
  }

  /** Returns how well a passage answers, from 0 to 1 for the best. */
  relevance(passage: Passage): number {
    return this.found.byPassage.get(passage.id)?.relevance ?? 0;
  }

  /** Returns the words found in a passage, in their original form. */
  wordsIn(passage: Passage): string[] {
    const places = this.found.byPassage.get(passage.id)?.concepts ?? new Set();
    return [...new Set(this.concepts.filter((_, place) => places.has(place)).map(({ word }) => word))];
  }

  /** Returns the words in a passage, without those that occur in most of the workspace. */
  tellingWordsIn(passage: Passage): string[] {
    const most = Math.max(...this.found.weights);
    const telling = this.concepts.filter((_, place) => (this.found.weights[place] ?? 0) > most / 2);
    return this.wordsIn(passage).filter((word) => telling.some((concept) => concept.word === word));
  }

  /** The words that occur in no file, nor does any of the same root. */
  get missing(): string[] {
    this.#missing ??= this.concepts
      .filter(({ term, word }, place) => term !== '' && !this.found.present[place] && !isGrammar(word))
      .filter(({ word }) => !this.#index.hasAny(kinOf(word)))
      .map(({ word }) => word);
    return this.#missing;
  }
}

/** Tells whether a word is in the script in which Japanese writes particles and endings, and hardly anything else. */
function isGrammar(word: string): boolean {
  return /^\p{Script=Hiragana}+$/u.test(word);
}

/** Returns the research on a text, remembering the last few. */
export function researcher(index: WorkspaceIndex): (text: string) => Research {
  const known = new Lru<Research>(32);
  return (text) => known.get(text, () => new Research(index, text));
}

/** Words within so many rows count for a line, the less the farther: a thing is said over several lines. */
const REACH = 6;
const FADING = 1.5;
/** Words of a comment speak of the code below it, up to this many rows. */
const COMMENT = 0.5;
const COMMENT_REACH = 3;
/** Conditions, limits, throws and returns decide; what only declares or passes on does not. */
const DECIDES =
  /^\s*(?:\}?\s*(?:else\s+)?(?:if|elif|switch|match|case|while|unless|when|guard|assert)\b|return\b|throw\b|raise\b|panic\(|yield\b|default:|break\b|continue\b|except\b|catch\b)|[^=]=>?\s*[^=]|[<>]=?\s*[\w(]|[!=]==?\s/;
const DECIDING = 1.4;
/** The gain of a line by a form that the question asks for, as a factor of its words and by itself. */
const SIGN = 1;
const SIGN_ALONE = 0.1;
/** The share that a constant's declaration gains of the best line that uses it, where a value is asked for. */
const CONSTANT = 0.7;
/** The value of a line that names what the question asks the callers of. */
const CALL = 5;
/** The value of a line of code by itself, so that windows grow where nothing speaks against it. */
const ANY = 0.04;
/** The gain of a line in the most relevant passage over one without any relevance. */
const IN_RELEVANT = 2;

const NAME = /[A-Za-z_$][\w$]*/g;

/** Brackets, and the words that other languages have for them. */
const EMPTY = /^[\s)\]};,]*$|^\s*(?:end|else|begin|ensure|do)\W*$/;

interface Valuing {
  readonly index: WorkspaceIndex;
  readonly question: string;
  readonly weights: LineWeights;
  /** The weight of the question's rarest word. */
  readonly heaviest: number;
  /** From 0 to 1. */
  readonly relevance: (passage: Passage) => number;
}

/**
 * The value of each line of a file for a question, from 0: 1 is about a line with its rarest word. Comments are worth
 * nothing by themselves, their words count for the code below. Kept for each file.
 */
class LineValues {
  readonly #by: Valuing;
  readonly #signs: (line: string) => number;
  readonly #called: string | undefined;
  readonly #known = new Map<SourceFile, Float64Array>();

  constructor(by: Valuing) {
    this.#by = by;
    this.#signs = signsOf(by.question);
    this.#called = calledIn(by.question);
  }

  of(file: SourceFile, row: number): number {
    let values = this.#known.get(file);
    if (!values) {
      values = this.#valuesOf(file);
      this.#known.set(file, values);
    }
    return values[row] ?? 0;
  }

  #valuesOf(file: SourceFile): Float64Array {
    const { index, weights, heaviest } = this.#by;
    const own = Float64Array.from(file.lines, (line) => weights.ofWords(line) / Math.max(heaviest, Number.EPSILON));
    const relevance = this.#relevanceOf(file);
    const values = Float64Array.from(file.lines, (line, row) => {
      if (EMPTY.test(line) || index.isComment(file, row)) return 0;
      const signs = this.#signs(line);
      const words = this.#wordsAround(file, row, own) * (DECIDES.test(line) ? DECIDING : 1) * (1 + SIGN * signs);
      const call = this.#called !== undefined && hasName(line, this.#called) ? CALL : 0;
      return (1 + IN_RELEVANT * (relevance[row] ?? 0)) * (ANY + SIGN_ALONE * signs + words) + call;
    });
    if (asksForValue(this.#by.question)) this.#addConstants(file, values);
    return values;
  }

  /** Where a constant is used says what is limited, and its declaration how much: that gains by the best of its uses. */
  #addConstants(file: SourceFile, values: Float64Array): void {
    const declared = new Map<string, number>();
    file.lines.forEach((line, row) => {
      const name = this.#by.index.isComment(file, row) ? undefined : constantIn(line);
      if (name !== undefined && !declared.has(name)) declared.set(name, row);
    });
    if (declared.size === 0) return;
    const best = new Map<number, number>();
    file.lines.forEach((line, row) => {
      for (const [name] of line.matchAll(NAME)) {
        const at = declared.get(name);
        if (at !== undefined && at !== row) best.set(at, Math.max(best.get(at) ?? 0, values[row] ?? 0));
      }
    });
    for (const [row, use] of best) values[row] = (values[row] ?? 0) + CONSTANT * use;
  }

  #wordsAround(file: SourceFile, row: number, own: Float64Array): number {
    let sum = 0;
    for (let away = -REACH; away <= REACH; away++) {
      const words = own[row + away] ?? 0;
      if (words === 0) continue;
      const isComment = this.#by.index.isComment(file, row + away);
      if (isComment && (away > 0 || away < -COMMENT_REACH)) continue;
      sum += words * Math.exp(-Math.abs(away) / FADING) * (isComment ? COMMENT : 1);
    }
    return sum;
  }

  /** Returns the relevance of the innermost passage around each row. */
  #relevanceOf(file: SourceFile): Float64Array {
    const relevance = new Float64Array(file.lines.length);
    for (const passage of this.#by.index.passages)
      if (passage.file === file) relevance.fill(this.#by.relevance(passage), passage.start, passage.end + 1);
    return relevance;
  }
}

function hasName(line: string, name: string): boolean {
  return line.includes(name) && Array.from(line.matchAll(NAME), ([found]) => found).includes(name);
}

/** A word within a name: letters up to the next capital, a run of capitals, or a number. */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{M}]+|\p{N}+/gu;

/** The comment above a function is informative, but the lines that do the work are more so. */
const COMMENT_WEIGHT = 0.25;
/** The weight of a synonym beside the word itself. */
const SYNONYM_WEIGHT = 0.35;
const NOTHING = { place: -1, weight: 0 };

/** The weights of a workspace's lines: how informative each is about some concepts. */
class LineWeights {
  /** By term: the place of its concept, and how much it tells. */
  readonly #terms = new Map<string, { readonly place: number; readonly weight: number }>();
  readonly #index: WorkspaceIndex;

  constructor(index: WorkspaceIndex, concepts: readonly Concept[], weights: readonly number[]) {
    this.#index = index;
    concepts.forEach((concept, place) => {
      const weight = weights[place] ?? 0;
      for (const word of concept.synonyms)
        if (!this.#terms.has(word)) this.#terms.set(word, { place, weight: weight * SYNONYM_WEIGHT });
      for (const term of ownTerms(concept)) this.#terms.set(term, { place, weight });
    });
  }

  /** Finds the words of a line that the concepts mean: the columns of each from 0, and the one behind it. */
  columnsOf(line: string): [number, number][] {
    return Array.from(line.matchAll(WORD), ({ 0: word, index }): [number, number] => [
      index,
      index + word.length,
    ]).filter(([from, to]) => termsOf(line.slice(from, to)).some((term) => this.#terms.has(term)));
  }

  /** From 0; any line that is not empty is worth a little. */
  of(file: SourceFile, row: number): number {
    const line = file.lines[row] ?? '';
    if (line.trim() === '') return 0;
    const weight = 0.1 + this.ofWords(line);
    return this.#index.isComment(file, row) ? weight * COMMENT_WEIGHT : weight;
  }

  /** Returns the weight of the concepts in a line, each once. From 0. */
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
