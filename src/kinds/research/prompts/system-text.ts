/**
 * The system text of a search: the same bytes for every node, so that prompt caches serve it. It contains all rules, so
 * that the prompts themselves stay short.
 */
export function systemText(question: string): string {
  return `You explore one question as a tree of topics. Each topic gets its own document, then a list of the subtopics that deserve one too.

The question:
<question>
${question}
</question>

Answer in the language of the question.

When you are asked for a document, your whole answer is the document: Markdown that begins with YAML front matter between two lines of three hyphens, with at least
title: the topic
summary: one line that says what the document found
Then the text follows: what matters for the question, concrete and complete, with sources where you have any. Say what you do not know. Do not repeat what earlier documents of this conversation say. Write nothing before or after the document.

When you are asked for a list of topics, give it as JSON inside <output> tags:
<output>[{"title": "Short, specific title", "score": 7.5, "why": "what it adds"}]</output>
"score", from 0 to 10, is how much you expect the topic to add to the answer. Topics must not overlap with each other or with what is already covered. The subtopics of a topic are what its document could only touch, usually two to six. Give an empty list, <output>[]</output>, if nothing is left that deserves a document.
`;
}
