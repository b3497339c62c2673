import type * as z from 'zod';
import type { Topic } from '../../../core/ports/prompt-data.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { ChildrenData, DocumentData, PickData } from './prompt-data.ts';

/** The parts of the prompts that a search may bring itself. */
export type OwnPrompt = 'root' | 'document' | 'children' | 'pick' | 'front-matter';

/** Functions that turn typed data into the words of a prompt; all of them pure. */
export interface Prompts {
  readonly document: (data: DocumentData) => string;
  readonly children: (data: ChildrenData) => string;
  readonly pick: (data: PickData) => string;
  /** The rules for the front matter of the search's documents, in addition to title and summary. */
  readonly frontMatter?: z.ZodType | undefined;
  /** Those that the search brings in files of its own. */
  readonly own: ReadonlySet<OwnPrompt>;
}

export const OUR_PROMPTS: Prompts = {
  document: documentPrompt,
  children: childrenPrompt,
  pick: pickPrompt,
  own: new Set(),
};

/** Asks for the document of a topic; what was seen of other branches, and tools, come after it. */
export function documentPrompt(data: DocumentData): string {
  const topic = data.lineage.at(-1) as Topic;
  const parts: string[] = [];
  // First-level prompts of the source's form begin alike, so that a cache serves what they share.
  if (data.lineage.length === 1 && !data.isForked)
    parts.push(
      `The question was divided into these topics, each with its own document; leave to the others what is theirs:\n${topic.siblings.map((title) => `- ${title}`).join('\n')}`,
    );
  parts.push(`Write the document on the topic "${topic.title}".`);
  if (data.why) parts.push(`Why it is wanted: ${data.why}`);
  parts.push(
    data.isForked
      ? 'Check what the provisional answer says of it against the files rather than repeat it, settle what is open, and say so where it, or another document, was wrong: such a finding begins with "Correction:" and says what it corrects. Nothing can be run here, which need not be said.'
      : 'Do not repeat what earlier documents of this conversation say.',
  );
  if (data.subtopics !== undefined) parts.push(subtopicsWanted(data.subtopics));
  return parts.join('\n\n');
}

function subtopicsWanted(most: number): string {
  return `After the text, end with the list of its subtopics in <output> tags: only what the document names as unknown or could not check, and what may change the answer to the question. Usually none to two${most < 3 ? `, at most ${most}` : ''}; where nothing is left, <output>[]</output>.`;
}

/** Asks for the first level of the tree, or for the subtopics of the topic whose document was just written. */
export function childrenPrompt(data: ChildrenData): string {
  const topic = data.lineage.at(-1);
  if (topic)
    return `List the subtopics of "${topic.title}" that deserve a document of their own: what its document names as unknown, or could only touch, and what may change the answer to the question. Usually none to four${data.maxChildren < 5 ? `, at most ${data.maxChildren}` : ''}; <output>[]</output> is a good answer.`;
  if (!data.surveys)
    return `Divide the question into its topics: an exhaustive first level, so that together they cover everything that matters, without overlap. Usually 4 to 10${data.maxChildren < 11 ? `, at most ${data.maxChildren}` : ''}.`;
  const files = data.reads
    ? `Survey the workspace first, as a good engineer would before answering: find the places at the heart of the question, read those files or functions whole, follow callers and callees, and look for what contradicts your first idea. What you read here is seen by everyone who writes a document later, so that nobody has to read it again.`
    : 'Begin with what is known: what was shown to you, and your own knowledge, told apart.';
  return `${files}

Then give a provisional answer to the question, in this form:
---
findings:
  - text: "one sentence that can be checked, with its conditions and numbers"
    cites: ["PATH:FIRST-LAST"]
open:
  - "what is unknown, or was not looked at, and may change the answer"
---
The answer itself, in 600 to 900 words: every part of the question, as well as it can be answered now, with the places it rests on. Whole rules: who does what when, with conditions, defaults, numbers, exceptions, and what follows for whoever asked. It is the draft of the report.

<output>[{"title": "Short, specific title", "score": 7, "why": "what it may change in the answer"}]</output>

Give up to 12 findings. Divide the question into its topics in the list at the end, those that are worth a document: what is unknown, what has to be checked because the answer depends on it, what was not looked at, where a second opinion may differ. Not what the answer settles already. Usually 4 to 8${data.maxChildren < 9 ? `, at most ${data.maxChildren}` : ''}, the most important first.`;
}

/** Asks which open leaves come next; they are numbered in the outline, or below it where that has no room for them. */
export function pickPrompt(data: PickData): string {
  const others = data.candidates.flatMap(({ title, path, score, isInOutline }, at) => {
    const expected = score === undefined ? '' : `, expected ${score}`;
    return isInOutline
      ? []
      : [
          `- [${at + 1}] ${oneLine(title, 100)} (below ${path.split('/').slice(0, -1).join(' > ') || 'the question'}${expected})`,
        ];
  });
  const rest =
    others.length > 0 ? `\n\nFurther numbered topics, which the tree above has no room for:\n${others.join('\n')}` : '';
  const wanted =
    data.limit === 1
      ? 'Select the one numbered topic that is most important to research next.'
      : `About ${data.worked} of the ${data.candidates.length} numbered topics will be researched. Name those, the most important first, at most ${data.limit}.`;
  return `This is the research tree so far. Each line has a topic, its status, and what it found or why it is wanted; topics that may come next have a number, and what they are expected to add, from 0 to 10.

${data.outline}${rest}

${wanted} What counts is what may change the answer to the question: what is unknown and decides something, what contradicts, what others depend on; not completeness.

A topic that cannot change the answer is dropped, and one that repeats another numbered one is the same as that: nothing is spent on either. Name them only where you are sure.

Answer with numbers inside <output> tags, the order first, then a line for what is dropped and one for what is the same, where there is any:
<output>
order: N, N, N
drop: N
same: N = N
</output>`;
}
