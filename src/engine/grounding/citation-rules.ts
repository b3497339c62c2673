/**
 * How a model is asked to cite. Part of the first prompt of a line of topics that concerns files; the topics below
 * have it in their conversation.
 */
export const CITATION_RULES = `Cite files of the workspace where they bear out what you say, each citation in this form: a line with the path and the lines in brackets, an empty line, and those lines word for word in a code fence.

[src/queue.ts:12-13]

\`\`\`ts
  push(job: Job): void {
    this.jobs.push(job);
\`\`\`

Quote whole lines and leave nothing out between them. Every quotation is compared with the file; do not quote what you have not seen.`;
