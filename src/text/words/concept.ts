import { splitWords } from './split-words.ts';
import { synonymsOf } from './synonyms.ts';
import { termOf } from './terms.ts';

/** One concept in a question: a word of it, and the terms that a file may use for it. */
export interface Concept {
  /** As in the question, in lower case. */
  readonly word: string;
  readonly term: string;
  /** Synonyms, with less weight. */
  readonly synonyms: readonly string[];
}

const MAX_CONCEPTS = 24;

/** The concepts of a text: each meaningful word, once, in order. */
export function conceptsOf(text: string): Concept[] {
  const concepts = new Map<string, Concept>();
  for (const word of splitWords(text)) {
    const term = termOf(word);
    if (term === undefined || concepts.has(term)) continue;
    concepts.set(term, { word, term, synonyms: [] });
    if (concepts.size === MAX_CONCEPTS) break;
  }
  // A synonym that is also a word of the question already counts as that.
  return [...concepts.values()].map((concept) => ({
    ...concept,
    synonyms: [...new Set(synonymTerms(concept.word, concept.term))].filter((term) => !concepts.has(term)),
  }));
}

function synonymTerms(word: string, term: string): string[] {
  const singular = word.endsWith('s') ? [word.slice(0, -1)] : [];
  const bare = [word, ...singular, word.replace(/(ed|ing|d)$/, ''), word.replace(/(ed|ing)$/, 'e'), term];
  return [...new Set(bare)].flatMap((form) => synonymsOf(form)).flatMap((synonym) => termOf(synonym) ?? []);
}
