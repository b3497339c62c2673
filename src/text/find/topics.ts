import { posix } from 'node:path';
import { codeSpan } from '../../core/text/text.ts';
import type { Passage } from '../chunk/chunk-file.ts';
import { oneLine, shorten } from '../chunk/markdown.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import { type Concept, ownTerms } from '../words/concept.ts';
import { queryExpansion } from '../words/query-expansion.ts';
import type { Research } from './research.ts';

/** A passage that could be a separate topic. */
export interface CandidateTopic {
  readonly passage: Passage;
  /** Larger is better. */
  readonly worth: number;
  readonly why: string;
  /** The same thing in other places: its copy, or its other half where codeSpan is written for two ways of waiting. */
  readonly twins?: readonly Passage[];
}

/** Twice as many as become topics, since some bring nothing new. */
const MAX_CANDIDATES = 24;
const MAX_NAMESAKES = 8;
const MAX_HITS = 200;
/** Of things of one name, as many of their first lines are the same where one is a copy of the other. */
const MOST_COMPARED = 60;
const SAME_LINES = 0.8;
const WAITS = /\b(?:async|await)\s+|\.await\b/g;
/** The weight of each further topic of a file: three files likelier have the answer than three places of one. */
const SAME_FILE = 0.5;
const ASKS = /^(?:how|what|when|where|which|who|whose|why)\b/;
/** In characters: a shorter text may be a name. */
const SHORTEST_ASKED = 20;
/** Passages less related to their parent and the question than this would only fill the tree. */
const MIN_WORTH = 0.2;

/** Returns the most important passages for a question, best first; those of the same file count less and less. */
export function firstLevel(index: WorkspaceIndex, question: Research): CandidateTopic[] {
  const hits = question.concepts.length > 0 ? question.found.hits.slice(0, MAX_HITS) : mostNamed(index);
  const pool = hits.map(({ passage, score }) => ({ passage, worth: score }));
  const top = Math.max(0, ...pool.map(({ worth }) => worth));
  const chosen: (CandidateTopic & { readonly twins: Passage[]; readonly lines: readonly string[] })[] = [];
  const asks = asking(question.text);
  const left = pool.filter(({ worth, passage }) => worth > 0.12 * top && !asks(passage));
  while (chosen.length < MAX_CANDIDATES && left.length > 0) {
    const adjusted = left.map(({ passage, worth }) => worth * variety(passage, chosen));
    const best = adjusted.reduce((at, worth, place) => (worth > (adjusted[at] ?? 0) ? place : at), 0);
    const [one] = left.splice(best, 1);
    if (!one) break;
    const lines = linesOf(one.passage);
    const twin = chosen.find((other) => areTwins(other, { passage: one.passage, lines }));
    if (twin) {
      twin.twins.push(one.passage);
      continue;
    }
    const words = question.wordsIn(one.passage);
    const why = words.length > 0 ? `has ${words.join(', ')}` : 'named from many places';
    chosen.push({ passage: one.passage, worth: (adjusted[best] ?? 0) / top, why, twins: [], lines });
  }
  return chosen.map(({ lines, ...topic }) => topic);
}

/** Tells codeSpan that has the very question as a string: it asks it, as an example or a test does, and does not answer it. */
function asking(question: string): (passage: Passage) => boolean {
  const asked = question.trim().replace(/\?$/, '').toLowerCase();
  // A text without a question may be that of an error, whose source is wanted.
  if (asked.length < SHORTEST_ASKED || !ASKS.test(asked)) return () => false;
  const strings = ['"', "'", '`'].map((quote) => quote + asked);
  return ({ kind, file, start, end, inner }) => {
    if (kind === 'section') return false;
    const isOwn = (row: number): boolean => !inner.some(([from, to]) => row >= from && row <= to);
    const lines = file.lines.slice(start, end + 1).filter((_, at) => isOwn(start + at));
    return lines.some((line) => strings.some((string) => line.toLowerCase().includes(string)));
  };
}

