import type { Topic } from '../../../core/ports/prompt-data.ts';
import type { DocumentData } from './prompt-data.ts';

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
