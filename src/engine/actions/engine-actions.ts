import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { LONGEST_NOTE } from '../../core/tree/node-file.ts';
import { pathOf, walk } from '../../core/tree/tree.ts';
import type { KindRun } from '../kind/kind.ts';
import { statusFromFiles } from '../nodes/reconcile.ts';
import type { Action, Actions } from './action.ts';
import { add } from './add.ts';
import { grow } from './grow.ts';
import {
  branchPruned,
  comesNext,
  finishing,
  interimEdited,
  interimWritten,
  noteNeeded,
  noteOnNode,
  noteOnSearch,
  notesTooLong,
  pausing,
  prunedAlready,
  reportWritten,
  stopped,
  workedOn,
} from './messages.ts';
import { redo } from './redo.ts';
import { restore } from './restore.ts';
import { retry } from './retry.ts';

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

/** Ends the search where it is, with its report. */
const finish: Action<object, object> = {
  args: z.object({}),
  result: z.object({}),
  isLoops: true,
  async run({ loop }) {
    await loop.finish();
    return {};
  },
  say: () => finishing(),
};

/** Rewrites report.md from the current tree. */
const report: Action<object, object> = {
  args: z.object({}),
  result: z.object({}),
  isLoops: true,
  async run({ loop }) {
    await loop.writeReport();
    return {};
  },
  say: () => reportWritten(),
};

const InterimDone = z.object({ isEdited: z.boolean() });

/** Writes report.md from the tree as it is, without a call; also while the search runs. Nothing happens to the search itself. */
const interim: Action<object, z.infer<typeof InterimDone>> = {
  args: z.object({}),
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
  args: z.object({}),
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
  args: z.object({}),
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
  result: z.object({}),
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
};

/** The actions of a search. */
export function actionsOf({ actions }: Pick<KindRun, 'actions'>): Actions {
  return actions ? { ...ENGINE_ACTIONS, ...actions } : ENGINE_ACTIONS;
}
