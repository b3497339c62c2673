import type { SearchContext } from '../../../engine/search-context.ts';
import { commandsOf } from '../plan/commands.ts';
import { askAboutAtom, atomData, unruled } from './ask-about-atom.ts';
import { checkParts, MOST_PARTS } from './parts-answer.ts';
import { decomposePrompt } from './prompts.ts';
import type { AtomTask, Part } from './roles.ts';

const MAX_OUTPUT_TOKENS = 3000;

/** Splits an atom. Its own checks come with the last part, which waits for all others: what was asked of the whole is kept. */
export async function decomposeAtom(ctx: SearchContext, task: AtomTask, signal: AbortSignal): Promise<readonly Part[]> {
  const own = task.fields.checks ?? [];
  const lines = new Set(commandsOf({ ...task.plan, base_case: [...task.plan.base_case, ...own] }));
  const words = () => ({
    prompt: decomposePrompt({ ...atomData(task), most: MOST_PARTS }),
    data: unruled(ctx),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    workplace: { rights: 'read' as const },
  });
  const check = (text: string) => checkParts(text, (line) => lines.has(line));
  const parts = await askAboutAtom(ctx, task, { purpose: 'decompose', words, check }, signal);
  return parts.map((part, i) => {
    if (i < parts.length - 1) return part;
    return {
      ...part,
      after: parts.slice(0, -1).map((_, before) => before),
      checks: [...part.checks, ...own].slice(-50),
    };
  });
}
