import type { Lookup, LookupPlace } from '../../../core/ports/lookup.ts';
import type { Topic } from '../../../core/ports/prompt-data.ts';
import { lineAddress, oneLine, shorten } from '../../../text/cut/markdown.ts';
import type { Passage } from '../../../text/cut/passage.ts';
import { type DecisiveLine, decisiveLine, firstTelling, isWithin } from '../../../text/find/decisive-line.ts';
import type { DocumentPlan, Quote } from '../../../text/find/document-plan.ts';
import { isKnown, isOnlyNear } from '../../../text/find/good-topics.ts';
import type { Research } from '../../../text/find/research.ts';
import { labelOf } from '../../../text/find/topic.ts';
import type { WorkspaceIndex } from '../../../text/index/workspace-index.ts';
import { splitWords } from '../../../text/words/split-words.ts';
import { termOf } from '../../../text/words/terms.ts';
import type { Answers, Subtopic } from '../answers.ts';
import type { Callers } from '../callers.ts';
import type { OverviewPlan } from '../overview.ts';
import { ownWords, saidOf } from '../titles/what-it-is.ts';
import { listOf } from '../titles/what-lines-are.ts';
import { fenceLanguage } from './fence-language.ts';
import { shownLine } from './shown-line.ts';

const MOST_CALLERS = 5;
const LONGEST_SENTENCE = 240;
const LONGEST_CODE = 300;
const LONGEST_WORD = 100;

/** Tells how a question was looked up: the line that decides in each topic, and all that a reader must know besides. */
export function lookupOf(topics: readonly Subtopic[], index: WorkspaceIndex, answers: Answers, folder: string): Lookup {
  const { question } = answers;
  // A question about the whole, or after callers, need not say it in the words of the files.
  const missing = answers.isOverview || answers.callers ? [] : question.missing;
  const places = placesOf(topics, index, answers, folder);
  const guessed = topics.length > 0 ? undefined : answers.guess();
  const [guess] = placesOf(guessed ? [guessed] : [], index, answers, folder);
  return {
    places,
    ...(guess ? { guess } : {}),
    isOverview: answers.isOverview,
    files: index.fileCount,
    read: index.files.length,
    skipped: index.skipped.map(({ reason, count, examples }) => ({ reason, count, examples: [...examples] })),
    missing: missing.map((word) => shorten(oneLine(word), LONGEST_WORD)),
    instead: wordsInstead(question)
      .filter(({ word }) => missing.includes(word))
      .map(({ word, other }) => ({ word: shorten(word, LONGEST_WORD), other: shorten(other, LONGEST_WORD) })),
    isNear: !answers.isOverview && isOnlyNear(question),
    near: nearNames(index, topics.length > 0 ? missing : question.concepts.map(({ word }) => word)),
  };
}

function placesOf(topics: readonly Subtopic[], index: WorkspaceIndex, answers: Answers, folder: string): LookupPlace[] {
  const siblings = topics.map(({ title }) => title);
  return topics.flatMap(({ title }, place) => {
    const topic: Topic = { title, siblings: siblings.slice(0, place + 1), index: place };
    return placeOf(answers.plan([topic]), answers, index, folder) ?? [];
  });
}

function placeOf(
  plan: DocumentPlan | OverviewPlan,
  answers: Answers,
  index: WorkspaceIndex,
  folder: string,
): LookupPlace | undefined {
  const line = decisiveOf(plan, answers, index);
  if (!line) return undefined;
  const { quote, row } = line;
  const [subject] = plan.subject.passages;
  // The sentence is about what the line is in, which need not be what the document is about.
  const isSubject = subject && (isWithin(subject, quote, row) || isOverloaded(subject, quote.passage));
  const passage = isSubject ? subject : quote.passage;
  const { file } = quote;
  const shown = shownLine(line);
  // A line of the prose that the sentence is from would only say it again, or half of it.
  const isSaid = 'says' in plan ? quote.lane === 'docs' : isSaidIn(shown, passage, index);
  return {
    title: plan.subject.title,
    says: shorten(
      oneLine(
        'says' in plan ? plan.says : (callersOf(passage, answers) ?? saidOf(passage, labelOf(passage), index, row)),
      ),
      LONGEST_SENTENCE,
    ),
    place: `${oneLine(file.path)}:${row + 1}`,
    link: lineAddress(index.workspace, folder, file.path, row + 1, row + 1),
    code: isSaid ? '' : shorten(shown, LONGEST_CODE),
    language: fenceLanguage(file.path),
  };
}

