import { createInterface } from 'node:readline/promises';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Plan } from '../../engine/kind/kind.ts';
import type { OpenedSearch } from '../../searches/open-search.ts';
import { notBegun, pressEnter } from '../messages.ts';
import type { Output } from '../terminal/output.ts';
import { inWords } from '../terminal/translation.ts';
import { canAsk } from './ask-yes.ts';
import type { CommandConsent } from './command-consent.ts';

/**
 * Shows the plan of a search before it begins, and waits for a person who may edit its file meanwhile. Without a terminal
 * the file is used as it is when the search needs it.
 * @throws ThoughtTreeError `declined` if they do not agree to its commands
 */
export async function showPlan(
  { search }: OpenedSearch,
  folder: string,
  consent: CommandConsent,
  out: Output,
): Promise<void> {
  if (!canAsk()) return;
  await search.prepare(async (plan) => {
    for (const line of planLines(plan)) out.line(line);
    const file = `${folder}/${plan.file}`;
    if (plan.commands) {
      if (await consent.allowsPlan(plan.commands, file)) return;
      throw new ThoughtTreeError('declined', notBegun());
    }
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      await lines.question(`${inWords(pressEnter({ file }))} `);
    } finally {
      lines.close();
    }
  });
}

function planLines({ lines }: Plan): string[] {
  return lines.map((line) => {
    const text = inWords(line);
    return (/^ {0,20}/.exec(text)?.[0] ?? '') + oneLine(text, 500);
  });
}
