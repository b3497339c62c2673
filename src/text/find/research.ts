import type { Passage } from '../cut/passage.ts';
import { LineWeights } from '../index/line-weights.ts';
import { Lru } from '../index/lru.ts';
import type { Found } from '../index/passage-search.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import { foreignWords } from '../words/asking.ts';
import { type Concept, conceptsOf } from '../words/concept.ts';
import { kinOf } from '../words/kin.ts';
import { LineValues } from './line-values.ts';

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

  /** The words found in a passage, in their original form. */
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
