import { marksOf, type NodeMarks } from '../../core/citations/citation-marks.ts';
import type { Move, MoveResult } from '../../core/kind/strategy.ts';
import { type Message, noted } from '../../core/messages/message.ts';
import {
  answerFor,
  type Conversation,
  sessionOf,
  withExchange,
  withoutOpenQuestion,
} from '../../core/search/conversation.ts';
import { expansionsOf, USUAL_DEPTH } from '../../core/search/limits.ts';
import { type CheckedDocument, checkDocument } from '../../core/text/document.ts';
import type { LeafReason } from '../../core/tree/node-file.ts';
import { isPruned, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';
import { type Executors, type SearchContext, slotsToPlan } from '../../engine/context.ts';
import { type Kind, type KindRun, PLAIN_RUN } from '../../engine/kind.ts';
import { consequenceOf } from '../../engine/loop.ts';
import { depthLimit } from '../../engine/messages.ts';
import type { KeptAnswer } from '../../engine/question.ts';
import { citedDocument, standingMarks } from '../../engine-parts/citations/cite-document.ts';
import { whyNothing } from '../../engine-parts/report/report-lines.ts';
import { reserveFor } from '../../engine-parts/report/written-answer.ts';
import { sessionOf as nodeSession, notesFor, withNotes } from '../../engine-parts/transcripts/conversations.ts';
import {
  outlineOf,
  type ProposedChild,
  placeChildren,
  type Ranking,
  readChildren,
  readRanking,
  wholeOutline,
} from './answers.ts';
import { researchDescriptor } from './descriptor.ts';
import { documentAgain, readDocument } from './document-answer.ts';
import { researchForecast } from './forecast.ts';
import { listRoot } from './list-root.ts';
import * as say from './messages.ts';
import { pickingLeaf } from './messages.ts';
import {
  childrenData,
  documentData,
  documentList,
  listsGiven,
  listsIn,
  openConversation,
} from './node-conversation.ts';
import { nodePrompt, Shown } from './node-prompt.ts';
import type { PickMove } from './open-leaves.ts';
import { byRule, type PickData, systemText } from './prompts.ts';
import { OPENING_CALL } from './report/synthesis.ts';
import { writeReport } from './report/write-report.ts';
import { NEW_FORM, openResearch, type ResearchSearch, researchOptionsSchema } from './research-search.ts';
import { Research, rankingLength } from './strategy.ts';

/** "Research a question": a tree of documents, its first level walked, the rest guided by a picker. */
export const research: Kind = {
  descriptor: researchDescriptor,
  options: researchOptionsSchema,
  begin: ({ options }) => ({ strategy: 'research', options: { ...NEW_FORM, ...options } }),
  usualDepth: () => USUAL_DEPTH,
  forecast: researchForecast,
  system: systemText,
  folds: () => [new Shown()],
  formats: [],
  documentAgain,
  extras: {},
  open,
};

async function open(ctx: SearchContext): Promise<KindRun> {
  const search = await openResearch(ctx);
  const { limits, picker, inRounds, leastScore, askAgain } = search;
  return {
    ...PLAIN_RUN,
    strategy: new Research({
      ...{ size: limits.now.size, picker, inRounds, leastScore },
      get concurrency() {
        return slotsToPlan(ctx);
      },
      picksTakeSlots: ctx.slots !== undefined,
    }),
    executors: researchExecutors(search),
    keptForReport: reserveFor(search, OPENING_CALL),
    writeReport: (results) => writeReport(search, results),
    whyNothing: () => whyNothing(search),
    async again(node, before) {
      const lists = before ?? (await listsGiven(search, node));
      askAgain.set(node.id, lists);
      return lists;
    },
  };
}

/** Returns the executors of a research search. A pick needs no slot of our own, so that it never delays other work. */
export function researchExecutors(search: ResearchSearch): Executors {
  const { tree, nodes } = search;
  return {
    'list-root': {
      needsSlot: true,
      run: (_move, signal) => nodes.work(tree.root, signal, () => listRoot(search, signal)),
    },
    pick: { needsSlot: false, run: (move, signal) => pickLeaves(search, move, signal) },
    expand: { needsSlot: true, expands: true, run: (move, signal) => expand(search, move, signal) },
  };
}

async function expand(search: ResearchSearch, move: Move, signal: AbortSignal): Promise<MoveResult> {
  const { tree, nodes, history } = search;
  const node = tree.get(move.nodes[0] as NodeId);
  if (!node) return { outcome: 'dropped' };
  // Announced before reading the disk, so that topics are announced in the order in which they are begun.
  history.note({ type: 'progress', ...noted(announcement(search, node)) });
  await nodes.lookBeforeWork(node, signal);
  if (tree.get(node.id) !== node || node.status !== 'unexpanded' || isPruned(node)) return { outcome: 'dropped' };
  const result = await nodes.work(node, signal, () => expandNode(search, node, signal));
  if (node.leafReason === 'depth-limit')
    history.note({ type: 'progress', ...noted(depthLimit({ title: node.title })) });
  return result;
}

function announcement({ tree }: ResearchSearch, { title, depth, index }: TreeNode): Message {
  if (depth > 1) return say.expandingNode({ title, depth });
  return say.rootWalk({ title, current: index + 1, total: tree.root.children.length });
}

/**
 * Asks the picker which of a move's nodes come next, and does what it says of the others: a dropped one is pruned, one that
 * repeats another becomes a leaf with a link. If it fails, there is no ranking, and no harm is done.
 */
async function pickLeaves(ctx: ResearchSearch, move: PickMove, signal: AbortSignal): Promise<MoveResult> {
  const nodes = new Map<string, TreeNode>();
  for (const id of move.nodes) {
    const node = ctx.tree.get(id);
    if (node) nodes.set(pathOf(node), node);
  }
  if (nodes.size === 0) return { outcome: 'dropped' };
  ctx.history.note({ type: 'progress', ...noted(pickingLeaf()) });
  try {
    const { order, dropped, same } = await rank(ctx, [...nodes.values()], signal);
    const { beside } = move;
    await ctx.history.record({ type: 'picked', ranking: [...order], ...(beside && { beside }) }, true);
    for (const path of dropped) await setAside(ctx, nodes.get(path), signal, { status: 'pruned', prunedBy: 'picker' });
    for (const [path, as] of same)
      await setAside(ctx, nodes.get(path), signal, { status: 'leaf', leafReason: 'duplicate', sameAs: as });
    return { outcome: 'ranked', ranking: order.map((path) => (nodes.get(path) as TreeNode).id as NodeId) };
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    return { outcome: 'failed' };
  }
}

type Aside =
  | { readonly status: 'pruned'; readonly prunedBy: 'picker' }
  | { readonly status: 'leaf'; readonly leafReason: 'duplicate'; readonly sameAs: string };

/** Changes a leaf that is still open: not one that is worked on by now, and none that a person added. */
async function setAside(
  ctx: ResearchSearch,
  node: TreeNode | undefined,
  signal: AbortSignal,
  patch: Aside,
): Promise<void> {
  if (!node?.evaluation || node.status !== 'unexpanded' || isPruned(node) || ctx.nodes.isUnderWay(node)) return;
  await ctx.nodes.commit(node, signal, async ({ status }) => {
    if (status === 'unexpanded') await ctx.nodes.change(node, patch);
  });
}

async function rank(ctx: ResearchSearch, nodes: readonly TreeNode[], signal: AbortSignal): Promise<Ranking> {
  const plain = ctx.picker === 'one-at-a-time';
  const longest = rankingLength({ concurrency: slotsToPlan(ctx), inRounds: ctx.inRounds });
  const limit = plain ? 1 : Math.max(1, Math.min(nodes.length, longest));
  const numbers = new Map(nodes.map((node, at) => [node, at + 1]));
  const { text, shown } = plain ? wholeOutline(ctx.tree.root, numbers) : outlineOf(ctx.tree.root, numbers);
  const left = expansionsOf(ctx.limits.now.size) - ctx.tree.worked;
  const data: PickData = {
    purpose: 'pick',
    question: ctx.file.prompt,
    outline: text,
    candidates: nodes.map((node) => ({
      path: pathOf(node),
      title: node.title,
      isInOutline: shown.has(node),
      ...(node.evaluation ? { score: node.evaluation.score } : {}),
    })),
    limit,
    worked: Math.max(1, Math.min(nodes.length, left)),
  };
  const paths = data.candidates.map(({ path }) => path);
  const { value } = await ctx.asks.ask(
    {
      purpose: 'pick',
      words: async () => ({
        prompt: withNotes(ctx.prompts.pick(data), await notesFor(ctx, undefined)),
        data: byRule(data),
        // A number and a comma for each, or the longest line of a path where a person's own prompt asks for those.
        maxOutputTokens: 1000 + (ctx.prompts.own.has('pick') ? 50 : 8) * limit,
      }),
      check: (answer) => readRanking(answer, paths, limit),
    },
    signal,
  );
  return value;
}

/** One expansion under way. */
interface Expansion {
  readonly ctx: ResearchSearch;
  readonly node: TreeNode;
  readonly path: string;
  readonly signal: AbortSignal;
}

/**
 * Works on one node: its document, then its children, in one conversation forked from its parent's. Each answer is first
 * kept in the conversation, then written to files, so that an answer that was paid for is never asked for again. If a
 * person removed or pruned the node meanwhile, that stays so.
 */
async function expandNode(ctx: ResearchSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  const expansion: Expansion = { ctx, node, path: pathOf(node), signal };
  const session = await nodeSession(ctx, node);
  await ctx.nodes.change(node, { status: 'in-progress', sessionId: session, model: ctx.model.name });
  const forked = await openConversation(ctx, node, session);
  const made = await makeDocument(expansion, forked);
  if (!made) return { outcome: 'dropped' };
  const { conversation, ...said } = made;
  ctx.tree.update(node, said);
  const list = await makeList(expansion, conversation);
  const done = await ctx.nodes.commit(node, signal, () => commitChildren(expansion, list));
  return { outcome: done === 'gone' ? 'dropped' : 'done' };
}

/** A node's conversation including its document, and the node's summary of that. */
interface Made extends NodeMarks {
  readonly conversation: Conversation;
  readonly summary: string;
}

/**
 * The document: a person's text if there is one, else the model's, first kept and then written. Undefined if the node is
 * not wanted any more.
 */
async function makeDocument(expansion: Expansion, forked: Conversation): Promise<Made | undefined> {
  const { ctx, node, path } = expansion;
  const standing = await ctx.store.readDocument(path);
  const answered = answerFor(forked, 'document')?.text;
  if (standing !== undefined && (answered !== undefined || standing.trim() !== '')) {
    const conversation = answered === undefined ? await keepDocument(expansion, forked, standing) : forked;
    if (!(await ctx.nodes.wanted(node))) return undefined;
    const marks = await standingMarks(ctx, node, standing, answered !== undefined);
    return { conversation, summary: summaryOf(standing, node), ...marks };
  }
  const { conversation, value: made } = await askForDocument(expansion, forked);
  const cited = await citedDocument(ctx, node, made);
  if (!(await ctx.nodes.wanted(node))) return undefined;
  await ctx.nodes.change(node, {}, { document: cited.text });
  return { conversation, summary: made.summary, ...marksOf(cited.citations) };
}

function summaryOf(document: string, node: TreeNode): string {
  try {
    return checkDocument(document, node.title).summary;
  } catch {
    return node.summary ?? ''; // a person's text need not meet our requirements for models
  }
}

/** A person's document replaces an answer, so that everything below builds on it. */
async function keepDocument({ ctx, node }: Expansion, before: Conversation, text: string): Promise<Conversation> {
  const prompt = ctx.prompts.document(documentData(ctx, node));
  const conversation = withExchange(withoutOpenQuestion(before), 'document', prompt, text);
  await ctx.store.writeConversation(conversation);
  return conversation;
}

function askForDocument(
  { ctx, node, signal }: Expansion,
  conversation: Conversation,
): Promise<KeptAnswer<CheckedDocument>> {
  return ctx.asks.ask(
    {
      purpose: 'document',
      node,
      keep: { conversation },
      words: (before) => nodePrompt(ctx, node, before, documentData(ctx, node), signal),
      check: (text) => readDocument(text, node.title, ctx.prompts.frontMatter),
    },
    signal,
  );
}

/** A node's list, and the agent's session that its children's are forked from. */
interface List {
  readonly children: ProposedChild[];
  readonly leafReason: LeafReason;
  readonly agentSession: string | undefined;
}

/**
 * Returns the list of children: none at the depth limit, else an existing answer, else the document's own, else the
 * model's.
 */
async function makeList({ ctx, node, signal }: Expansion, before: Conversation): Promise<List> {
  const given = listsIn(before);
  const wanted = ctx.askAgain.get(node.id);
  const agentSession = sessionOf(before);
  if (given === 0 && wanted === undefined && node.depth >= ctx.limits.now.maxDepth)
    return { children: [], leafReason: 'depth-limit', agentSession };
  const own = documentList(ctx, before);
  if (own && given === 0 && (wanted ?? 0) === 0) return { children: own, leafReason: 'model', agentSession };
  // The last one given, unless a person wants a further one.
  const nth = Math.max((wanted ?? 0) - Number(own !== undefined), given - 1, 0);
  const { conversation, leafReason, value } = await ctx.asks.ask(
    {
      purpose: 'children',
      node,
      keep: { conversation: before, nth },
      words: (before) => nodePrompt(ctx, node, before, childrenData(ctx, node), signal),
      check: (text) => readChildren(text, ctx.maxChildren),
    },
    signal,
  );
  return { children: value, leafReason: leafReason ?? 'model', agentSession: sessionOf(conversation) };
}

/** Files first: the list, the children's folders, the node's own final status; then the tree in memory. */
async function commitChildren(
  { ctx, node }: Expansion,
  { children: proposals, leafReason, agentSession }: List,
): Promise<void> {
  const children = placeChildren(node, proposals, (title) => ctx.titles?.find(title), ctx.file.longestName);
  const made = await ctx.nodes.add(node, children, 'list-first');
  ctx.titles?.add(made);
  ctx.askAgain.delete(node.id);
  const final =
    children.length > 0 ? { status: 'expanded' as const, leafReason: null } : { status: 'leaf' as const, leafReason };
  const { summary, citations } = node;
  const { quotations } = node.file ?? {};
  await ctx.nodes.change(node, { summary, citations, quotations, failure: null, agentSession, ...final });
}
