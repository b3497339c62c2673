import type { SynthesisData, SynthesisDocument } from './prompt-data.ts';

/** Asks for the opening of the report: the answer to the question, on one page, made from findings. */
export function synthesisPrompt(data: SynthesisData): string {
  const { isForked, provisional, surveyed, documents, further, openTopics, notes } = data;
  const hasDraft = isForked || provisional !== '';
  const draft = [provisional, ...found(surveyed)].filter((part) => part !== '').join('\n');
  const parts = [
    'The search is over. Write the answer of its report: the page that the person who asked reads.',
    ...(draft === ''
      ? []
      : [
          isForked
            ? `The findings of your provisional answer have these numbers now:\n<provisional>\n${draft}\n</provisional>`
            : `This is the provisional answer that the search began with:\n<provisional>\n${draft}\n</provisional>`,
        ]),
    'Since then these documents were written, each by somebody who looked into one topic. Here are the link of each, what it found (findings are numbered, with the places that they cite) and what it left open:',
    documents.map(documentText).join('\n\n'),
    ...(further > 0 ? [`(There is no room here for ${further} more.)`] : []),
    ...(openTopics.length > 0
      ? [`Nobody worked on these topics:\n${openTopics.map((title) => `- ${title}`).join('\n')}`]
      : []),
    ...(notes === ''
      ? []
      : [`Notes from the person who leads this search, to be followed:\n<notes>\n${notes}\n</notes>`]),
    hasDraft ? REVISE : WRITE,
    `Answer in the language of the question, in at most 1,100 words, tables included, places not counted${hasDraft ? `; the draft has about ${data.draftWords}` : ''}. Begin with the answer itself in two or three sentences. Whoever reads it knows the subject, but has not read these files, and reads nothing else: whole sentences that a colleague can follow at first reading, a table only where cases are told apart. State each rule whole: who does what, when, with its default, number, condition and exception, and what comes of it. If room runs out, leave a rare case to its document rather than half of a rule.`,
    reconcile(data),
    citing(data),
  ];
  return parts.join('\n\n');
}

const REVISE =
  'The provisional answer is the draft of this page: write it out again with what has changed since. Its sentences stay as they are, word for word, with one of three exceptions: a document shows that one is wrong (correct it), a finding completes its rule (put the condition, the number or the consequence in), or two say the same (keep one). What it shows by a quotation is put into words, and what it refers to by a number is named. Do not rephrase, shorten or regroup the rest: every rule that the draft has and the page lacks is lost to the reader. Then add, each where it belongs: first what the findings of the draft say that its text leaves out, then what the documents found, by how likely it is to matter to whoever asked, not by how hard it was to find. Corrections of corner cases that the page does not mention are left to the documents.';
const WRITE =
  'Go through the findings one by one: those that matter most to whoever asked come first, and what is rare or narrow gets a line at most.';

function reconcile({ reads }: SynthesisData): string {
  return `Reconcile: where findings contradict each other or the draft, ${reads ? 'read the place with your tools and say which is right' : 'say so, and which is more likely right'}. Where one document left open what another answers, give the answer. Say in one or two sentences at the end what changed since the provisional answer, how certain all this is, and what is still open.`;
}

function citing({ reads, isForked }: SynthesisData): string {
  const own = reads || isForked ? ', or a place that you read yourself, as PATH:FIRST-LAST' : '';
  return `Every claim about the workspace cites what it rests on: the number of a finding in brackets, as [3] or [3, 7]${own}; the program turns them into links to the lines. What rests on neither is your own knowledge: mark it with (own knowledge), and say nothing that the findings contradict. No quotations, no other links, no front matter, no title, no HTML; smaller headings are welcome. Your whole answer is the text.`;
}

function documentText({ title, link, summary, findings, open, text }: SynthesisDocument): string {
  const lines = [
    `<document link="${link}">`,
    `${title}${summary === '' ? '' : `: ${summary}`}`,
    ...found({ findings, open }),
    ...(text === '' ? [] : ['', text]),
    '</document>',
  ];
  return lines.join('\n');
}

function found({ findings, open }: SynthesisData['surveyed']): string[] {
  const lines = findings.map(({ number, text, cites }) => {
    const places = cites.length > 0 ? ` (${cites.join(', ')})` : '';
    return `[${number}] ${text}${places}`;
  });
  return [...lines, ...open.map((each) => `Open: ${each}`)];
}
