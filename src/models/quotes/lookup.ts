import type { Lookup, LookupPlace, Mention, ShownRun } from '../../core/ports/workspace-text.ts';
import type { Passage } from '../../text/chunk/chunk-file.ts';
import { signatureEnd } from '../../text/chunk/chunk-file.ts';
import { lineAddress, oneLine, shorten } from '../../text/chunk/markdown.ts';
import { extensionOf } from '../../text/files/file-role.ts';
import { isQuotable } from '../../text/files/read-source.ts';
import type { SourceFile } from '../../text/files/source-file.ts';
import type { Lines } from '../../text/find/choose-lines.ts';
import { type DecisiveLine, decisiveLine, firstTelling, isWithin } from '../../text/find/decisive-line.ts';
import type { DocumentPlan, Quote } from '../../text/find/plan-document.ts';
import type { Research } from '../../text/find/research.ts';
import { shownLines } from '../../text/find/shown-lines.ts';
import { isKnown, isOnlyNear, labelOf } from '../../text/find/topics.ts';
import type { Use, WorkspaceIndex } from '../../text/index/workspace-index.ts';
import { splitWords } from '../../text/words/split-words.ts';
import { termOf } from '../../text/words/terms.ts';
import { type Answers, type Callers, type Subtopic, tells } from './answers.ts';
import type { OverviewPlan } from './overview.ts';
import { joinLines, listOf, ownWords, saidOf } from './titles.ts';

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
  const found = topics.flatMap((topic, place) => {
    const { title } = topic;
    const plan = answers.plan([{ title, siblings: siblings.slice(0, place + 1), index: place }]);
    const line = decisiveOf(plan, answers, index);
    return line ? [{ topic, plan, line }] : [];
  });
  const shown = shownOf(found, answers, index);
  // No passage is shown twice: what a place is about is not shown as a caller of another one.
  const taken = new Set(found.flatMap(({ plan }, place) => (shown.has(place) ? plan.subject.passages : [])));
  return found.map(({ topic: { twins = [] }, plan, line }, place) => {
    const runs = shown.get(place);
    if (!runs) return placeOf(plan, line, answers, index, folder);
    const mention = (passage: Passage, row: number): Mention => mentionOf(passage, row, index, folder);
    return {
      ...placeOf(plan, lineIn(runs, line), answers, index, folder),
      shown: runs.map((run) => shownRun(run, answers.question)),
      ...usesOf(plan, answers, index, { mention, taken }),
      ...(twins.length > 0 ? { twins: twins.slice(0, MOST_MENTIONS).map((one) => mention(one, one.head)) } : {}),
    };
  });
}

/** So many places are an answer, each in another file; fewer where the next one is this much worse than the best. */
const MOST_SHOWN = 3;
const NEARLY = 0.6;
const MOST_MENTIONS = 4;
const LONGEST_SHOWN = 400;
const MOST_MARKS = 20;

interface Found {
  readonly topic: Subtopic;
  readonly plan: DocumentPlan | OverviewPlan;
  readonly line: DecisiveLine;
}

/** Returns the lines that are shown of some places, by their position; of an overview its sentences say all. */
function shownOf(found: readonly Found[], answers: Answers, index: WorkspaceIndex): Map<number, Lines[]> {
  if (answers.isOverview) return new Map();
  const least = answers.callers ? 0 : NEARLY * (found[0]?.topic.score ?? 0);
  const files = new Set<SourceFile>();
  const chosen: number[] = [];
  found.forEach(({ topic, line: { quote } }, place) => {
    if (chosen.length === MOST_SHOWN || topic.score < least || (files.has(quote.file) && !answers.callers)) return;
    files.add(quote.file);
    chosen.push(place);
  });
  const of = (place: number): Found => found[place] as Found;
  // Who asks for callers wants to see the calls: these are what the documents quote.
  if (answers.callers) return new Map(chosen.map((place) => [place, callLines(of(place))]));
  const places = chosen.map((place) => {
    const { topic, line } = of(place);
    return { passage: line.quote.passage, row: line.row, worth: topic.score / BEST };
  });
  const lines = shownLines(places, answers.question, index);
  return new Map(chosen.map((place, at) => [place, lines[at] ?? []]));
}

/** The score of the best place of all. */
const BEST = 10;

function callLines({ plan, line: { quote, row } }: Found): Lines[] {
  const { file } = quote;
  const around = plan.quotes.find((one) => one.file === file && one.start <= row && row <= one.end);
  return [around ?? { file, start: row, end: row }];
}

/**
 * Returns the line that a place is named by: the one that decides, or else the first that is shown of what it is about.
 */
function lineIn(runs: readonly Lines[], { quote, row }: DecisiveLine): DecisiveLine {
  const { start, end } = quote.passage;
  const isShown = runs.some((run) => run.start <= row && row <= run.end);
  const own = runs.find((run) => run.start <= end && start <= run.end);
  return { quote, row: isShown || !own ? row : Math.max(own.start, start) };
}

