import type { Purpose } from '../../../core/ports/purpose.ts';
import type { Conversation } from '../../../core/search/conversation.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { sessionOf } from '../../../engine/calls/node-session.ts';
import { notesFor, withNotes } from '../../../engine/calls/notes.ts';
import type { Words } from '../../../engine/calls/question.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import type { Try } from '../run/tree/own-fields.ts';
import type { AtomData } from './prompts.ts';
import { shortened } from './read-answer.ts';
import type { AtomTask } from './roles.ts';

interface AboutAtom<T> {
  readonly purpose: Purpose;
  /** @param before the conversation about the atom so far */
  readonly words: (before: Conversation) => Promise<Words> | Words;
  readonly check: (text: string) => T;
}

const MOST_BINDINGS = 50;
const LONGEST_BINDING = 600;
const MOST_SEEN = 5;
const LONGEST_SEEN = 3000;
const MOST_ARTIFACTS = 20;

/**
 * Asks about an atom. The answer is kept in the conversation of its node, and counts for the try that is under way: one that
 * a killed process has got is not asked for again, while a further try gets an answer of its own.
 */
export async function askAboutAtom<T>(
  ctx: SearchContext,
  { node, fields }: AtomTask,
  { purpose, words, check }: AboutAtom<T>,
  signal: AbortSignal,
): Promise<T> {
  const conversation = await conversationOf(ctx, node);
  const round = triesBefore(fields.tries) + 1;
  const { value } = await ctx.asks.ask(
    {
      purpose,
      node,
      keep: { conversation, isLike: (answer) => answer.round === round, marks: { round } },
      words: async (before) => {
        const notes = await notesFor(ctx, node);
        const { prompt, noted, ...rest } = await words(before);
        const heard = notes.length > 0 ? { notes: notes.map(({ id }) => id) } : {};
        return { ...rest, prompt: withNotes(prompt, notes), noted: { ...noted, ...heard } };
      },
      check,
    },
    signal,
  );
  return value;
}

/** Tries whose answers are of no more use. One that was stopped goes on. */
function triesBefore(tries: readonly Try[] = []): number {
  return tries.filter(({ ended }) => ended !== undefined).length;
}

async function conversationOf(ctx: SearchContext, node: TreeNode): Promise<Conversation> {
  const session = await sessionOf(ctx, node);
  if (node.sessionId !== session) await ctx.nodes.change(node, { sessionId: session });
  return (await ctx.store.readConversation(session)) ?? { id: session, title: node.title, turns: [] };
}

/** An atom as prompts tell of it, bounded. */
export function atomData({ node, fields, plan, bindings, seen }: AtomTask): AtomData {
  return {
    name: fields.name,
    title: node.title,
    does: fields.does,
    checks: fields.checks ?? [],
    touches: fields.touches,
    constraints: plan.constraints,
    out_of_scope: plan.out_of_scope,
    bindings: bindings.slice(0, MOST_BINDINGS).map((binding) => ({
      ...binding,
      summary: shortened(binding.summary, LONGEST_BINDING),
      artifacts: binding.artifacts.slice(0, MOST_ARTIFACTS),
    })),
    seen: seen.slice(-MOST_SEEN).map((each) => shortened(each, LONGEST_SEEN)),
  };
}

/** The typed data of requests that only models that write are asked. */
export function unruled({ file }: SearchContext): Words['data'] {
  return { question: file.prompt };
}
