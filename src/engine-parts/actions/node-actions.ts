import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { Limits } from '../../core/search/limits.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { Wish } from '../../core/search/record/steering.ts';
import { oneLine } from '../../core/text/text.ts';
import { NodeStatus } from '../../core/tree/node-file.ts';
import { childSlug, isWithin, joinedPath, nameOf, parentPath } from '../../core/tree/slug.ts';
import { nodeAt, pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import { type NodePatch, patchBetween } from '../../core/tree/tree-node.ts';
import { TreeRecord } from '../../core/tree/tree-record.ts';
import type { Acting, Action, SearchContext } from '../../engine/context.ts';
import { statusFromFiles } from '../../engine/reconcile.ts';
import * as say from './messages.ts';
import { added, addedBelow, failedOpenAgain, nodeGone, openAgain, restored, titleNeeded } from './messages.ts';

const AddArgs = z.object({ title: z.string().min(1).max(1000) });
const Added = z.object({
  path: z.string(),
  title: z.string(),
  /** The title of the node above it; missing on the first level. */
  parent: z.string().optional(),
});

/**
 * Adds a person's own node, which is worked on next, whatever ranking and size say.
 * @param slugOf its name on disk
 */
export function addingWith(
  slugOf: (parent: TreeNode, title: string, longestName: number | undefined) => string,
): Action<z.infer<typeof AddArgs>, z.infer<typeof Added>> {
  return {
    args: AddArgs,
    result: Added,
    async run({ ctx, loop, node: parent, by }, given) {
      const title = oneLine(given.title, 200);
      if (title === '') throw new ThoughtTreeError('bad-input', titleNeeded());
      const slug = slugOf(parent, title, ctx.file.longestName);
      const [own] = await ctx.nodes.add(parent, [{ slug, title }], 'list-last', { by });
      if (parent.status === 'leaf') await ctx.nodes.change(parent, { status: 'expanded', leafReason: null }, { by });
      if (own) loop.wish(own.id);
      const above = parent.parent ? { parent: oneLine(parent.title, 200) } : {};
      return { path: joinedPath(pathOf(parent), slug), title, ...above };
    },
    say: ({ title, parent }) => (parent === undefined ? added({ title }) : addedBelow({ title, parent })),
  };
}

/** Adds a node whose folder is named after its title. */
export const add = addingWith((parent, title, longestName) =>
  childSlug(title, pathOf(parent), new Set(parent.children.map(({ slug }) => slug)), longestName),
);

const Restored = z.object({ status: NodeStatus });
type Restored = z.infer<typeof Restored>;

/** Includes a pruned branch again; its status follows from its files. */
export const restore: Action<object, Restored> = {
  args: z.object({}),
  result: Restored,
  run: (at) => restoreBranch(at, {}),
  say: (_result, { title }) => restored({ title }),
};

/** @param more further fields of the node that change with it */
export async function restoreBranch({ ctx, node, by }: Acting, more: NodePatch): Promise<Restored> {
  const found = await ctx.store.readNode(pathOf(node));
  if (!found) throw new ThoughtTreeError('not-found', nodeGone({ title: node.title }));
  const status = statusFromFiles(found, node.children.length);
  const leafReason = status === 'leaf' ? (found.file.leafReason ?? ('model' as const)) : undefined;
  await ctx.nodes.change(node, { status, leafReason, prunedBy: null, why: null, whySay: null, ...more }, { by });
  return { status };
}

const Retried = z.object({
  opened: z.number().int().nonnegative(),
  /** Its title, if it is a single one. */
  title: z.string().optional(),
});

/** Opens failed nodes again: one, or all. */
export const retry: Action<object, z.infer<typeof Retried>> = {
  args: z.object({}),
  result: Retried,
  async run({ ctx, node, by }) {
    const failed = node.parent ? [node] : [...walk(node)].filter(({ status }) => status === 'failed');
    for (const each of failed) await ctx.nodes.reopen(each, { by });
    const [first] = failed;
    return { opened: failed.length, ...(first && failed.length === 1 ? { title: first.title } : {}) };
  },
  say: ({ opened, title }) => (title === undefined ? failedOpenAgain({ count: opened }) : openAgain({ title })),
};

/** `force`: even if a person edited the document. */
export const RedoArgs = z.object({ force: z.boolean().optional() });

const UndoArgs = z.object({ forward: z.boolean().optional() });
const Undone = z.object({
  /** The number of the event that was undone, or that was done again. */
  of: z.number().int().positive(),
  /** The act, and what it was done to. */
  action: z.string(),
  node: z.string().optional(),
  /** The node that it wanted worked on. */
  wanted: z.string().optional(),
  forward: z.boolean().optional(),
  /** The wishes that the act had dropped, which are there again. */
  wishes: z.array(Wish).optional(),
  title: z.string(),
});
type Undone = z.infer<typeof Undone>;

type Steered = Extract<JournalEvent, { type: 'steered' }>;

/** Acts that can be undone: what they do is in the tree, in texts, in limits, and in wishes. */
const UNDOABLE: ReadonlySet<string> = new Set([
  ...['prune', 'restore', 'expand', 'retry', 'redo', 'add', 'note', 'grow', 'combine', 'reconsider'],
]);
/** Acts that are over once they are done: there is nothing to undo. */
const PASSING: ReadonlySet<string> = new Set(['pause', 'finish', 'report', 'interim', 'forget', 'name']);
/** Acts that ask no model by themselves, whatever is asked afterwards. */
const SILENT: ReadonlySet<string> = new Set(['note', 'prune']);
const NOTES = 'notes.md';

/**
 * Walks back through what people did, an act each time, or forward again: the nodes and texts that an act changed are as they
 * were before it. An act that led to a call, or whose nodes changed since, stays.
 */
export const undo: Action<z.infer<typeof UndoArgs>, Undone> = {
  args: UndoArgs,
  result: Undone,
  async run({ ctx, loop, by }, { forward = false }) {
    await ctx.history.flush();
    const journal = await ctx.store.readJournal();
    const walked = walkedThrough(journal);
    const event = (forward ? walked.ahead : walked.behind).at(-1);
    if (!event) throw new ThoughtTreeError('bad-input', forward ? say.nothingForward() : say.nothingToUndo());
    const act = { event, ...originOf(journal, event) };
    if (!forward && !UNDOABLE.has(act.action))
      throw new ThoughtTreeError('bad-input', say.notUndoable({ action: act.action }));
    const effect = effectOf(journal, event);
    if (!forward) refuseIfPaid(journal, act, effect);
    refuseIfChanged(ctx, effect);
    await takeBack(ctx, effect, by);
    if (effect.limits) {
      ctx.limits.set(effect.limits);
      loop.setSize(effect.limits.size);
      await ctx.history.record({ type: 'budget-changed', by, limits: effect.limits }, true);
    }
    const { action, node, wanted, title } = act;
    if (forward && wanted !== undefined) wish(ctx, loop, wanted);
    const wishes = wishesLost(journal, effect.wishes, wanted);
    for (const each of wishes) wish(ctx, loop, each.node);
    return {
      of: event.seq,
      action,
      title,
      ...(node !== undefined && { node }),
      ...(wanted !== undefined && { wanted }),
      ...(forward && { forward }),
      ...(wishes.length > 0 && { wishes }),
    };
  },
  say: ({ action, title, forward }) => (forward ? say.doneAgain : say.undone)({ action, title }),
};

function wish({ tree }: SearchContext, loop: Acting['loop'], path: string): void {
  const node = nodeAt(tree, path);
  if (node?.status === 'unexpanded') loop.wish(node.id);
}

/** Returns the acts that can be undone, the last one last, and the undoings that can be taken back. */
function walkedThrough(journal: readonly JournalEvent[]): { behind: Steered[]; ahead: Steered[] } {
  let behind: Steered[] = [];
  let ahead: Steered[] = [];
  for (const event of journal) {
    if (event.type !== 'steered' || PASSING.has(event.action)) continue;
    const undone = event.action === 'undo' ? Undone.safeParse(event.value).data : undefined;
    if (!undone) [behind, ahead] = [[...behind, event], []];
    else if (undone.forward) [behind, ahead] = [[...behind, event], ahead.filter(({ seq }) => seq !== undone.of)];
    else [behind, ahead] = [behind.filter(({ seq }) => seq !== undone.of), [...ahead, event]];
  }
  return { behind, ahead };
}

/** Returns what was done in the first place: an act that was done again is an undoing of an undoing. */
function originOf(journal: readonly JournalEvent[], event: Steered): Omit<Undone, 'of' | 'forward' | 'wishes'> {
  if (event.action === 'undo') return Undone.parse(event.value);
  const { path, title: said } = (event.value ?? {}) as { path?: unknown; title?: unknown };
  const wanted = typeof path === 'string' ? path : WISHES.has(event.action) ? event.node : undefined;
  const told = new TreeRecord();
  for (const each of journal) if (each.seq <= event.seq) told.apply(each);
  const node = event.node === undefined ? undefined : nodeAt(told.tree, event.node);
  const title = oneLine(typeof said === 'string' ? said : (node?.title ?? ''), 200);
  return {
    action: event.action,
    title,
    ...(event.node !== undefined && { node: event.node }),
    ...(wanted !== undefined && { wanted }),
  };
}

const WISHES: ReadonlySet<string> = new Set(['expand', 'redo']);

/** What an act changed: what there was before and after it. */
interface Effect {
  readonly before: TreeRecord;
  readonly after: TreeRecord;
  /** The slug paths of the nodes that it changed, added or removed, those above first. */
  readonly nodes: readonly string[];
  /** The hash of the notes before; null if there were none, undefined if they are the same. */
  readonly notes: { readonly before: string | undefined; readonly after: string | undefined } | undefined;
  /** The limits before, where it changed them. */
  readonly limits: Limits | undefined;
  /** The wishes before. */
  readonly wishes: readonly Wish[];
}

/** Events before which nothing belongs to an act: another act, a run, a fork, what agents answered. */
const ENDS_ACTS: ReadonlySet<JournalEvent['type']> = new Set([
  ...(['steered', 'forked', 'adopted', 'lease-taken', 'search-started', 'search-resumed', 'search-running'] as const),
  ...(['search-waiting', 'search-paused', 'search-finished', 'offers-answered', 'offers-applied'] as const),
]);
const NOT_OF_ACTS: ReadonlySet<JournalEvent['type']> = new Set(['call-started', 'call-ended', 'trying', 'node-moved']);

/** Finds the events of an act: those of whoever did it, since the act or run before it. */
function effectOf(journal: readonly JournalEvent[], { seq, by, value }: Steered): Effect {
  const since = journal.findLast((event) => ENDS_ACTS.has(event.type) && event.seq < seq)?.seq ?? 0;
  const window = journal.filter((event) => event.seq > since && event.seq < seq);
  const first = window.findIndex((event) => (isOfNodes(event) || event.type === 'budget-changed') && event.by === by);
  const own = first < 0 ? [] : window.slice(first);
  // What the search itself did meanwhile is no part of the act.
  if (own.some((event) => NOT_OF_ACTS.has(event.type) || (isOfNodes(event) && event.by !== by)))
    throw new ThoughtTreeError('bad-input', say.roundBegun());
  const begin = own[0]?.seq ?? seq;
  const [before, after] = [new TreeRecord(), new TreeRecord()];
  for (const event of journal) {
    if (event.seq < begin) before.apply(event);
    if (event.seq <= seq) after.apply(event);
  }
  const notes = window.filter((event) => event.type === 'text-written' && event.file === NOTES);
  const firstNotes = notes.find((event) => event.type === 'text-written' && event.by === undefined);
  const textAt = (last: number): string | undefined => SearchRecord.at(journal, last).texts.get(NOTES);
  return {
    before,
    after,
    nodes: [...new Set(own.flatMap(pathsIn))].sort((a, b) => a.length - b.length),
    notes: firstNotes && { before: textAt(firstNotes.seq - 1), after: textAt(seq) },
    limits: own.some(({ type }) => type === 'budget-changed') ? limitsBefore(journal, begin, value) : undefined,
    wishes: SearchRecord.at(journal, begin - 1).wishes,
  };
}

function isOfNodes(
  event: JournalEvent,
): event is Extract<JournalEvent, { type: 'node-added' | 'node-status' | 'node-removed' }> {
  return event.type === 'node-added' || event.type === 'node-status' || event.type === 'node-removed';
}

function pathsIn(event: JournalEvent): string[] {
  if (!isOfNodes(event)) return [];
  return event.type === 'node-added' ? event.children.map(({ slug }) => joinedPath(event.node, slug)) : [event.node];
}

/** @param value the act's result, which says what held before since there is this action */
function limitsBefore(journal: readonly JournalEvent[], begin: number, value: unknown): Limits {
  const said = z.object({ before: Limits }).safeParse(value).data?.before;
  const known = said ?? SearchRecord.at(journal, begin - 1).limits;
  if (!known) throw new ThoughtTreeError('bad-input', say.limitsUnknown());
  return known;
}

/** Returns the wishes of before that will not be there: an undoing ends that of the node that was wanted. */
function wishesLost(journal: readonly JournalEvent[], before: readonly Wish[], wanted: string | undefined): Wish[] {
  const now = SearchRecord.at(journal, journal.at(-1)?.seq ?? 0).wishes;
  return before.filter(({ node }) => node === wanted || now.every((each) => each.node !== node));
}

type Act = Omit<Undone, 'of'> & { readonly event: Steered };

function refuseIfPaid(journal: readonly JournalEvent[], act: Act, { nodes, limits }: Effect): void {
  if (SILENT.has(act.action)) return;
  const paths = [...nodes, ...(act.wanted === undefined ? [] : [act.wanted])];
  const call = journal.find(
    (event) =>
      event.type === 'call-started' &&
      event.seq > act.event.seq &&
      (limits !== undefined ||
        [event.node, ...(event.about ?? [])].some((at) => paths.some((path) => isWithin(at, path)))),
  );
  if (call?.type !== 'call-started') return;
  const ended = journal.find((event) => event.type === 'call-ended' && event.call === call.call);
  const usage = ended?.type === 'call-ended' ? ended.usage : undefined;
  const tokens = usage ? usage.prompt + usage.completion : call.worst.tokens;
  const usd = usage ? usage.usd : call.worst.usd;
  const args = { action: act.action, title: act.title, call: call.call, purpose: call.purpose, tokens };
  throw new ThoughtTreeError(
    'bad-input',
    usd === undefined ? say.ledToCall(args) : say.ledToPaidCall({ ...args, usd }),
  );
}

/** The nodes have to be as the act left them. */
function refuseIfChanged({ tree }: SearchContext, { after, nodes }: Effect): void {
  for (const path of nodes) {
    const [now, then] = [nodeAt(tree, path), nodeAt(after.tree, path)];
    const isSame = now?.file && then?.file ? !patchBetween(now.file, then.file) : now === then;
    if (!isSame || now?.document !== then?.document)
      throw new ThoughtTreeError('bad-input', say.changedSince({ title: (now ?? then)?.title ?? path }));
  }
}

async function takeBack(ctx: SearchContext, { before, nodes, notes }: Effect, by: string): Promise<void> {
  const { tree, store } = ctx;
  if (notes) {
    const now = await store.readNotes();
    if ((now === undefined ? undefined : store.hashOf(now)) !== notes.after)
      throw new ThoughtTreeError('bad-input', say.changedSince({ title: NOTES }));
    await store.writeNotes(await textOf(ctx, notes.before));
  }
  const isThere = (path: string): boolean => nodeAt(before.tree, path) !== undefined;
  for (const path of nodes.filter((each) => !isThere(each)).toReversed()) {
    const node = nodeAt(tree, path);
    const wasListed = nodeAt(before.tree, parentPath(path))?.listed === true;
    if (node?.parent) await ctx.nodes.remove(node, { by, listed: wasListed });
  }
  for (const path of nodes.filter(isThere)) {
    const was = nodeAt(before.tree, path) as TreeNode;
    const now = nodeAt(tree, path);
    if (now) await restoreNode(ctx, now, was, by);
    else await addAgain(ctx, was, by);
  }
}

async function restoreNode(ctx: SearchContext, now: TreeNode, was: TreeNode, by: string): Promise<void> {
  if (!now.parent || !was.file) return;
  const split = now.file && patchBetween(now.file, was.file);
  const patch = { ...split?.set, ...Object.fromEntries((split?.gone ?? []).map((name) => [name, null])) };
  const isSame = now.document === was.document;
  const document = isSame ? undefined : was.document === undefined ? null : await textOf(ctx, was.document);
  if (!split && isSame) return;
  await ctx.nodes.change(now, patch, { by, listed: was.listed, document });
}

async function addAgain(ctx: SearchContext, was: TreeNode, by: string): Promise<void> {
  const parent = nodeAt(ctx.tree, parentPath(pathOf(was)));
  if (!parent) return;
  const { title, ...fields } = was.file ?? { title: was.title, status: was.status };
  const document = await textOf(ctx, was.document);
  const siblings = parent.children.map(({ slug, title: name }) => ({ slug, title: name }));
  await ctx.nodes.add(parent, [...siblings, { slug: nameOf(pathOf(was)), title, fields, document }], 'list-last', {
    by,
  });
}

/** @throws ThoughtTreeError `not-found` for a text that nobody kept */
async function textOf({ store }: SearchContext, hash: string | undefined): Promise<string | undefined> {
  if (hash === undefined) return undefined;
  const text = await store.readKept(hash);
  if (text === undefined) throw new ThoughtTreeError('not-found', say.textGone());
  return text;
}
