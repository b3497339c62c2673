import type { Research } from '../../../text/find/research.ts';
import type { CandidateTopic } from './candidates.ts';

/** What a topic of the first level must reach, from 0 to 1, to be shown as an answer. */
const GOOD = 0.3;

/** Whether a candidate is good enough to be a topic: as many as are good become one, and sometimes none is. */
export function isGood(candidate: CandidateTopic, question: Research): boolean {
  return guess(candidate, question) >= GOOD;
}

/** A longer question has words enough that one of them, if it is rare, is what it is about. */
const SHORT = 3;

/** By what it is worth next to the best, and whether its file has enough of the question to be about it. */
function guess({ passage, worth }: CandidateTopic, question: Research): number {
  const isWord = (word: string): boolean => /\p{L}/u.test(word);
  // A word of another script that no file has is one that we could not translate.
  const asked = question.concepts.filter(
    ({ word }, place) => isWord(word) && (question.found.present[place] || /\p{Script=Latin}/u.test(word)),
  ).length;
  if (asked > SHORT) return worth;
  const around = question.found.hits.filter(({ passage: { file } }) => file === passage.file);
  const found = new Set(around.flatMap((hit) => question.wordsIn(hit.passage).filter(isWord)));
  return found.size < Math.min(2, asked) ? 0 : worth;
}
