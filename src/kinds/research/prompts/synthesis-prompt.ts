import type { SynthesisData } from './prompt-data.ts';

/** Asks for the opening of the report: the answer to the question, on one page. */
export function synthesisPrompt(data: SynthesisData): string {
  const notes =
    data.notes === ''
      ? ''
      : `\nNotes from the person who leads this search, to be followed:\n<notes>\n${data.notes}\n</notes>\n`;
  const documents = data.documents
    .map(({ link, text }) => `<document link="${link}">\n${text}\n</document>`)
    .join('\n\n');
  return `The search is over. Its topics, each with the link to its document, how much it was expected to add, from 0 to 10, and what it found:

${data.outline}

How the documents that matter most begin:

${documents}
${notes}
Write the opening of the report: the answer to the question, in the language of the question, on one page, at most 500 words. Begin with the answer itself, then give what it rests on, how certain it is, and what is still open. Say nothing that the documents do not support.

Link to the documents where a reader finds more, in the form [words](link), with a link exactly as given above; no other links. Write Markdown without front matter, without a title, without tables and without HTML. Your whole answer is the text of the opening.`;
}