function shownRun({ file, start, end }: Lines, question: Research): ShownRun {
  const lines = file.lines.slice(start, end + 1).map((line) => {
    const text = line.trimEnd().slice(0, LONGEST_SHOWN).toWellFormed();
    return { text, words: question.lines.columnsOf(text).slice(0, MOST_MARKS) };
  });
  return { from: start + 1, lines };
}

/** Returns who calls it, with the lines that do, and which tests name it, where its name means nothing else. */
function usesOf(
  { subject }: DocumentPlan,
  { callers, question }: Answers,
  index: WorkspaceIndex,
  { mention, taken }: { mention: (passage: Passage, row: number) => Mention; taken: Set<Passage> },
): Pick<LookupPlace, 'callers' | 'tests'> {
  const [passage] = subject.passages;
  if (!passage || callers || index.names.namesakes(passage).length > 1) return {};
  const uses = index.names.usesOf(passage).filter((use) => tells(use) && !isAround(passage, use.passage));
  const of = (role: string): Use[] => uses.filter((use) => use.passage.file.role === role).slice(0, MOST_MENTIONS);
  const code = of('source').map((use) => {
    const named = mention(use.passage, use.row);
    if (taken.has(use.passage)) return named;
    taken.add(use.passage);
    return { ...named, shown: [shownRun(linesAround(use), question)] };
  });
  const tests = of('test').map((use) => mention(use.passage, use.row));
  return { ...(code.length > 0 ? { callers: code } : {}), ...(tests.length > 0 ? { tests } : {}) };
}

/** Returns the lines around a use, in what uses it. */
function linesAround({ passage: { file, start, end }, row }: Use): Lines {
  let [from, to] = [row, row];
  while (from > start && row - from < AROUND && isQuotable(file.lines[from - 1] ?? '')) from--;
  while (to < end && to - row < AROUND && isQuotable(file.lines[to + 1] ?? '')) to++;
  return { file, start: from, end: to };
}

/** Of lines above and below a call. */
const AROUND = 3;

function isAround(one: Passage, other: Passage): boolean {
  return one.file === other.file && (isIn(one, other) || isIn(other, one));
}

function isIn(inner: Passage, outer: Passage): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function mentionOf(passage: Passage, row: number, index: WorkspaceIndex, folder: string): Mention {
  const { path } = passage.file;
  return {
    name: shorten(oneLine(passage.kind === 'section' ? passage.name : labelOf(passage)), LONGEST_SENTENCE),
    place: `${oneLine(path)}:${row + 1}`,
    link: lineAddress(index.workspace, folder, path, row + 1, row + 1),
  };
}

