import { marksOf, type NodeMarks } from '../../core/citations/citation-marks.ts';
import type { MoveResult } from '../../core/kind/strategy.ts';
import {
  answerFor,
  type Conversation,
  sessionOf,
  withExchange,
  withoutOpenQuestion,
} from '../../core/search/conversation.ts';
import { type CheckedDocument, checkDocument } from '../../core/text/document.ts';
import type { LeafReason } from '../../core/tree/node-status.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { sessionOf as nodeSession } from '../../engine/calls/node-session.ts';
import type { KeptAnswer } from '../../engine/calls/question.ts';
import { citedDocument, standingMarks } from '../../engine/grounding/cite-document.ts';
import { type ProposedChild, readChildren } from './answers/children-answer.ts';
import { readDocument } from './answers/document-answer.ts';
import { documentList, listsIn, openConversation } from './conversation/node-conversations.ts';
import { nodeWords } from './conversation/node-words.ts';
import { placeChildren } from './place-children.ts';
import { childrenData, documentData } from './prompts/topic-data.ts';
import type { ResearchSearch } from './research-search.ts';

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
export async function expandNode(ctx: ResearchSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
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
      words: (before) => nodeWords(ctx, node, before, documentData(ctx, node), signal),
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

/** The list of children: none at the depth limit, else an existing answer, else the document's own, else the model's. */
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
      words: (before) => nodeWords(ctx, node, before, childrenData(ctx, node), signal),
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
