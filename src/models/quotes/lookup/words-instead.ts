import type { Passage } from '../../../text/cut/passage.ts';
import { isKnown } from '../../../text/find/good-topics.ts';
import type { Research } from '../../../text/find/research.ts';
import { splitWords } from '../../../text/words/split-words.ts';
import { termOf } from '../../../text/words/terms.ts';

/** Where a word of similar meaning is looked for. */
const BEST = 3;
const MOST_LINES = 200;

/** A word of a question that is in no file, and the word of similar meaning that a file has. */
export interface WordInstead {
  readonly word: string;
  readonly other: string;
}

/** Finds what the best places of a question say instead of its words that are in no file. */
export function wordsInstead(question: Research): WordInstead[] {
  const missing = new Set(question.missing);
  const best = question.found.hits.slice(0, BEST);
  return question.concepts.flatMap((concept, place) => {
    const { word, synonyms } = concept;
    if (!missing.has(word) || !isKnown(concept)) return [];
    const similar = new Set(synonyms);
    const others = best.flatMap(({ passage, concepts }) => (concepts.has(place) ? wordIn(passage, similar) : []));
    return others.slice(0, 1).map((other) => ({ word, other }));
  });
}

/** The first word of a passage that has one of some terms. */
function wordIn({ file, start, end }: Passage, terms: ReadonlySet<string>): string[] {
  const lines = file.lines.slice(start, Math.min(end + 1, start + MOST_LINES));
  const word = splitWords(lines.join('\n')).find((one) => terms.has(termOf(one) ?? ''));
  return word === undefined ? [] : [word];
}
