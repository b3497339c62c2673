import type { Topic } from '../src/core/ports/model.ts';
import { lookupIn } from '../src/core/ports/workspace-text.ts';
import { answersTo } from '../src/models/quotes/answer-request.ts';
import { below, folderOf, quotesIn } from '../test/support/quotes/quotes-workspace.ts';
import type { Lines } from './counting.ts';

/** What `workspace/quotes` answers: the quotations of each document, and the lines that a reader is shown first. */
export interface Ours {
  readonly topics: readonly (readonly Lines[])[];
  readonly shown: readonly Lines[];
}

/** Asks `workspace/quotes` for the first topics of a question, as a search does. */
export function asker(workspace: string): (question: string, most: number) => Promise<Ours> {
  const answer = answersTo({ workspace });
  return async (question, most) => {
    // A search asks for more topics than count here: what is shown first is chosen among all of them.
    const list = textOf(await answer({ data: { question, rule: { by: 'passages', lineage: [], most: ALL } } }));
    const topics: Lines[][] = [];
    for (const lineage of below([], titlesIn(list).slice(0, most))) topics.push(await quotations(question, lineage));
    return { topics, shown: shownIn(list) };
  };

  async function quotations(question: string, lineage: readonly Topic[]): Promise<Lines[]> {
    const folder = folderOf(lineage);
    const document = await answer({ data: { question, rule: { by: 'quotations', folder, lineage } } });
    return quotesIn(textOf(document), folder).map(({ path, start, end }) => ({ path, start, end }));
  }
}

const ALL = 50;

/** Returns the lines that are shown first, as its report and its page do. */
function shownIn(list: string): Lines[] {
  return (lookupIn(list)?.places ?? []).flatMap(({ link, shown = [] }) => {
    const path = decodeURIComponent(link.replace(/#.*$/, ''));
    return shown.map(({ from, lines }) => ({ path, start: from, end: from + lines.length - 1 }));
  });
}

function textOf(reply: object): string {
  return 'text' in reply && typeof reply.text === 'string' ? reply.text : '';
}

function titlesIn(text: string): { title: string }[] {
  const output = /<output>\n(.*)\n<\/output>/s.exec(text)?.[1] ?? '[]';
  return JSON.parse(output) as { title: string }[];
}