/** Returns the first lines of a passage that say something, without how they wait. */
function linesOf({ file, start, end }: Passage): string[] {
  const lines = file.lines.slice(start, Math.min(end + 1, start + MOST_COMPARED));
  return lines.map((line) => line.replace(WAITS, '').trim()).filter((line) => /[\p{L}\p{N}]/u.test(line));
}

/** Tells whether two passages are one thing: all the same, as a source and what is built of it are, or nearly so with one name. */
function areTwins(one: Compared, other: Compared): boolean {
  const [a, b] = [one.lines, other.lines];
  if (a.length === b.length && a.every((line, at) => line === b[at])) return true;
  if (one.passage.name !== other.passage.name || one.passage.kind !== other.passage.kind) return false;
  const left = new Set(a);
  return b.filter((line) => left.has(line)).length >= SAME_LINES * Math.max(a.length, b.length);
}

interface Compared {
  readonly passage: Passage;
  readonly lines: readonly string[];
}

function variety(passage: Passage, chosen: readonly CandidateTopic[]): number {
  let factor = 1;
  for (const { passage: other } of chosen) {
    if (other.file !== passage.file) continue;
    factor *= SAME_FILE;
    if (passage.start <= other.end && other.start <= passage.end) factor *= 0.6;
  }
  return factor;
}

/** For a question with nothing to search for ("What is this?"): what the rest of the codeSpan names most. */
function mostNamed(index: WorkspaceIndex): { passage: Passage; score: number }[] {
  const scored = index.passages
    .filter(({ kind, file }) => kind !== 'rest' && kind !== 'block' && file.role !== 'test')
    .map((passage) => {
      if (passage.kind === 'section')
        return { passage, score: /^readme\b/i.test(passage.file.path) && passage.start < 40 ? 10 : 1 };
      const uses = index.names.usesOf(passage).length;
      const meanings = Math.max(1, index.names.namesakes(passage).length);
      return { passage, score: Math.log2(1 + uses / meanings) * (passage.kind === 'class' ? 1.5 : 1) };
    });
  return scored.sort((a, b) => b.score - a.score || a.passage.id - b.passage.id).slice(0, 200);
}

/** Returns the narrower topics of a subject: its parts, what it calls, what calls it, its tests and its docs. */
export function nextLevel(index: WorkspaceIndex, subject: Subject, research: Research): CandidateTopic[] {
  const found = new Map<number, CandidateTopic>();
  const note = (passage: Passage, closeness: number, why: string): void => {
    if (passage.kind === 'rest' || subject.passages.includes(passage)) return;
    const role = passage.file.role === 'source' ? 1 : 0.6;
    const worth = closeness * role * (0.35 + research.relevance(passage));
    if (worth >= MIN_WORTH && worth > (found.get(passage.id)?.worth ?? 0))
      found.set(passage.id, { passage, worth, why });
  };
  if (subject.passages.length === 0)
    for (const { passage } of research.found.hits.slice(0, 40))
      note(passage, 1, `has ${research.wordsIn(passage).join(', ')}`);
  for (const passage of subject.passages) {
    const parts = index.partsOf(passage);
    for (const part of parts) note(part, 1, `part of ${passage.name}`);
    for (const part of [passage, ...parts])
      for (const meant of index.names.namedIn(part))
        for (const other of meant) note(other, 0.9 / meant.length, `${part.name} names it`);
    const meanings = index.names.namesakes(passage);
    for (const use of index.names.usesOf(passage))
      note(use.passage, 0.7 / Math.sqrt(meanings.length), `names ${passage.name}`);
    if (meanings.length <= MAX_NAMESAKES)
      for (const other of meanings) note(other, 0.6, `also called ${passage.identifier}`);
  }
  return [...found.values()].sort((a, b) => b.worth - a.worth || a.passage.id - b.passage.id).slice(0, MAX_CANDIDATES);
}

/** The subject of a node's title. */
export interface Subject {
  readonly title: string;
  /** The passages that the title names; empty if a person wrote their own words. */
  readonly passages: readonly Passage[];
}

