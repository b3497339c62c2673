import { noted } from '../../../core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../../../core/search/errors.ts';
import type { Plan } from '../../../engine/kind.ts';
import type { Prompt } from '../../../engine/question.ts';
import * as say from '../messages.ts';
import { draftPlan } from '../prompts/draft-prompts.ts';
import { type DecomposeData, decomposePrompt } from '../prompts/prompts.ts';
import { decompositionFrom, readDecomposition } from '../prompts/thought-answers.ts';
import { criteriaOf, type DecomposeTask, type Decomposition } from '../prompts/thought-messages.ts';
import type { ThoughtSearch } from '../thought-search.ts';

const SESSION = 'decomposition';
const MAX_OUTPUT_TOKENS = 2000;

/** The decomposition of a search that has none, if a request needs one at once. */
const PLAIN: Decomposition = {
  thought_granularity: 'step',
  intermediate_steps: [],
  depth_estimate: 3,
  constraints: [],
  success_criteria: 'The problem is solved.',
};

/** Returns the current decomposition: a person's file, else the task's, else the model's. */
export async function decompositionOf(ctx: ThoughtSearch): Promise<Decomposition> {
  ctx.decomposition ??= (await standing(ctx)) ?? PLAIN;
  return ctx.decomposition;
}

/**
 * Decomposes the problem, once: with one call if neither a file nor the task provides the result, which is kept in
 * decomposition.json for a person to edit before the search begins.
 * @throws ThoughtTreeError errors of asking
 */
export async function decompose(ctx: ThoughtSearch, signal: AbortSignal): Promise<Decomposition> {
  const found = await standing(ctx);
  if (found) {
    ctx.decomposition = found;
    return found;
  }
  return await setDecomposition(ctx, await ask(ctx, signal));
}

/**
 * Shows a person the decomposition before the search begins, if a model made it; what they return applies.
 * @param making called before the model is asked
 * @throws ThoughtTreeError if a person left it in a form that cannot be read: it is not made again over their words
 */
export async function prepareDecomposition(
  ctx: ThoughtSearch,
  show: (plan: Plan) => Promise<void>,
  making?: () => void,
): Promise<void> {
  const isReady = ctx.tree.root.listed || ctx.settings.writesDrafts || ctx.settings.task?.decomposition !== undefined;
  if (isReady) return;
  const kept = await ctx.store.readDecomposition();
  if (kept === undefined) making?.();
  else ofPerson(kept);
  const made = await decompose(ctx, new AbortController().signal);
  const edited = async (): Promise<Decomposition> => {
    const file = await ctx.store.readDecomposition();
    return file === undefined ? made : ofPerson(file);
  };
  const check = async (): Promise<void> => void (await edited());
  await show({ lines: linesOf(made), file: 'decomposition.json', commands: undefined, check });
  await setDecomposition(ctx, await edited());
}

/** @throws ThoughtTreeError `damaged`, naming the file */
function ofPerson(file: unknown): Decomposition {
  try {
    return decompositionFrom(file);
  } catch (error) {
    throw new ThoughtTreeError('damaged', say.unreadableDecomposition({ why: toThoughtTreeError(error).say }));
  }
}

function linesOf(made: Decomposition): Plan['lines'] {
  const { thought_granularity, intermediate_steps, depth_estimate, constraints, assumptions = [] } = made;
  return [
    say.planThought({ text: thought_granularity }),
    ...intermediate_steps.map((step, index) => say.planStep({ number: index + 1, text: step })),
    say.planDepth({ text: depth_estimate }),
    ...constraints.map((constraint) => say.planConstraint({ text: constraint })),
    ...assumptions.map((assumption) => say.planAssumption({ text: assumption })),
    ...criteriaOf(made).map((criterion) => say.planSuccess({ text: criterion })),
  ];
}

/** Sets the search's decomposition, possibly edited by a person, from now on. */
async function setDecomposition(ctx: ThoughtSearch, decomposition: Decomposition): Promise<Decomposition> {
  const checked = decompositionFrom(decomposition);
  await ctx.store.writeDecomposition(checked);
  ctx.decomposition = checked;
  return checked;
}

async function standing(ctx: ThoughtSearch): Promise<Decomposition | undefined> {
  const file = await ctx.store.readDecomposition();
  if (file !== undefined)
    try {
      return decompositionFrom(file);
    } catch (error) {
      if (!isThoughtTreeError(error)) throw error;
      ctx.history.note({ type: 'progress', ...noted(say.damagedDecomposition()) });
    }
  // The criteria of whole drafts need no call.
  if (ctx.settings.writesDrafts) return draftPlan(ctx.settings.aspects);
  const given = ctx.settings.task?.decomposition?.(ctx.file.prompt);
  return given && decompositionFrom(given);
}

async function ask(ctx: ThoughtSearch, signal: AbortSignal): Promise<Decomposition> {
  const { settings } = ctx;
  const conversation = (await ctx.store.readConversation(SESSION)) ?? { id: SESSION, turns: [] };
  const words = (): Prompt => {
    ctx.history.note({ type: 'progress', ...noted(say.decomposing()) });
    const payload = { problem: ctx.file.prompt, task_type: settings.preset ?? 'general' };
    const message: DecomposeTask = { type: 'decompose_task', payload };
    const mostSteps = ctx.limits.now.maxDepth;
    const { aspects } = settings;
    const data: DecomposeData = { purpose: 'decompose', question: ctx.file.prompt, message, aspects, mostSteps };
    return { prompt: decomposePrompt(data), data, maxOutputTokens: MAX_OUTPUT_TOKENS };
  };
  const question = { purpose: 'decompose' as const, words, check: readDecomposition, keep: { conversation } };
  return (await ctx.asks.ask(question, signal)).value;
}
