import type { ChildrenData } from './prompt-data.ts';

/** Asks for the first level of the tree, or for the subtopics of the topic whose document was just written. */
export function childrenPrompt(data: ChildrenData): string {
  const topic = data.lineage.at(-1);
  if (!topic)
    return `Divide the question into its topics: an exhaustive first level, so that together they cover everything that matters, without overlap. At most ${data.maxChildren}.`;
  return `List the subtopics of "${topic.title}", at most ${data.maxChildren}.`;
}
