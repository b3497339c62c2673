import { lookupBlock } from '../../core/ports/lookup.ts';
import type { PromptData, QuoteRule, SubtopicsRule } from '../../core/ports/prompt-data.ts';
import { QuotationFinder } from '../../text/find/find-quotations.ts';
import { Research } from '../../text/find/research.ts';
import type { Watching } from '../../text/index/folder-index.ts';
import { Lru } from '../../text/index/lru.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';
import { type Asked, WorkspaceIndexes } from '../../text/index/workspace-indexes.ts';
import { asksForOverview } from '../../text/overview/asks-for-overview.ts';
import { overviewText } from '../../text/overview/overview-text.ts';
import { graded } from './graded.ts';
import { lookupOf } from './lookup/lookup-of.ts';
import { namesOf } from './overview/overview.ts';
import { pickCandidates } from './pick-candidates.ts';
import { Answers } from './topics/answers.ts';
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
