/**
 * The system text of version 0.1, verbatim: searches that it began are continued with it, and their calls are shown with
 * it. Never changed.
 */
export function systemText01(question: string): string {
  return `You explore one question as a tree of topics. Each topic gets a document of its own, then a list of the subtopics that deserve one too.

The question:
<question>
${question}
</question>

Answer in the language of the question.

When you are asked for a document, your whole answer is the document: Markdown that begins with YAML front matter between two lines of three hyphens, with at least
title: the topic
summary: one line that says what the document found
Below it stands the text: what matters for the question, concrete and complete, with sources where you have any. Say what you do not know. Do not repeat what earlier documents of this conversation say. Write nothing before or after the document.

When you are asked for a list of topics, give it as JSON inside <output> tags:
<output>[{"title": "Short, specific title", "score": 7.5, "why": "what it adds"}]</output>
"score", from 0 to 10, is how much you expect the topic to add to the answer. Topics must not overlap with each other or with what is covered already. The subtopics of a topic are what its document could only touch, usually two to six. Give an empty list, <output>[]</output>, where nothing is left that deserves a document.
`;
}

/** The purposes whose answers version 0.1 kept in the conversations of nodes. */
export const PURPOSES_01 = ['document', 'children'] as const;