/** Lists cut what is longer, from its end, where the place is. */
const MAX_TITLE = 120;

/**
 * The title of a topic: a thing, what about it, and where it is.
 * @param named how it is called: its name, with what it takes behind it
 */
export function titleOf(passage: Passage, aspect: string, named = passage.name): string {
  const name = passage.kind === 'section' ? `“${passage.name}”` : codeSpan(named);
  const place = ` (${passage.file.path})`;
  const room = MAX_TITLE - name.length - place.length - 2;
  const about = aspect !== '' && room > 10 ? `: ${shorten(oneLine(aspect), Math.min(room, 70))}` : '';
  return oneLine(`${name}${about}${place}`);
}

/** Parses a title. One typed by a person names no passage, and is searched for by its words. */
export function subjectOf(title: string, index: WorkspaceIndex): Subject {
  for (const { name, rest } of namesAt(title)) {
    // The middle part may itself contain parentheses: the place is the last one that opens before a known file.
    for (let at = rest.indexOf(' ('); at >= 0; at = rest.indexOf(' (', at + 1)) {
      if (!rest.endsWith(')')) break;
      const path = rest.slice(at + 2, -1);
      for (const each of namesIn(name, index.fileNamed(path)?.path === path)) {
        const passages = index.passagesNamed(each, path);
        if (passages.length > 0) return { title, passages };
      }
    }
  }
  return { title, passages: [] };
}

/** Returns a name, and what it may be without the signature behind it, the longest first. */
function namesIn(name: string, mayBeSigned: boolean): string[] {
  if (!mayBeSigned) return [name];
  const ends = Array.from(name.matchAll(/(?<=[\p{L}\p{N}_$?!])[^\p{L}\p{N}_$?!]/gu), ({ index }) => index);
  return [name, ...ends.reverse().map((end) => name.slice(0, end))];
}

function namesAt(title: string): { name: string; rest: string }[] {
  const quoted = /^“([^”]*)”(.*)$/su.exec(title);
  if (quoted) return [{ name: quoted[1] ?? '', rest: quoted[2] ?? '' }];
  const span = /^(`+)(.+?)\1(?!`)(.*)$/su.exec(title);
  return span ? [{ name: (span[2] ?? '').trim(), rest: span[3] ?? '' }] : [];
}

/** Returns the name of a passage in running text, short enough for a list. */
export function labelOf({ kind, name, file }: Passage): string {
  if (kind === 'section') return `“${name}”`;
  return kind === 'rest' ? codeSpan(posix.basename(file.path)) : codeSpan(name);
}

/** The score that a topic of the first level must reach, from 0 to 1, to be shown as an answer. */
const GOOD = 0.3;
/** A longer question has words enough that one of them, if it is rare, is what it is about. */
const SHORT_QUESTION = 3;
/**
 * The share of a question that may be in no file: one of which more is missing is about something else, and of one of
 * which nearly as much is, the places are no more than the nearest. Set so that of the tuning questions none is refused
 * whose file comes first, and one in twenty of these is said to have only near places.
 */
const MOST_MISSING = { elsewhere: 0.59, near: 0.44 };
/** The weight of a missing word for which one of the best places has a similar one, if programs ever have it. */
const SIMILAR = 0.75;
const BEST_PLACES = 5;
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
  const best = found.hits.slice(0, BEST_PLACES);
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
  return mayBeUnknown(concept, question) && !isKnown(concept) ? UNKNOWN : queryExpansion().rarityOf(ownTerms(concept));
}

/** Tells whether one ever meets a word where programs are asked about; if not, its synonyms are mere guesses. */
export function isKnown(concept: Concept): boolean {
  return ownTerms(concept).some((term) => queryExpansion().knows(term));
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
  return words > SHORT_QUESTION || wordsAround(passage, question).size >= Math.min(2, words);
}

/** Returns the words of a question, or similar ones, that a place's file has. */
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
