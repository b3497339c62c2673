import type { Grade } from '../../core/ports/prompt-data.ts';
import { oneLine, yamlString } from '../../text/cut/markdown.ts';
import type { DecisiveLine } from '../../text/find/decisive-line.ts';
import type { DocumentPlan } from '../../text/find/document-plan.ts';
import { isOnlyNear } from '../../text/find/good-topics.ts';
import type { Research } from '../../text/find/research.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';
import { decisiveOf } from './lookup/lookup-of.ts';
import type { OverviewPlan } from './overview/overview.ts';
import type { Answers } from './topics/answers.ts';

const FRONT = '---\n';
/** The number of a question's words that a place about it needs, if the question has so many. */
const WORDS = 2;

/** A document that also says in its front matter how much of it is about the question, and at its end where it looked. */
export function graded(
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
