import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/message.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import { isPruned, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { consequenceOf } from '../../../engine/loop.ts';
import { depthLimit } from '../../../engine/messages.ts';
import type { Child } from '../../../engine/nodes.ts';
import { ROOT_SESSION, sessionOf } from '../../../engine-parts/transcripts/conversations.ts';
import { stallOf } from '../gains.ts';
import * as say from '../messages.ts';
import { solutionFound } from '../messages.ts';
import type { Account } from '../prompts/answer-prompts.ts';
import type { Draft } from '../prompts/thought-answers.ts';
import type { Thought } from '../prompts/thought-messages.ts';
import { factsOf } from '../strategy/strategies.ts';
import { isBeingCompleted } from '../strategy/whole-solutions.ts';
import { documentOf, parentIdOf, thoughtsTo, titleOf } from '../thought-document.ts';
import {
  beginRound,
  endRound,
  nextRound,
  roundSession,
  roundsBegun,
  thoughtId,
  thoughtSlug,
  triesOf,
} from '../thought-node.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { decompose } from './decompose.ts';
import {
  type CheckedThought,
  checkedWithWords,
  type Generated,
  generate,
  mendThoughts,
  type Refused,
  type Round,
} from './generate.ts';

/** Depths below the limit that a person's wish may reach; anything deeper counts as a mistake. */
const DEPTHS_BEYOND = 2;

/**
 * Makes the first level: decomposes the problem, then asks for first thoughts. The root has no node.json: the folders come
 * first, and its list last, to mark completion.
 */
export async function listFirstThoughts(ctx: ThoughtSearch, signal: AbortSignal): Promise<MoveResult> {
  const { root } = ctx.tree;
  ctx.history.note({ type: 'progress', ...noted(say.treeBegun()) });
  await decompose(ctx, signal);
  announce(ctx, root);
  const round: Round = { node: root, session: ROOT_SESSION, number: triesOf(root) + 1 };
  const placed = await thoughtsFor(ctx, round, signal);
  return await ctx.gate.commit(async () => {
    await commitRoot(ctx, round, placed);
    return { outcome: 'done' };
  }, signal);
}

/** Completes a path in one thought, as another way to a whole solution; what a kill leaves of it is taken up as that. */
export async function completeThought(ctx: ThoughtSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  if (ctx.tree.get(node.id) !== node || node.status !== 'unexpanded' || isPruned(node)) return { outcome: 'dropped' };
  await ctx.nodes.change(node, { own: { ...node.file?.own, completes: true } });
  ctx.history.note({ type: 'progress', ...noted(say.anotherWay({ title: node.title })) });
  return await expandThought(ctx, node, signal);
}

/** Continues from a thought: asks for next ones, in a separate conversation. */
export async function expandThought(ctx: ThoughtSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  await ctx.nodes.lookBeforeWork(node, signal);
  if (ctx.tree.get(node.id) !== node || node.status !== 'unexpanded' || isPruned(node)) return { outcome: 'dropped' };
  if (node.depth >= ctx.limits.now.maxDepth + DEPTHS_BEYOND || !mayGoDeeper(ctx, node))
    return await endAtDepth(ctx, node);
  const isWhole = isBeingCompleted(node);
  if (!isWhole) announce(ctx, node);
  return await ctx.nodes.work(node, signal, async () => {
    const session = await sessionOf(ctx, node);
    // Of several models, a thought names the one that made it.
    const model = ctx.models.length > 0 ? {} : { model: ctx.model.name };
    await ctx.nodes.change(node, { status: 'in-progress', sessionId: session, ...model });
    await completeDocument(ctx, node);
    const round: Round = { node, session, number: triesOf(node) + 1, isWhole };
    const placed = await thoughtsFor(ctx, round, signal);
    return await commitAt(ctx, round, placed, signal);
  });
}

/** Asks once more at a node that has thoughts, for others. A failure here costs one round, and no node fails. */
export async function tryAgain(ctx: ThoughtSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  if (node.parent) await ctx.nodes.lookBeforeWork(node, signal);
  if (ctx.tree.get(node.id) !== node || !node.listed || isPruned(node)) return { outcome: 'dropped' };
  const running = ctx.roundsUnderWay.get(node.id) ?? new Set();
  // One that a killed run had begun comes first.
  const left = roundsBegun(node).find((each) => !running.has(each));
  const number = left ?? Math.max(nextRound(node), ...[...running].map((each) => each + 1));
  ctx.roundsUnderWay.set(node.id, running.add(number));
  try {
    await ctx.history.record({ type: 'trying', node: pathOf(node), round: number });
    beginRound(ctx.tree, node, number);
    announce(ctx, node, say.askingAgain);
    return await ctx.nodes.work(node, signal, () => furtherRound(ctx, node, number, signal));
  } finally {
    running.delete(number);
    if (running.size === 0) ctx.roundsUnderWay.delete(node.id);
  }
}

async function furtherRound(
  ctx: ThoughtSearch,
  node: TreeNode,
  number: number,
  signal: AbortSignal,
): Promise<MoveResult> {
  const own = node.parent ? await sessionOf(ctx, node) : ROOT_SESSION;
  if (node.parent && node.sessionId !== own) await ctx.nodes.change(node, { sessionId: own });
  const session = factsOf(ctx.settings.strategy).asksSideBySide ? roundSession(own, number) : own;
  const round: Round = { node, session, number };
  let placed: CheckedRound;
  try {
    placed = await thoughtsFor(ctx, round, signal);
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    ctx.history.note({ type: 'progress', ...noted(say.noFurtherThoughts({ code: toThoughtTreeError(error).reason })) });
    await tellDone(ctx, round, 0);
    return { outcome: 'failed' };
  }
  if (!node.parent) {
    await ctx.gate.commit(() => commitRoot(ctx, round, placed), signal);
    return { outcome: 'done' };
  }
  return await commitAt(ctx, round, placed, signal);
}

/** A person's node, or one that a kill left without a document, gets its title as its thought. */
async function completeDocument(ctx: ThoughtSearch, node: TreeNode): Promise<void> {
  const path = pathOf(node);
  if ((await ctx.store.readDocument(path)) !== undefined) return;
  const document = documentOf({ content: node.title }, thoughtId(node), parentIdOf(node), node.depth);
  await ctx.nodes.change(node, {}, { document });
}

function mayGoDeeper(ctx: ThoughtSearch, node: TreeNode): boolean {
  return node.depth < ctx.limits.now.maxDepth || ctx.wantedDeeper.has(node.id);
}

async function endAtDepth(ctx: ThoughtSearch, node: TreeNode): Promise<MoveResult> {
  const isFar = node.depth >= ctx.limits.now.maxDepth + DEPTHS_BEYOND;
  const { title } = node;
  ctx.history.note({ type: 'progress', ...noted(isFar ? say.beyondDepth({ title }) : depthLimit({ title })) });
  ctx.wantedDeeper.delete(node.id);
  await ctx.nodes.change(node, { status: 'leaf', leafReason: 'depth-limit' });
  return { outcome: 'done' };
}

function announce(ctx: ThoughtSearch, node: TreeNode, text = say.expandingLayer): void {
  const { candidates, writesDrafts } = ctx.settings;
  if (writesDrafts) {
    const isFirst = text === say.expandingLayer;
    const again = say.writingAgain({ title: node.title });
    ctx.history.note({
      type: 'progress',
      ...noted(node.parent ? again : say.writingDrafts({ count: isFirst ? candidates : 1 })),
    });
    return;
  }
  ctx.history.note({ type: 'progress', ...noted(text({ depth: node.depth + 1, count: candidates })) });
}

async function thoughtsFor(ctx: ThoughtSearch, round: Round, signal: AbortSignal): Promise<CheckedRound> {
  const above = await thoughtsTo(ctx, round.node);
  let made: Generated = await generate(ctx, round, signal);
  const checked: CheckedRound['checked'][number][] = [];
  const said = new Set<string>();
  for (let repair = 1; ; repair++) {
    const refused: Refused[] = [];
    for (const thought of made.thoughts) {
      const { by: model } = made.origins.get(thought) ?? {};
      const { fields, refusal } = await checkedWithWords(ctx, above, thought, signal);
      const own = accountsIn(thought);
      checked.push({ thought, fields: { ...fields, ...own, ...(model !== undefined && { model }) } });
      if (refusal !== undefined) refused.push({ thought, why: refusal });
    }
    // Where something stands, what was refused is not missed; the same words again mean that nothing got better.
    const isNew = refused.some(({ why }) => !said.has(why));
    const isVain = refused.length < made.thoughts.length || !isNew || stallOf(ctx) !== undefined;
    if (isVain || repair > ctx.settings.repairs) return { first: made.first, checked };
    for (const { why } of refused) said.add(why);
    ctx.history.note({ type: 'progress', ...noted(say.mending({ count: refused.length })) });
    const all = { ...made, thoughts: checked.map(({ thought }) => thought) };
    made = await mendThoughts(ctx, round, all, refused, repair, signal);
  }
}

/** Of a defect, and of what is said about it, a node keeps so many characters. */
const LONGEST_KEPT = 600;

/** Returns what a draft says about the defects of the one above it, as its node keeps it. */
function accountsIn({ mended, open }: Draft): Pick<CheckedThought, 'own'> {
  const short = (list: readonly Account[]): Account[] =>
    list.map(({ defect, how }) => ({ defect: defect.slice(0, LONGEST_KEPT), how: how.slice(0, LONGEST_KEPT) }));
  return mended || open
    ? { own: { ...(mended && { mended: short(mended) }), ...(open && { open: short(open) }) } }
    : {};
}

async function commitRoot(ctx: ThoughtSearch, round: Round, found: CheckedRound): Promise<void> {
  await addThoughts(ctx, ctx.tree.root, placeThoughts(round.node, found), 'list-last');
  await tellDone(ctx, round, found.checked.length);
}

async function commitAt(
  ctx: ThoughtSearch,
  round: Round,
  found: CheckedRound,
  signal: AbortSignal,
): Promise<MoveResult> {
  const { node } = round;
  const done = await ctx.nodes.commit(node, signal, async () => {
    await addThoughts(ctx, node, placeThoughts(node, found), 'list-first');
    ctx.wantedDeeper.delete(node.id);
    const isLeaf = node.children.length === 0;
    const final = isLeaf
      ? { status: 'leaf' as const, leafReason: 'model' as const }
      : { status: 'expanded' as const, leafReason: null };
    await ctx.nodes.change(node, { failure: null, ...final });
    await tellDone(ctx, round, found.checked.length);
  });
  return { outcome: done === 'gone' ? 'dropped' : 'done' };
}

async function tellDone(ctx: ThoughtSearch, { node, number }: Round, found: number): Promise<void> {
  await ctx.history.record({ type: 'generated', node: pathOf(node), round: number, found });
  endRound(ctx.tree, node, number);
}

/** The thoughts of a round, checked, and the number of the first one. */
interface CheckedRound {
  readonly first: number;
  readonly checked: readonly { readonly thought: Thought; readonly fields: CheckedThought }[];
}

/** One thought as it will be on disk. */
interface PlacedThought {
  readonly slug: string;
  readonly title: string;
  readonly thought: Thought;
  readonly fields: CheckedThought;
}

/**
 * Gives new thoughts their numbers, from the first one of their round on. A number that a person's node or another round has
 * taken meanwhile is skipped; if a killed run gave a number to the same thought, it is that thought.
 */
function placeThoughts(node: TreeNode, { first, checked }: CheckedRound): PlacedThought[] {
  const parentPath = pathOf(node);
  const titles = new Map(node.children.map(({ slug, title }) => [slug, title]));
  let number = first;
  return checked.map(({ thought, fields }) => {
    const title = titleOf(thought);
    let slug = thoughtSlug(parentPath, number++);
    while (titles.has(slug) && titles.get(slug) !== title) slug = thoughtSlug(parentPath, number++);
    return { slug, title, thought, fields };
  });
}

/** Makes thoughts the children of a node, in order after the existing ones. */
async function addThoughts(
  ctx: ThoughtSearch,
  node: TreeNode,
  placed: readonly PlacedThought[],
  order: 'list-first' | 'list-last',
): Promise<void> {
  const nodes = await ctx.nodes.add(node, withStanding(node, placed), order);
  for (const each of nodes) ctx.states.add(each);
  for (const { fields } of placed)
    if (fields.leafReason === 'solved') ctx.history.note({ type: 'progress', ...noted(solutionFound()) });
}

/** Returns the complete list of a node's children: existing ones keep their place. */
function withStanding(node: TreeNode, placed: readonly PlacedThought[]): Child[] {
  const parentId = thoughtId(node);
  const asChild = ({ slug, title, thought, fields }: PlacedThought): Child => {
    return { slug, title, fields, document: documentOf(thought, slug, parentId, node.depth + 1) };
  };
  const fresh = new Map(placed.map((each) => [each.slug, asChild(each)]));
  const standing = node.children.map(({ slug, title }) => fresh.get(slug) ?? { slug, title });
  const known = new Set(standing.map(({ slug }) => slug));
  return [...standing, ...[...fresh.values()].filter(({ slug }) => !known.has(slug))];
}
