import { lookupBlock } from '../../core/ports/lookup.ts';
import type { Candidate, Grade, PromptData, QuoteRule, RankRule, SubtopicsRule } from '../../core/ports/prompt-data.ts';
import { oneLine, yamlString } from '../../text/cut/markdown.ts';
import type { DecisiveLine } from '../../text/find/decisive-line.ts';
import type { DocumentPlan } from '../../text/find/document-plan.ts';
import { QuotationFinder } from '../../text/find/find-quotations.ts';
import { isOnlyNear } from '../../text/find/good-topics.ts';
import { Research } from '../../text/find/research.ts';
import type { Watching } from '../../text/index/folder-index.ts';
import { Lru } from '../../text/index/lru.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';
import { type Asked, WorkspaceIndexes } from '../../text/index/workspace-indexes.ts';
import { asksForOverview } from '../../text/overview/asks-for-overview.ts';
import { overviewText } from '../../text/overview/overview-text.ts';
import { termsOf } from '../../text/words/terms.ts';
import { Answers } from './answers.ts';
import { decisiveOf, lookupOf } from './lookup/lookup-of.ts';
import { namesOf, type OverviewPlan } from './overview.ts';
import type { AnswerTo, Ask, Reply, WorkerOptions } from './worker-messages.ts';
import { writeDocument } from './write-document.ts';

/** Answers the worker's questions about one workspace; its index is read on first use. */
export function answersTo({
  workspace,
  allowedFiles,
  searches,
}: WorkerOptions): (question: Ask, watching?: Watching) => Promise<AnswerTo<Ask>> {
  const indexes = new WorkspaceIndexes(workspace, { allowedFiles, searches });
  const answer = answerer(indexes);
  const finders = new WeakMap<WorkspaceIndex, QuotationFinder>();
  return async (question, watching) => {
    if ('data' in question) return answer(question.data, watching);
    if ('file' in question) {
      const text = await indexes.textOf(question.file);
      return text === undefined ? {} : { text };
    }
    if ('overview' in question) {
      const { overview } = question;
      const index = await indexFor({ question: overview.question }, indexes, watching);
      const research = new Research(index, overview.question);
      const text = await overviewText({ ...overview, index, research, read: (path) => indexes.sourceOf(path) });
      return { text: await indexes.withoutSecrets(text) };
    }
    const { question: asked, titles, naming = [], shown } = question.find;
    const named = [...naming, ...shown.map(({ path }) => path)];
    const index = await indexes.of({ question: asked, closer: titles.toReversed(), naming: named }, watching);
    const finder = finders.get(index) ?? new QuotationFinder(index);
    finders.set(index, finder);
    return finder.find(question.find);
  };
}

/** Answers requests in the format of a language model, by the rules of their kinds. */
function answerer(indexes: WorkspaceIndexes): (data: PromptData, watching?: Watching) => Promise<Reply> {
  const known = new WeakMap<WorkspaceIndex, Lru<Answers>>();
  return async ({ question, rule }, watching) => {
    // It declares that it writes no prose, so this is not reached.
    if (!rule) throw new Error('the quotes model writes no words of its own');
    if (rule.by === 'expectation') return { text: output(pickCandidates(question, rule).join('\n')) };
    const index = await indexFor({ question, naming: rule.lineage.map(({ title }) => title) }, indexes, watching);
    const ofIndex = known.get(index) ?? new Lru<Answers>(4);
    known.set(index, ofIndex);
    const answers = ofIndex.get(question, () => new Answers(index, question));
    return rule.by === 'quotations' ? document(rule, index, answers) : subtopics(rule, index, answers);
  };
}

/** Opens the index; a question about the whole may use the folder's name, which is known only when some was read. */
async function indexFor(asked: Asked, indexes: WorkspaceIndexes, watching?: Watching): Promise<WorkspaceIndex> {
  const index = await indexes.of(asked, watching);
  if (!asksForOverview(asked.question, namesOf(index))) return index;
  return indexes.of({ ...asked, isOfWhole: true }, watching);
}

function document({ lineage, folder, grade }: QuoteRule, index: WorkspaceIndex, answers: Answers): Reply {
  const plan = answers.plan(lineage);
  const text = writeDocument({ index, plan, question: answers.question, callers: answers.callers, folder });
  return { text: grade ? graded(text, grade, plan, index, answers) : text };
}

