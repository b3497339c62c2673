import * as z from 'zod';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { Limits, Size, SpendLimits } from '../../core/search/limits.ts';
import { LONGEST_NOTE } from '../../core/tree/node-file.ts';
import { pathOf, walk } from '../../core/tree/tree.ts';
import type { Acting, Action, Actions, SearchContext } from '../../engine/context.ts';
import type { KindRun } from '../../engine/kind.ts';
import { statusFromFiles } from '../../engine/reconcile.ts';
import { editedDocument } from '../transcripts/edited-document.ts';
import {
  branchPruned,
  comesNext,
  editedByPerson,
  finishing,
  grown,
  interimEdited,
  interimWritten,
  limitsSet,
  noteNeeded,
  noteOnNode,
  noteOnSearch,
  notesTooLong,
  pausing,
  prunedAlready,
  redoing,
  reportWritten,
  stopped,
  workedOn,
} from './messages.ts';
import { add, RedoArgs, restore, retry, undo } from './node-actions.ts';

const Nothing = z.object({});

const GrowArgs = z.object({
  size: Size.optional(),
  maxDepth: Limits.shape.maxDepth.optional(),
  guards: SpendLimits.optional(),
});
const Grown = z.object({ limits: Limits, before: Limits });

/** Raises a search's limits: size, depth or budget. */
const grow: Action<z.infer<typeof GrowArgs>, z.infer<typeof Grown>> = {
  args: GrowArgs,
  result: Grown,
  async run({ ctx, loop, by }, { size, maxDepth, guards }) {
    const before = ctx.limits.now;
    const limits: Limits = {
      size: size ?? before.size,
      maxDepth: maxDepth ?? before.maxDepth,
      guards: { ...before.guards, ...guards },
    };
    ctx.limits.set(limits);
    loop.setSize(limits.size);
    await ctx.history.record({ type: 'budget-changed', by, limits }, true);
    await openDepthLimited(ctx, by);
    return { limits, before };
  },
  say: ({ limits, before }) =>
    limits.size === before.size && limits.maxDepth === before.maxDepth ? limitsSet() : grown(),
};

/** Opens the leaves that had been ended only by an earlier depth limit. */
export async function openDepthLimited(ctx: SearchContext, by?: string): Promise<void> {
  const { maxDepth } = ctx.limits.now;
  for (const node of walk(ctx.tree.root))
    if (node.leafReason === 'depth-limit' && node.depth < maxDepth) await ctx.nodes.reopen(node, { by });
}

/**
 * Rewrites a document, in a fresh conversation; its children stay. The old text is kept separately, and one that a person
 * edited is only touched if they agreed.
 */
const redo: Action<z.infer<typeof RedoArgs>, object> = {
  args: RedoArgs,
  result: Nothing,
  async run({ ctx, loop, node, by }, { force = false }) {
    if (!force && (await editedDocument(ctx, node)) !== undefined)
      throw new ThoughtTreeError('edited', editedByPerson({ title: node.title }));
    await loop.release(new Set([node.id]));
    await ctx.nodes.change(node, { sessionId: null, summary: null }, { by, document: null });
    await ctx.nodes.reopen(node, { by });
    loop.wish(node.id);
    return {};
  },
  say: (_result, { title }) => redoing({ title }),
};

const PauseArgs = z.object({ now: z.boolean().optional() });
const Paused = z.object({ now: z.boolean() });

/** Stops the loop: after the work under way, or at once. */
const pause: Action<z.infer<typeof PauseArgs>, z.infer<typeof Paused>> = {
  args: PauseArgs,
  result: Paused,
  isLoops: true,
  async run({ loop }, { now = false }) {
    loop.pause(now);
    return { now };
  },
  say: ({ now }) => (now ? stopped() : pausing()),
};

/** Returns an action that the loop does by itself, without arguments. */
function loopAction(run: (loop: Acting['loop']) => Promise<unknown>, say: () => Message): Action<object, object> {
  return {
    args: Nothing,
    result: Nothing,
    isLoops: true,
    async run({ loop }) {
      await run(loop);
      return {};
    },
    say,
  };
}

