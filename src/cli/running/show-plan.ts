import { createInterface } from 'node:readline/promises';
import { oneLine } from '../../core/text/text.ts';
import type { Plan } from '../../engine/kind/kind.ts';
import type { OpenedSearch } from '../../searches/open-search.ts';
import { pressEnter } from '../messages.ts';
import type { Output } from '../terminal/output.ts';
import { inWords } from '../terminal/translation.ts';
import { canAsk } from './ask-yes.ts';

/**
 * Shows the plan of a search before it begins, and waits for a person who may edit its file meanwhile. Without a terminal
 * the file is used as it is when the search needs it.
 */
export async function showPlan({ search }: OpenedSearch, folder: string, out: Output): Promise<void> {
  if (!canAsk()) return;
  await search.prepare(async (plan) => {
    for (const line of planLines(plan)) out.line(line);
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      await lines.question(`${inWords(pressEnter({ file: `${folder}/${plan.file}` }))} `);
    } finally {
      lines.close();
    }
  });
}

function planLines({ lines }: Plan): string[] {
  return lines.map((line) => oneLine(inWords(line), 500));
}