function subtopics({ lineage, most, folder = '' }: SubtopicsRule, index: WorkspaceIndex, answers: Answers): Reply {
  const list = answers.subtopics(lineage).slice(0, Math.max(0, most));
  const shown = list.map(({ title, score, why }) => JSON.stringify({ title, score, why }));
  const lookup = lineage.length > 0 ? '' : `\n${lookupBlock(lookupOf(list, index, answers, folder))}`;
  const text = `${output(list.length === 0 ? '[]' : `[\n${shown.join(',\n')}\n]`)}${lookup}`;
  return list.length === 0 ? { text, leafReason: 'no-sources' } : { text };
}

function output(text: string): string {
  // No answer may close its own block early.
  return `<output>\n${text.replaceAll('</output>', '<\\/output>')}\n</output>`;
}

/** By how much each further pick from the same first-level branch counts less, so that a ranking covers the question. */
const SAME_BRANCH = 1.2;
const DEEPER = 0.8;
const SHARED_WORD = 1;
const UNSCORED = 5;

interface Branch {
  readonly open: { path: string; worth: number; place: number }[];
  picked: number;
}

/** Ranks open leaves by expected value and by what they share with the question, alternating between branches. */
export function pickCandidates(question: string, { candidates, limit }: RankRule): string[] {
  const asked = new Set(termsOf(question));
  const branches = new Map<string, Branch>();
  candidates.forEach((candidate, place) => {
    const name = candidate.path.split('/')[0] ?? '';
    const branch = branches.get(name) ?? { open: [], picked: 0 };
    branch.open.push({ path: candidate.path, worth: worthOf(candidate, asked), place });
    branches.set(name, branch);
  });
  for (const { open } of branches.values()) open.sort((a, b) => b.worth - a.worth || a.place - b.place);
  const picks: string[] = [];
  const left = [...branches.values()];
  while (picks.length < limit) {
    let best: Branch | undefined;
    let bestWorth = Number.NEGATIVE_INFINITY;
    for (const branch of left) {
      const next = branch.open[0];
      const worth = next ? next.worth - SAME_BRANCH * branch.picked : Number.NEGATIVE_INFINITY;
      if (worth > bestWorth) [best, bestWorth] = [branch, worth];
    }
    const next = best?.open.shift();
    if (!best || !next) break;
    best.picked++;
    picks.push(next.path);
  }
  return picks;
}

function worthOf({ path, title, score }: Candidate, asked: ReadonlySet<string>): number {
  const shared = new Set(termsOf(title).filter((term) => asked.has(term))).size;
  return (score ?? UNSCORED) + SHARED_WORD * Math.min(3, shared) - DEEPER * (path.split('/').length - 1);
}

const FRONT = '---\n';
/** The number of a question's words that a place about it needs, if the question has so many. */
const WORDS = 2;

/** A document that also says in its front matter how much of it is about the question, and at its end where it looked. */
function graded(
  document: string,
  grade: Grade,
  plan: DocumentPlan | OverviewPlan,
  index: WorkspaceIndex,
  answers: Pick<Answers, 'question' | 'callers' | 'isOverview'>,
): string {
  const { quotes } = plan;
  const decides = decisiveOf(plan, answers, index);
  const isAbout = decides !== undefined && (answers.isOverview || isAboutQuestion(decides, answers.question));
  const about = isAbout ? quotes : [];
  const word = grade.values.find(({ least }) => about.length >= least) ?? grade.values.at(-1);
  const field = word ? `${grade.field}: ${yamlString(word.value)}\n` : '';
  const places = Map.groupBy(quotes, ({ file }) => file.path);
  const looked = [...places].map(([path, found]) => {
    const rows = found.map(({ start, end }) => (end > start ? `${start + 1}-${end + 1}` : `${start + 1}`));
    return `- ${oneLine(path)} - lines ${rows.join(', ')}`;
  });
  const none = `- all ${index.files.length} files of this workspace - nothing that matches`;
  const references = `## References\n${looked.length > 0 ? looked.join('\n') : none}\n`;
  return `${FRONT}${field}${document.slice(FRONT.length)}\n${references}`;
}

/** Tells whether the line that decides has a word of the question, in a place with enough of them, most of it said. */
function isAboutQuestion({ quote, row }: DecisiveLine, question: Research): boolean {
  if (isOnlyNear(question)) return false;
  const known = new Set(question.concepts.filter((_, place) => question.found.present[place]).map(({ word }) => word));
  const isSaid = question.lines.of(quote.file, row) > 0;
  return isSaid && question.wordsIn(quote.passage).length >= Math.min(WORDS, known.size);
}
