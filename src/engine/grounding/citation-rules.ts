/**
 * The instructions to a model on how to cite: part of the first prompt of a line of topics that concerns files; the
 * topics below have it in their conversation.
 */
export const CITATION_RULES = `Cite files of the workspace where they bear out what you say: in a sentence as PATH:FIRST-LAST, and the few lines whose very words decide in this form: a line with the path and the lines in brackets, an empty line, and those lines word for word in a code fence.

[src/queue.ts:12-13]

\`\`\`ts
  push(job: Job): void {
    this.jobs.push(job);
\`\`\`

Quote whole lines. Every place and every quotation is compared with the file; cite nothing that you have not seen. Quotations and tables do not count as words of the document.`;
