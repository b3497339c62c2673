import type { Conversation } from '../../../core/search/conversation.ts';
import { digest } from '../../../core/text/digest.ts';
import { notesFor, withNotes } from '../../../engine/calls/notes.ts';
import type { Words } from '../../../engine/calls/question.ts';
import { workspaceContext } from '../../../engine/grounding/workspace-context.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import type { PlanFile } from '../plan/plan.ts';
import { unruled } from './ask-about-atom.ts';
import { ASSUMED, checkAligned, checkPlanned } from './plan-answer.ts';
import { alignPrompt, type GoalData, planPrompt } from './prompts.ts';

/** The longest answers requested, in tokens. */
const MAX_OUTPUT_TOKENS = { align: 3000, plan: 10_000 } as const;

type Purpose = keyof typeof MAX_OUTPUT_TOKENS;

/**
 * Makes the goal clear, then plans the work. Both answers are kept, so that a plan that was paid for is never asked for again.
 * @param earlier a plan whose goal counts
 */
export async function makePlan(ctx: SearchContext, signal: AbortSignal, earlier?: PlanFile): Promise<PlanFile> {
  const goal = earlier ? goalOf(earlier) : await align(ctx, signal);
  const conversation = await conversationOf(ctx, `plan-${digest(JSON.stringify(goal))}`);
  const { value } = await ctx.asks.ask(
    {
      purpose: 'plan',
      keep: { conversation },
      words: () => wordsOf(ctx, 'plan', (reads) => planPrompt({ ...goal, reads }), signal),
      check: (text) => checkPlanned(text, goal, earlier),
    },
    signal,
  );
  return value;
}

async function align(ctx: SearchContext, signal: AbortSignal): Promise<GoalData> {
  const { value } = await ctx.asks.ask(
    {
      purpose: 'align',
      keep: { conversation: await conversationOf(ctx, 'align') },
      words: () => wordsOf(ctx, 'align', alignPrompt, signal),
      check: (text) => checkAligned(text, ctx.file.prompt),
    },
    signal,
  );
  return { ...value, clarifications: await Promise.all(value.clarifications.map((each) => withSource(ctx, each))) };
}

/** An answer comes from a file only if there is such a file; otherwise it is an assumption, for the person to look at. */
async function withSource(
  { workspaceText }: SearchContext,
  clarification: GoalData['clarifications'][number],
): Promise<GoalData['clarifications'][number]> {
  const [path = ''] = clarification.from.replace(/^\.\//, '').split(/[:#,\s]/);
  const found = path === '' ? undefined : await workspaceText?.read(path);
  return { ...clarification, from: found && 'text' in found ? path : ASSUMED };
}

async function conversationOf({ store }: SearchContext, id: string): Promise<Conversation> {
  return (await store.readConversation(id)) ?? { id, turns: [] };
}

async function wordsOf(
  ctx: SearchContext,
  purpose: Purpose,
  prompt: (reads: boolean) => string,
  signal: AbortSignal,
): Promise<Words> {
  const model = ctx.modelFor(purpose);
  const usesTools = model.tools === true && ctx.asks.tools !== undefined;
  const notes = await notesFor(ctx, undefined);
  const context = await workspaceContext(ctx, { question: ctx.file.prompt, lineage: [] }, [], signal);
  const text = prompt(usesTools || model.worksByItself === true);
  return {
    prompt: withNotes(context.quoted.length > 0 ? `${text}\n\n${context.text}` : text, notes),
    noted: {
      ...(notes.length > 0 && { notes: notes.map(({ id }) => id) }),
      ...(context.quoted.length > 0 && { quoted: context.quoted }),
    },
    data: unruled(ctx),
    maxOutputTokens: MAX_OUTPUT_TOKENS[purpose],
    mayUseTools: usesTools,
    workplace: { rights: 'read' },
  };
}

function goalOf(plan: PlanFile): GoalData {
  const { goal, background, deliverables, done, constraints, in_scope, out_of_scope, clarifications } = plan;
  return { goal, background, deliverables, done, constraints, in_scope, out_of_scope, clarifications };
}