function placeOf(
  plan: DocumentPlan | OverviewPlan,
  line: DecisiveLine,
  answers: Answers,
  index: WorkspaceIndex,
  folder: string,
): LookupPlace {
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

/** Returns who names it, or that it is one of these, where that is asked. */
function callersOf(passage: Passage, { callers }: Pick<Answers, 'callers'>): string | undefined {
  const [called] = callers?.called ?? [];
  if (callers?.users.has(passage) && called) return `${labelOf(passage)} calls ${labelOf(called)}`;
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

/** Returns the decisive line of a document, among the lines that define its subject; else the line of its name. */
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
const BEST_LINES = 3;
const MOST_LINES = 200;

/** A word of a question that is in no file, and the word of similar meaning that a file has. */
interface WordInstead {
  readonly word: string;
  readonly other: string;
}

/** Finds what the best places of a question say instead of its words that are in no file. */
function wordsInstead(question: Research): WordInstead[] {
  const missing = new Set(question.missing);
  const best = question.found.hits.slice(0, BEST_LINES);
  return question.concepts.flatMap((concept, place) => {
    const { word, synonyms } = concept;
    if (!missing.has(word) || !isKnown(concept)) return [];
    const similar = new Set(synonyms);
    const others = best.flatMap(({ passage, concepts }) => (concepts.has(place) ? wordIn(passage, similar) : []));
    return others.slice(0, 1).map((other) => ({ word, other }));
  });
}

/** Returns the first word of a passage that has one of some terms. */
function wordIn({ file, start, end }: Passage, terms: ReadonlySet<string>): string[] {
  const lines = file.lines.slice(start, Math.min(end + 1, start + MOST_LINES));
  const word = splitWords(lines.join('\n')).find((one) => terms.has(termOf(one) ?? ''));
  return word === undefined ? [] : [word];
}

const MOST_NEAR = 5;
const SHORTEST_NEAR = 4;
const LONGEST_NEAR = 40;
/** Names looked at; more would be slow, and none of them better. */
const MOST_NAMES = 50_000;

/** Returns the names of a workspace that are spelt like some words: what somebody may have meant who misspelt one. */
function nearNames(index: WorkspaceIndex, words: readonly string[]): string[] {
  const asked = words.filter((word) => word.length >= SHORTEST_NEAR && word.length <= LONGEST_NEAR);
  const found = new Map<string, number>();
  for (const { identifier, file } of index.passages.slice(0, asked.length > 0 ? MOST_NAMES : 0)) {
    if (identifier === undefined || file.role !== 'source' || found.has(identifier)) continue;
    const parts = splitWords(identifier).filter((part) => part.length >= SHORTEST_NEAR && part.length <= LONGEST_NEAR);
    const away = Math.min(...parts.flatMap((part) => asked.map((word) => howFar(part, word))));
    if (Number.isFinite(away)) found.set(identifier, away + 0.1 * parts.length);
  }
  const nearest = [...found].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
  return nearest.slice(0, MOST_NEAR).map(([name]) => name);
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

/** The most lines that a sentence of prose is shown from. */
const MOST_OF_SENTENCE = 4;
/** Where a sentence ends: not behind a number, nor within a name. */
const SENTENCE_END = /(?<=[\p{Ll}\p{Lo})\]`*"”][.!?]["”)*]{0,3})\s+(?=[\p{Lu}\p{Lo}`*"“([])|(?<=[。！？])/u;
/** The lines that begin anew: an item, a row of a table, a heading, a quotation, a fence. */
const LINE_BEGINS = /^\s*(?:[-*+]\s|\d{1,3}[.)]\s|\||#|>|```|~~~|:\w|\.\. )/;

/**
 * A line as it is shown by itself: of one that begins a signature, all of that, as `f(a, b)` however it is written; of
 * wrapped prose, the sentence of which it has most.
 */
export function shownLine({ quote: { file, passage }, row }: DecisiveLine): string {
  const line = oneLine(file.lines[row] ?? '');
  if (file.role === 'docs' && (passage.kind === 'section' || passage.kind === 'rest'))
    return isInFence(passage, row) ? line : (sentenceAt(file, row) ?? line);
  if (row !== passage.head || passage.file !== file) return line;
  const lines = file.lines.slice(row, signatureEnd(passage) + 1);
  return lines.every(isQuotable) ? lines.map(oneLine).reduce(joinLines) : line;
}

/** Tells whether a line of a section is one of code. */
function isInFence({ file, start }: Passage, row: number): boolean {
  return file.lines.slice(start, row).filter((line) => /^\s*(?:```|~~~)/.test(line)).length % 2 === 1;
}

/** Returns the sentence that has most of a line; undefined if it is longer than a few lines. */
function sentenceAt({ lines }: SourceFile, row: number): string | undefined {
  const isApart = (at: number): boolean => {
    const line = lines[at] ?? '';
    return line.trim() === '' || !isQuotable(line);
  };
  const begins = (at: number): boolean => LINE_BEGINS.test(lines[at] ?? '');
  if (/^\s*(?:\||#|```|~~~)/.test(lines[row] ?? '')) return undefined;
  let [start, end] = [row, row];
  while (!begins(start) && start > 0 && row - start < MOST_OF_SENTENCE && !isApart(start - 1)) start--;
  while (end - row < MOST_OF_SENTENCE && end + 1 < lines.length && !isApart(end + 1) && !begins(end + 1)) end++;
  const shown = lines.slice(start, end + 1).map(oneLine);
  const whole = shown.join(' ');
  let at = 0;
  const ranges = shown.map((text) => {
    const from = at;
    at += text.length + 1;
    return [from, from + text.length] as const;
  });
  const [from, to] = ranges[row - start] ?? [0, 0];
  let best = { from: 0, to: 0, share: 0 };
  let next = 0;
  for (const sentence of whole.split(SENTENCE_END)) {
    const first = whole.indexOf(sentence, next);
    const last = first + sentence.length;
    const share = Math.min(to, last) - Math.max(from, first);
    if (share > best.share) best = { from: first, to: last, share };
    next = last;
  }
  // One that goes on beyond the lines that were looked at is in more of them than may be shown.
  const spanned = ranges.filter(([first, last]) => first < best.to && last > best.from).length;
  return spanned > MOST_OF_SENTENCE ? undefined : whole.slice(best.from, best.to);
}

/** An editor's name for the language of a file, if it differs from the extension. */
const FENCE_LANGUAGES = new Map([
  ['cjs', 'js'],
  ['mjs', 'js'],
  ['cts', 'ts'],
  ['mts', 'ts'],
  ['pyi', 'py'],
  ['ipynb', 'py'],
  ['rake', 'rb'],
  ['h', 'c'],
  ['cc', 'cpp'],
  ['cxx', 'cpp'],
  ['hh', 'cpp'],
  ['hpp', 'cpp'],
  ['psm1', 'ps1'],
  ['pl', 'perl'],
  ['pm', 'perl'],
]);

/** Returns the language that stands behind the fence of a file's quotation. */
export function fenceLanguage(path: string): string {
  const extension = extensionOf(path);
  return FENCE_LANGUAGES.get(extension) ?? extension.replace(/[^a-z0-9]/g, '').slice(0, 20);
}
