import { because, noted } from '../../../core/messages/kept.ts';
import type { Said } from '../../../core/messages/message.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import type { LeafReason, PrunedBy } from '../../../core/tree/node-status.ts';
import { hookFailed, repeatsThought } from '../messages.ts';
import { contentKey } from '../prompts/thought-answers.ts';
import type { Thought } from '../prompts/thought-messages.ts';
import type { Task, ThoughtPath } from '../tasks/task.ts';
import type { ThoughtSearch } from '../thought-search.ts';

/** The result of checking a new thought, before any model judged it. */
export interface CheckedThought {
  readonly status: 'unexpanded' | 'pruned' | 'leaf';
  readonly prunedBy?: PrunedBy;
  readonly leafReason?: LeafReason;
  readonly why?: string;
  /** The reason as data, where it is ours to say. */
  readonly whySay?: Said;
  readonly state?: string;
}

const LONGEST_STATE = 1000;

/**
 * Checks a new thought with the task's knowledge: repetitions of thoughts above it and wrong steps are pruned, solutions
 * are recognized. Only verified thoughts get a state, so that a wrong claim never replaces a right one.
 * @param above the thoughts from the first level down to its parent
 */
export async function checkThought(
  ctx: ThoughtSearch,
  above: readonly Thought[],
  thought: Thought,
  signal: AbortSignal,
): Promise<CheckedThought> {
  const { settings, start } = ctx;
  const { task } = settings;
  const key = contentKey(thought.content);
  if ([start, ...above.map(({ content }) => content)].some((content) => contentKey(content) === key))
    return { status: 'pruned', prunedBy: 'constraint', ...because(repeatsThought()) };
  if (!task) return { status: 'unexpanded' };
  const path: ThoughtPath = { problem: ctx.file.prompt, thoughts: [...above, thought] };
  const verdict = await hook(ctx, 'verify', async () => task.verify?.(path, signal));
  if (verdict?.ok === false)
    return { status: 'pruned', prunedBy: 'verifier', why: verdict.why.replace(/\s+/g, ' ').slice(0, 500) };
  if (task.verify && !verdict) return { status: 'unexpanded' };
  return await whatItCame(ctx, task, path, verdict?.ok === true, signal);
}

async function whatItCame(
  ctx: ThoughtSearch,
  task: Task,
  path: ThoughtPath,
  isVerified: boolean,
  signal: AbortSignal,
): Promise<CheckedThought> {
  const state = isVerified ? await hook(ctx, 'state', async () => task.state?.(path)) : undefined;
  const known = state !== undefined && state !== '' && state.length <= LONGEST_STATE ? { state } : {};
  const solved = await hook(ctx, 'solved', async () => task.solved?.(path, signal));
  if (solved) return { status: 'leaf', leafReason: 'solved', ...known };
  // A path's end, and not a solution: a judge's opinion of it would change nothing.
  if (solved === false && path.thoughts.length >= ctx.limits.now.maxDepth)
    return { status: 'leaf', leafReason: 'depth-limit', ...known };
  return { status: 'unexpanded', ...known };
}

/** A hook that throws counts as missing, and the search says so. */
async function hook<T>(ctx: ThoughtSearch, name: string, call: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const { reason, say: why } = toThoughtTreeError(error);
    if (reason === 'aborted') throw error;
    ctx.history.note({ type: 'progress', ...noted(hookFailed({ hook: name, why }), 200) });
    return undefined;
  }
}
