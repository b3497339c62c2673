import type { Topic } from '../../core/ports/model.ts';
import type { Passage } from '../../text/chunk/chunk-file.ts';
import { type Lines, QuotedLines } from '../../text/find/choose-lines.ts';
import type { DocumentPlan } from '../../text/find/plan-document.ts';
import { byRelevance, planDocument } from '../../text/find/plan-document.ts';
import { type Research, researcher } from '../../text/find/research.ts';
import {
  type CandidateTopic,
  firstLevel,
  isElsewhere,
  isGood,
  nextLevel,
  type Subject,
  subjectOf,
  titleOf,
} from '../../text/find/topics.ts';
import { Lru } from '../../text/index/lru.ts';
import type { Use, WorkspaceIndex } from '../../text/index/workspace-index.ts';
import { asksForOverview, calledIn } from '../../text/rank/asked-for.ts';
import { namesOf, type OverviewPlan, type OverviewTopic, overviewOf } from './overview.ts';
import { nameOf, phraseOfName, whatItIs } from './titles.ts';

/** A subtopic: what a node would be about. */
export interface Subtopic {
  readonly title: string;
  readonly score: number;
  readonly why: string;
  /** Where the same thing is once more. */
  readonly twins?: readonly Passage[] | undefined;
}

type Lineage = readonly Topic[];

const FIRST_LEVEL = 10;
const NEXT_LEVEL = 5;
/** The most siblings whose quotations are considered. A longer list was typed by hand, or comes from another model. */
const MAX_SIBLINGS = 50;
const MIN_QUOTES = 2;
const MIN_LINES = 3;

/**
 * The answers of the workspace to the topics of one question. Every answer depends only on the files, the question and
 * the lineage, never on earlier requests: what ancestors and earlier siblings quote is computed again, and remembered
 * only to save work. So a tree is the same whatever the order in which its nodes are worked on.
 */
export class Answers {
  readonly #index: WorkspaceIndex;
  readonly #question: string;
  readonly #research: (text: string) => Research;
  /** By title, in order; empty if something is asked for. */
  readonly #overview: ReadonlyMap<string, OverviewTopic>;
  /** Who names what the question asks that of, if it asks that. */
  readonly callers: Callers | undefined;
  readonly #plans = new Lru<DocumentPlan>(4000);
  readonly #subtopics = new Lru<readonly Subtopic[]>(2000);
  readonly #candidates = new Lru<readonly CandidateTopic[]>(2000);

  constructor(index: WorkspaceIndex, question: string) {
    this.#index = index;
    this.#question = question;
    this.#research = researcher(index);
    this.callers = callersIn(question, index);
    const topics = asksForOverview(question, namesOf(index)) ? overviewOf(index) : [];
    this.#overview = new Map(topics.map((topic) => [topic.title, topic]));
  }

  /** Returns what was found on the question itself. */
  get question(): Research {
    return this.#research(this.#question);
  }

  /** Tells whether the question is about the workspace as a whole. */
  get isOverview(): boolean {
    return this.#overview.size > 0;
  }

