import type { Topic } from '../src/core/ports/prompt-data.ts';
import { answersTo } from '../src/models/quotes/answer-request.ts';
import { below, folderOf, quotesIn } from '../test/support/quotes/quotes-workspace.ts';
import type { Lines } from './counting.ts';

/** Asks `workspace/quotes` for the first topics of a question, as a search does: each is its document's quotations. */
export function asker(workspace: string): (question: string, most: number) => Promise<Lines[][]> {
  const answer = answersTo({ workspace });
  return async (question, most) => {
    const list = await answer({ data: { question, rule: { by: 'passages', lineage: [], most } } });
    const topics: Lines[][] = [];
    for (const lineage of below([], titlesIn(textOf(list)))) topics.push(await quotations(question, lineage));
    return topics;
  };

  async function quotations(question: string, lineage: readonly Topic[]): Promise<Lines[]> {
    const folder = folderOf(lineage);
    const document = await answer({ data: { question, rule: { by: 'quotations', folder, lineage } } });
    return quotesIn(textOf(document), folder).map(({ path, start, end }) => ({ path, start, end }));
  }
}

function textOf(reply: object): string {
  return 'text' in reply && typeof reply.text === 'string' ? reply.text : '';
}

function titlesIn(text: string): { title: string }[] {
  const output = /<output>\n(.*)\n<\/output>/s.exec(text)?.[1] ?? '[]';
  return JSON.parse(output) as { title: string }[];
}
