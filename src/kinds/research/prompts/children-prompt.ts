import type { ChildrenData } from './prompt-data.ts';

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
