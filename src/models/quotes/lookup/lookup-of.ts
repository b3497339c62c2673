import type { Lookup, LookupPlace } from '../../../core/ports/lookup.ts';
import type { Topic } from '../../../core/ports/prompt-data.ts';
import { lineAddress, oneLine, shorten } from '../../../text/cut/markdown.ts';
import type { Passage } from '../../../text/cut/passage.ts';
import { type DecisiveLine, decisiveLine, firstTelling, isWithin } from '../../../text/find/decisive-line.ts';
import type { DocumentPlan, Quote } from '../../../text/find/document-plan.ts';
import { isOnlyNear } from '../../../text/find/good-topics.ts';
import type { Research } from '../../../text/find/research.ts';
import { labelOf } from '../../../text/find/topic.ts';
import type { WorkspaceIndex } from '../../../text/index/workspace-index.ts';
import type { OverviewPlan } from '../overview/overview.ts';
import { ownWords, saidOf } from '../titles/what-it-is.ts';
import { listOf } from '../titles/what-lines-are.ts';
import type { Answers, Subtopic } from '../topics/answers.ts';
import type { Callers } from '../topics/callers.ts';
import { fenceLanguage } from './fence-language.ts';
import { nearNames } from './near-names.ts';
import { shownLine } from './shown-line.ts';
import { wordsInstead } from './words-instead.ts';

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
