import { lookupBlock } from '../../core/ports/lookup.ts';
import type { PromptData, QuoteRule, SubtopicsRule } from '../../core/ports/prompt-data.ts';
import { QuotationFinder } from '../../text/find/find-quotations.ts';
import { Lru } from '../../text/index/lru.ts';
import { indexWorkspace, type WorkspaceIndex } from '../../text/index/workspace-index.ts';
import { Answers } from './answers.ts';
import { graded } from './graded.ts';
import { lookupOf } from './lookup-of.ts';
import { pickCandidates } from './pick-candidates.ts';
import type { AnswerTo, Ask, Reply, WorkerOptions } from './worker-messages.ts';
import { writeDocument } from './write-document.ts';

/** Answers the worker's questions about one workspace; the index is built on first use. */
export function answersTo({
  workspace,
  allowedFiles,
  searches,
}: WorkerOptions): (question: Ask) => Promise<AnswerTo<Ask>> {
  let building: Promise<WorkspaceIndex> | undefined;
  const open = (): Promise<WorkspaceIndex> => {
    building ??= indexWorkspace(workspace, allowedFiles, searches).catch((error: unknown) => {
      building = undefined; // a missing folder may exist at the next attempt
      throw error;
    });
    return building;
  };
  const answer = answerer(open);
  let finder: QuotationFinder | undefined;
  return async (question) => {
    if ('data' in question) return answer(question.data);
    const index = await open();
    if ('file' in question) {
      const text = index.files.find(({ path }) => path === question.file)?.lines.join('\n');
      return text === undefined ? {} : { text };
    }
    finder ??= new QuotationFinder(index);
    return finder.find(question.find);
  };
}

/** Answers requests in the format of a language model, by the rules of their kinds. */
function answerer(open: () => Promise<WorkspaceIndex>): (data: PromptData) => Promise<Reply> {
  const known = new Lru<Answers>(4);
  return async ({ question, rule }) => {
    // It declares that it writes no prose, so this is not reached.
    if (!rule) throw new Error('the quotes model writes no words of its own');
    if (rule.by === 'expectation') return { text: output(pickCandidates(question, rule).join('\n')) };
    const index = await open();
    const answers = known.get(question, () => new Answers(index, question));
    return rule.by === 'quotations' ? document(rule, index, answers) : subtopics(rule, index, answers);
  };
}

function document({ lineage, folder, grade }: QuoteRule, index: WorkspaceIndex, answers: Answers): Reply {
  const plan = answers.plan(lineage);
  const text = writeDocument({ index, plan, question: answers.question, folder });
  return { text: grade ? graded(text, grade, plan, index) : text };
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
