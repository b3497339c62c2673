import type { Checkout } from '../../../core/ports/workshop.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { askAboutAtom, atomData, unruled } from './ask-about-atom.ts';
import { checkProbe } from './probe-answer.ts';
import { probePrompt } from './prompts.ts';
import type { AtomTask, Probed } from './roles.ts';

const MAX_OUTPUT_TOKENS = 3000;
/** Uses of tools by a model without tools of its own. */
const ROUNDS = 20;

/** Finds out whether an atom can be done, by reading what was accepted so far. */
export async function probe(
  ctx: SearchContext,
  task: AtomTask,
  { folder }: Checkout,
  signal: AbortSignal,
): Promise<Probed> {
  const model = ctx.modelFor('probe');
  const run = (): never => {
    throw new Error('a probe runs no commands');
  };
  const toolbox = ctx.toolsIn?.({ folder, rights: 'read', commands: [], run });
  const words = () => ({
    prompt: probePrompt(atomData(task)),
    data: unruled(ctx),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    workplace: { folder, rights: 'read' as const },
    ...(toolbox && !model.worksByItself && { tools: { toolbox, rounds: ROUNDS } }),
  });
  const found = await askAboutAtom(ctx, task, { purpose: 'probe', words, check: checkProbe }, signal);
  return { ...found, by: model.name };
}
