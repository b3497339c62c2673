import type { Topic } from '../../../core/ports/prompt-data.ts';
import type { DocumentData } from './prompt-data.ts';

/** Asks for the document of a topic. First-level prompts begin alike, with the list that has them all. */
export function documentPrompt(data: DocumentData): string {
  const topic = data.lineage.at(-1) as Topic;
  if (data.lineage.length > 1) return `Write the document on "${topic.title}".`;
  const siblings = topic.siblings.map((title) => `- ${title}`).join('\n');
  return `The question was divided into these topics, each with its own document:
${siblings}

Write the document on the topic "${topic.title}".`;
}
