import type { Passage } from '../../../text/cut/passage.ts';
import type { Research } from '../../../text/find/research.ts';
import type { Concept } from '../../../text/words/concept.ts';
import type { CandidateTopic } from './candidates.ts';

/** What a topic of the first level must reach, from 0 to 1, to be shown as an answer. */
const GOOD = 0.3;
/** A longer question has words enough that one of them, if it is rare, is what it is about. */
const SHORT = 3;
/** So much of a question may be in no file: one of which more is missing is about something else. */
const MOST_MISSING = { share: 0.5, words: 1.5 };
/** What a missing word counts for which one of the best places has one of similar meaning. */
const HALF = 0.5;
const BEST = 3;
/** A file with so many of a question's words is about it, whatever else is missing. */
const MANY = 4;

/** Whether a candidate is good enough to be a topic: as many as are good become one, and sometimes none is. */
export function isGood(candidate: CandidateTopic, question: Research): boolean {
  return candidate.worth >= GOOD && hasEnoughWords(candidate, question);
}

/** Whether most of what a question says is in no file at all: then it is about something else, whatever its other words. */
export function isElsewhere(question: Research): boolean {
  const { concepts, found } = question;
  const best = found.hits.slice(0, BEST);
  if (best[0] && wordsAround(best[0].passage, question).size >= MANY) return false;
  const asked = concepts.flatMap((concept, place) => (isWord(concept) ? [place] : []));
  const missing = asked.filter((place) => !found.present[place]);
  if (asked.length > 0 && missing.length === asked.length) return true;
  const isSimilar = (place: number): boolean => best.some((hit) => hit.concepts.has(place));
  const count = missing.reduce((sum, place) => sum + (isSimilar(place) ? HALF : 1), 0);
  return count >= MOST_MISSING.words && count / asked.length >= MOST_MISSING.share;
}

/** Whether a place's file has enough of a short question to be about it. */
function hasEnoughWords({ passage }: CandidateTopic, question: Research): boolean {
  const { concepts, found } = question;
  // A word of another language that no file has is one that we could not translate.
  const mayBeUnknown = (concept: Concept): boolean => question.isForeign || !isLatin(concept);
  const asked = concepts.filter(
    (concept, place) => hasLetters(concept.word) && (found.present[place] || !mayBeUnknown(concept)),
  );
  const words = new Set(asked.map(({ word }) => word)).size;
  return words > SHORT || wordsAround(passage, question).size >= Math.min(2, words);
}

/** The words of a question, or similar ones, that a place's file has. */
function wordsAround({ file }: Passage, question: Research): ReadonlySet<string> {
  const around = question.found.hits.filter(({ passage }) => passage.file === file);
  return new Set(around.flatMap((hit) => question.wordsIn(hit.passage).filter(hasLetters)));
}

/** Phrases and numbers are no words that a file must have. */
function isWord({ word, term }: Concept): boolean {
  return term !== '' && hasLetters(word);
}

function isLatin({ word }: Concept): boolean {
  return /\p{Script=Latin}/u.test(word);
}

function hasLetters(word: string): boolean {
  return /\p{L}/u.test(word);
}