/** Ends the search where it is, with its report. */
const finish = loopAction((loop) => loop.finish(), finishing);
/** Rewrites report.md from the current tree. */
const report = loopAction((loop) => loop.writeReport(), reportWritten);

const InterimDone = z.object({ isEdited: z.boolean() });

/** Writes report.md from the tree as it is, without a call; also while the search runs. Nothing happens to the search itself. */
const interim: Action<object, z.infer<typeof InterimDone>> = {
  args: Nothing,
  result: InterimDone,
  isLoops: true,
  tellsItself: true,
  async run({ loop }) {
    return { isEdited: (await loop.writeInterim()) === 'edited' };
  },
  say: ({ isEdited }) => (isEdited ? interimEdited() : interimWritten()),
};

const Pruned = z.object({
  /** The number of nodes in the branch, including its top; 0 if it was already pruned. */
  pruned: z.number().int().nonnegative(),
});

/** Excludes a branch from the search: calls in it are stopped (they count), its files stay. */
const prune: Action<object, z.infer<typeof Pruned>> = {
  args: Nothing,
  result: Pruned,
  async run({ ctx, loop, node, by }) {
    if (node.status === 'pruned') return { pruned: 0 };
    const branch = new Set([...walk(node)].map(({ id }) => id));
    await loop.release(branch);
    const found = await ctx.store.readNode(pathOf(node));
    const listed = found !== undefined && statusFromFiles(found, node.children.length) !== 'unexpanded';
    await ctx.nodes.change(node, { status: 'pruned', prunedBy: 'user' }, { by, listed });
    return { pruned: branch.size };
  },
  say: (result, { title }) => (result.pruned === 0 ? prunedAlready({ title }) : branchPruned({ title })),
};

const Expanded = z.object({
  isUnderWay: z.boolean(),
  /** Of a leaf: how often its kind had already received a list of children for it, if that matters. */
  listsBefore: z.number().int().optional(),
});

/** Works on a node next: an open one, a failed one, or a leaf, which is tried once more. */
const expand: Action<object, z.infer<typeof Expanded>> = {
  args: Nothing,
  result: Expanded,
  async run({ ctx, loop, node, by }) {
    if (node.status === 'in-progress') return { isUnderWay: true };
    const listsBefore = node.status === 'leaf' ? await loop.again(node) : undefined;
    if (node.status !== 'unexpanded') await ctx.nodes.reopen(node, { by });
    loop.wish(node.id);
    return { isUnderWay: false, ...(listsBefore === undefined ? {} : { listsBefore }) };
  },
  say: ({ isUnderWay }, { title }) => (isUnderWay ? workedOn({ title }) : comesNext({ title })),
};

const NoteArgs = z.object({ text: z.string().min(1).max(20_000) });

/** Adds a note to the search, or to a branch, for every later prompt there. */
const note: Action<z.infer<typeof NoteArgs>, object> = {
  args: NoteArgs,
  result: Nothing,
  async run({ ctx, node, by }, args) {
    const text = args.text.trim();
    if (text === '') throw new ThoughtTreeError('bad-input', noteNeeded());
    if (!node.parent) {
      const before = (await ctx.store.readNotes())?.trimEnd() ?? '';
      await ctx.store.writeNotes(before === '' ? `${text}\n` : `${before}\n\n${text}\n`);
      return {};
    }
    const before = (await ctx.store.readNodeFile(pathOf(node)))?.note;
    const note = before ? `${before}\n\n${text}` : text;
    // A longer one would be dropped when the file is read again.
    if (note.length > LONGEST_NOTE)
      throw new ThoughtTreeError('bad-input', notesTooLong({ title: node.title, most: LONGEST_NOTE }));
    await ctx.nodes.change(node, { note }, { by });
    return {};
  },
  say: (_result, { parent, title }) => (parent ? noteOnNode({ title }) : noteOnSearch()),
};

/** The actions of searches of all kinds. */
const ENGINE_ACTIONS: Actions = {
  pause,
  finish,
  report,
  interim,
  grow,
  prune,
  restore,
  expand,
  retry,
  redo,
  add,
  note,
  undo,
};

/** Returns the actions of a search. */
export function actionsOf({ actions }: Pick<KindRun, 'actions'>): Actions {
  return { ...ENGINE_ACTIONS, ...actions };
}