/** Who asks for callers wants to see the calls, also those that another document quotes. */
function callIn(asked: Passage | undefined, { called, users }: Callers, like: Quote): DecisiveLine | undefined {
  if (!asked) return undefined;
  const row = users.get(asked) ?? (called.includes(asked) ? asked.head : undefined);
  return row === undefined
    ? undefined
    : { quote: { ...like, file: asked.file, passage: asked, start: row, end: row }, row };
}

/** Who names it, where that is asked. */
function callersOf(passage: Passage, { callers }: Pick<Answers, 'callers'>): string | undefined {
  if (!callers?.called.includes(passage)) return undefined;
  const users = [...callers.users.keys()].map((user) => labelOf(user));
  return `${labelOf(passage)} is used by ${listOf(users, (name) => name, MOST_CALLERS)}`;
}

/** Tells whether two passages are one thing that is declared more than once: the first has the words on it. */
function isOverloaded(one: Passage, other: Passage): boolean {
  return one.file === other.file && one.name === other.name && one.kind === other.kind && one.kind !== 'rest';
}

/** Tells whether a line of prose is the sentence by which its section is described. */
export function isSaidIn(shown: string, passage: Passage, index: WorkspaceIndex): boolean {
  if (passage.kind !== 'section') return false;
  const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');
  const said = ownWords(passage, index);
  const isSame = letters(shown) === letters(said);
  return said !== '' && (isSame || (said.endsWith('…') && letters(shown).startsWith(letters(said))));
}

/** The decisive line of a document, among the lines that define its subject; else the line of its name. */
export function decisiveOf(
  plan: DocumentPlan | OverviewPlan,
  { question, callers }: { readonly question: Research; readonly callers?: Callers | undefined },
  index: WorkspaceIndex,
): ReturnType<typeof decisiveLine> {
  if ('decides' in plan) return plan.decides;
  const { quotes, subject } = plan;
  const defining = quotes.filter(({ lane }) => lane === 'defined');
  const [first] = defining.length > 0 ? defining : quotes;
  if (!first) return undefined;
  const asked = callers && callIn(subject.passages[0], callers, first);
  if (asked) return asked;
  const found = decisiveLine(defining.length > 0 ? defining : [first], subject.passages[0], question, index);
  const passage = subject.passages[0] ?? first.passage;
  const isNamed = first.file === passage.file && passage.kind !== 'rest';
  return found ?? { quote: first, row: isNamed ? passage.head : firstTelling(first, index) };
}

/** Where a word of similar meaning is looked for. */
const BEST = 3;
const MOST_LINES = 200;

/** A word of a question that is in no file, and the word of similar meaning that a file has. */
interface WordInstead {
  readonly word: string;
  readonly other: string;
}

/** Finds what the best places of a question say instead of its words that are in no file. */
function wordsInstead(question: Research): WordInstead[] {
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

const MOST = 5;
const SHORTEST = 4;
const LONGEST = 40;
/** Names looked at; more would be slow, and none of them better. */
const MOST_NAMES = 50_000;

/** The names of a workspace that are spelt like some words: what somebody may have meant who misspelt one. */
function nearNames(index: WorkspaceIndex, words: readonly string[]): string[] {
  const asked = words.filter((word) => word.length >= SHORTEST && word.length <= LONGEST);
  const found = new Map<string, number>();
  for (const { identifier, file } of index.passages.slice(0, asked.length > 0 ? MOST_NAMES : 0)) {
    if (identifier === undefined || file.role !== 'source' || found.has(identifier)) continue;
    const parts = splitWords(identifier).filter((part) => part.length >= SHORTEST && part.length <= LONGEST);
    const away = Math.min(...parts.flatMap((part) => asked.map((word) => howFar(part, word))));
    if (Number.isFinite(away)) found.set(identifier, away + 0.1 * parts.length);
  }
  const nearest = [...found].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
  return nearest.slice(0, MOST).map(([name]) => name);
}

/** Counts the letters that differ; infinite if they are different words. */
function howFar(a: string, b: string): number {
  if (a === b) return 0;
  const most = Math.min(a.length, b.length) < 7 ? 1 : 2;
  if (Math.abs(a.length - b.length) > most || a[0] !== b[0]) return Number.POSITIVE_INFINITY;
  const away = lettersAway(a, b);
  return away <= most ? away : Number.POSITIVE_INFINITY;
}

function lettersAway(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
