import { concerns } from '../concerns/open-concerns.ts';
import type { Passage } from '../cut/passage.ts';
import { type Concept, ownTerms } from '../words/concept.ts';
import type { CandidateTopic } from './candidates.ts';
import type { Research } from './research.ts';

/** The score that a topic of the first level must reach, from 0 to 1, to be shown as an answer. */
const GOOD = 0.3;
/** A longer question has words enough that one of them, if it is rare, is what it is about. */
const SHORT = 3;
/**
 * The share of a question that may be in no file: one of which more is missing is about something else, and of one of
 * which nearly as much is, the places are no more than the nearest. Set so that of the tuning questions none is refused
 * whose file comes first, and one in twenty of these is said to have only near places.
 */
const MOST_MISSING = { elsewhere: 0.59, near: 0.44 };
/** The weight of a missing word for which one of the best places has a similar one, if programs ever have it. */
const SIMILAR = 0.75;
const BEST = 5;
/** The weight of a foreign word that we cannot translate: nobody knows how rare it is. */
const UNKNOWN = 5;

/** Tells whether a candidate is good enough to be a topic: as many as are good become one, and sometimes none is. */
export function isGood(candidate: CandidateTopic, question: Research): boolean {
  return candidate.worth >= GOOD && hasEnoughWords(candidate, question);
}

/** Tells whether most of a question is in no file at all: then it is about something else, whatever its other words. */
export function isElsewhere(question: Research): boolean {
  return shareMissing(question) >= MOST_MISSING.elsewhere;
}

/** Tells whether so much of a question is in no file that the best places are only near to what it is about. */
export function isOnlyNear(question: Research): boolean {
  return shareMissing(question) >= MOST_MISSING.near;
}

/** Returns the share of a question in no file, 0 to 1. A word counts by how rarely programs are asked about with it. */
function shareMissing(question: Research): number {
  const { concepts, found } = question;
  const best = found.hits.slice(0, BEST);
  // A word that the report does not name as missing is not held against the question: another form of it may be there.
  const isFound = (concept: Concept, place: number): boolean =>
    found.present[place] === true || !question.missing.includes(concept.word);
  let [all, missing] = [0, 0];
  concepts.forEach((concept, place) => {
    if (!isWord(concept)) return;
    const weight = weightOf(concept, question);
    all += weight;
    if (isFound(concept, place)) return;
    const isSimilar = isKnown(concept) && best.some((hit) => hit.concepts.has(place));
    missing += weight * (isSimilar ? SIMILAR : 1);
  });
  return all === 0 ? 0 : missing / all;
}

function weightOf(concept: Concept, question: Research): number {
  return mayBeUnknown(concept, question) && !isKnown(concept) ? UNKNOWN : concerns().rarityOf(ownTerms(concept));
}

/** Tells whether one ever meets a word where programs are asked about; if not, its synonyms are mere guesses. */
export function isKnown(concept: Concept): boolean {
  return ownTerms(concept).some((term) => concerns().knows(term));
}

/** A word of another language that no file has is one that we could not translate. */
function mayBeUnknown(concept: Concept, question: Research): boolean {
  return question.isForeign || !isLatin(concept);
}

/** Tells whether a place's file has enough of a short question to be about it. */
function hasEnoughWords({ passage }: CandidateTopic, question: Research): boolean {
  const { concepts, found } = question;
  const asked = concepts.filter(
    (concept, place) => hasLetters(concept.word) && (found.present[place] || !mayBeUnknown(concept, question)),
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