  /** Returns the content of the document of a lineage's last topic. */
  plan(lineage: Lineage): DocumentPlan | OverviewPlan {
    const known = lineage.length === 1 ? this.#overview.get(lineage[0]?.title ?? '') : undefined;
    if (known) return known.plan;
    return this.#plans.get(planKey(lineage), () => {
      const subject = this.#subject(lineage);
      return planDocument({
        index: this.#index,
        subject,
        question: this.question,
        both: this.#both(subject),
        quoted: this.#quotedBefore(lineage),
        reserved: this.#reserved(lineage),
        isUseApart: this.callers !== undefined,
      });
    });
  }

  /**
   * Returns the subtopics of a lineage's last topic, or of the question: those that have something new to quote; below
   * the first level two places, or some lines.
   */
  subtopics(lineage: Lineage): readonly Subtopic[] {
    if (lineage.length === 0 && this.isOverview)
      return [...this.#overview.values()].map(({ title, worth, why }) => ({ title, score: scoreOf(worth, 0), why }));
    return this.#subtopics.get(keyOf(lineage), () => this.#choose(lineage));
  }

  /**
   * Returns the place that is nearest to a question which no place is good enough for; undefined if none has a third of
   * its words.
   */
  guess(): Subtopic | undefined {
    const { concepts, found } = this.question;
    const own = new Set(concepts.filter((_, place) => found.present[place]).map(({ word }) => word));
    const least = Math.max(1, concepts.length / 3);
    const isNear = ({ passage }: CandidateTopic): boolean =>
      this.question.wordsIn(passage).filter((word) => own.has(word)).length >= least;
    const best = this.#candidatesOf([]).find(isNear);
    if (!best) return undefined;
    const title = this.#titleOf(best.passage);
    return { title, score: scoreOf(best.worth, 0), why: whyOf(best) };
  }

  #choose(lineage: Lineage): Subtopic[] {
    const isFirst = lineage.length === 0;
    if (isFirst && !this.callers && isElsewhere(this.question)) return [];
    const most = isFirst ? FIRST_LEVEL : NEXT_LEVEL;
    const claimed = this.#claimed(lineage);
    const chosen: Subtopic[] = [];
    const titles: string[] = [];
    for (const candidate of this.#candidatesOf(lineage)) {
      if (chosen.length === most) break;
      const { passage, worth } = candidate;
      if (isFirst && !this.callers && !isGood(candidate, this.question)) continue;
      const place = placeOf(passage);
      if (claimed.has(place)) continue;
      const title = this.#titleOf(passage);
      const { quotes } = this.plan([...lineage, { title, siblings: [...titles, title], index: titles.length }]);
      // An answer to the question may be a single line; a topic below that must have more to say.
      const says = quotes.length >= MIN_QUOTES || quotes.some(({ start, end }) => end - start + 1 >= MIN_LINES);
      if (!(isFirst || says) || !quotes.some((quote) => quote.lane === 'defined' && isOf(quote, passage))) continue;
      claimed.add(place);
      titles.push(title);
      const { twins } = candidate;
      chosen.push({ title, score: scoreOf(worth, lineage.length), why: whyOf(candidate), twins });
    }
    return chosen;
  }

  #titleOf(passage: Passage): string {
    return titleOf(passage, whatItIs(passage, this.#index, this.question), nameOf(passage, this.#index));
  }

  /** Lines that no name covers are all called like their file: those that answer the question are meant first. */
  #subject(lineage: Lineage): Subject {
    const subject = subjectOf(lineage.at(-1)?.title ?? this.#question, this.#index);
    const isUnnamed = subject.passages.some(({ kind }) => kind === 'rest');
    return isUnnamed ? { ...subject, passages: byRelevance(subject.passages, this.question) } : subject;
  }

  #both({ title, passages: [first] }: Subject): Research {
    return this.#research(`${first ? wordsOf(first) : title} ${this.#question}`);
  }

  #candidatesOf(lineage: Lineage): readonly CandidateTopic[] {
    return this.#candidates.get(keyOf(lineage), () => {
      const asksNothing = this.isOverview || !/[\p{L}\p{N}]/u.test(this.#question);
      if (lineage.length === 0 && this.callers) return callerTopics(this.callers);
      if (lineage.length === 0) return asksNothing ? [] : firstLevel(this.#index, this.question);
      const below = lineage.length === 1 ? this.#overview.get(lineage[0]?.title ?? '')?.symbols : undefined;
      if (below) return below.map((passage, place) => ({ passage, worth: 0.9 ** place, why: 'has' }));
      const subject = this.#subject(lineage);
      return nextLevel(this.#index, subject, subject.passages.length > 0 ? this.question : this.#both(subject));
    });
  }

  /** Returns the lines quoted by ancestors and earlier siblings, at each level. */
  #quotedBefore(lineage: Lineage): QuotedLines {
    const quoted = new QuotedLines();
    lineage.forEach((topic, level) => {
      const above = lineage.slice(0, level);
      for (const sibling of earlier(topic))
        for (const quote of this.plan([...above, sibling]).quotes) quoted.add(quote);
      if (level < lineage.length - 1) for (const quote of this.plan([...above, topic]).quotes) quoted.add(quote);
    });
    return quoted;
  }

  /** Returns the passages of later siblings, and of the ancestors' siblings. */
  #reserved(lineage: Lineage): ReadonlySet<number> {
    const reserved = new Set<number>();
    for (const { passage } of this.#candidatesOf(lineage.slice(0, -1)).slice(0, FIRST_LEVEL))
      if (passage.file.role === 'source') reserved.add(passage.id);
    for (const { siblings } of lineage.slice(0, -1))
      for (const title of siblings.slice(0, MAX_SIBLINGS))
        for (const { id } of subjectOf(title, this.#index).passages) reserved.add(id);
    for (const { id } of this.#subject(lineage).passages) reserved.delete(id);
    return reserved;
  }

  /** Returns what has, or will have, a node of its own: the topics around, and the subtopics of earlier siblings. */
  #claimed(lineage: Lineage): Set<string> {
    const claimed = new Set<string>();
    const claim = (title: string): void => {
      for (const passage of subjectOf(title, this.#index).passages) claimed.add(placeOf(passage));
    };
    lineage.forEach((topic, level) => {
      for (const title of topic.siblings.slice(0, MAX_SIBLINGS)) claim(title);
      claim(topic.title);
      for (const sibling of earlier(topic))
        for (const { title } of this.subtopics([...lineage.slice(0, level), sibling])) claim(title);
    });
    return claimed;
  }
}

/** The longest name that is taken apart. */
const LONGEST_NAME = 500;

/** Returns the name of a passage, in words worth searching for. */
function wordsOf({ kind, name, identifier }: Passage): string {
  if (kind === 'rest') return '';
  // A constructor is found by its class's name.
  const isOfClass = kind === 'member' && identifier === undefined && name.length <= LONGEST_NAME;
  return isOfClass ? name.replace(/[^\p{L}\p{N}]+[\p{L}_]+$/u, '') : name;
}

/** Tells whether lines are of a passage; of those that no name covers, all in a file are one topic. */
function isOf(quote: Lines, { kind, file, start, end }: Passage): boolean {
  return quote.file === file && (kind === 'rest' || (quote.start <= end && quote.end >= start));
}

function earlier({ siblings, index }: Topic): Topic[] {
  const before = siblings.slice(0, Math.min(index, MAX_SIBLINGS));
  return before.map((title, place) => ({ title, siblings, index: place }));
}

function keyOf(lineage: Lineage): string {
  return JSON.stringify(lineage.map(({ title, siblings, index }) => [title, index, siblings.slice(0, MAX_SIBLINGS)]));
}

/** A document depends on earlier siblings only: it is planned while later ones are still being chosen. */
function planKey(lineage: Lineage): string {
  const topic = lineage.at(-1);
  return JSON.stringify([
    keyOf(lineage.slice(0, -1)),
    topic?.title,
    topic?.siblings.slice(0, Math.min(topic.index, MAX_SIBLINGS)),
  ]);
}

function placeOf({ name, file }: Passage): string {
  return `${file.path}\0${name}`;
}

/** Says why a passage is a topic: how it belongs to the one above, else what it does, else where it is. */
function whyOf({ passage, why }: CandidateTopic): string {
  const { identifier, file, head } = passage;
  if (!/^(?:has|named)\b/.test(why)) return why;
  return phraseOfName(identifier ?? '') || `${file.path}:${head + 1}`;
}

function scoreOf(worth: number, depth: number): number {
  return Math.round(Math.max(0.5, Math.min(10, 10 * Math.min(1, worth) * 0.9 ** depth)) * 2) / 2;
}

const BRINGS_IN = /^\s*(?:import|export|from|use|using|require|#\s*include)\b|\brequire\(/;
/** The factor by which each further caller counts less; all of them answer. */
const NEXT_WORTH = 0.97;

/** The passages whose callers a question asks for, and these callers. */
export interface Callers {
  readonly called: readonly Passage[];
  /** Code before tests, by path and line, each with the line (from 0) that names it. */
  readonly users: ReadonlyMap<Passage, number>;
}

/** Undefined if a question does not ask who names something, or if nobody is known to. */
function callersIn(question: string, index: WorkspaceIndex): Callers | undefined {
  const name = calledIn(question);
  if (name === undefined) return undefined;
  const called = index.names.definitionsOf(name);
  const uses = called.flatMap((passage) => index.names.usesOf(passage)).filter((use) => tells(use));
  const isTest = ({ passage: { file } }: Use): number => Number(file.role === 'test');
  uses.sort((a, b) => isTest(a) - isTest(b) || a.passage.id - b.passage.id);
  const users = new Map(uses.map(({ passage, row }) => [passage, row]));
  for (const passage of called) users.delete(passage);
  return users.size === 0 ? undefined : { called, users };
}

/** Tells whether a place does more with a name than bring it in, or give it to others. */
export function tells({ passage: { kind, file }, row, reached }: Use): boolean {
  return !BRINGS_IN.test(file.lines[row] ?? '') && (kind !== 'rest' || reached);
}

/** Returns the topics that answer such a question: what is called, which says by whom, then the callers. */
function callerTopics({ called, users }: Callers): CandidateTopic[] {
  const [first] = called;
  const passages = first ? [first, ...users.keys()] : [...users.keys()];
  return passages.map((passage, place) => ({
    passage,
    worth: NEXT_WORTH ** place,
    why: place === 0 ? 'has what is asked for' : `names ${first?.name}`,
  }));
}
