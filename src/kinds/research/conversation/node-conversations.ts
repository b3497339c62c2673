import {
  answerFor,
  type Conversation,
  isAnswer,
  withExchange,
  withoutOpenQuestion,
} from '../../../core/search/conversation.ts';
import { lineageOf, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { editedDocument } from '../../../engine/calls/edited-document.ts';
import { ROOT_SESSION } from '../../../engine/calls/root-session.ts';
import type { ProposedChild } from '../answers/children-answer.ts';
import { subtopicsIn } from '../answers/document-answer.ts';
import { childrenData, documentData } from '../prompts/topic-data.ts';
import type { ResearchSearch } from '../research-search.ts';

/** One node above another, and its own conversation. */
export interface Above {
  readonly node: TreeNode;
  readonly conversation: Conversation;
  /** It is on disk in this form. */
  readonly isStored: boolean;
}

/** The conversations of all nodes above a node, from the first level down: what its own is forked from. */
export function conversationsAbove(ctx: ResearchSearch, node: TreeNode): Promise<Above[]> {
  const { root } = ctx.tree;
  const above = lineageOf(node).slice(0, -1);
  const isForked = ctx.surveys && node !== root;
  return Promise.all([...(isForked ? [root] : []), ...above].map((each) => conversationOf(ctx, each)));
}

/** A node's own conversation; a lost one (a clone has none) is made again from its files. */
async function conversationOf(ctx: ResearchSearch, node: TreeNode): Promise<Above> {
  const session = node.parent ? node.sessionId : ROOT_SESSION;
  const stored = session === undefined ? undefined : await ctx.store.readConversation(session);
  const conversation = stored ? withoutOpenQuestion(stored) : await rebuilt(ctx, node);
  return { node, conversation, isStored: stored !== undefined };
}

async function rebuilt(ctx: ResearchSearch, node: TreeNode): Promise<Conversation> {
  const lost: Conversation = { id: node.sessionId ?? 'lost', turns: [] };
  if (!node.parent) return lost; // what a survey said is in no file
  const document = await ctx.store.readDocument(pathOf(node));
  if (document === undefined) return lost;
  const asked = ctx.prompts.document(documentData(ctx, node));
  const list = `<output>${JSON.stringify(node.children.map(({ title }) => ({ title })))}</output>`;
  // An agent may still have its own session.
  const session = (await ctx.store.readNodeFile(pathOf(node)))?.agentSession;
  if (ctx.together) return withExchange(lost, 'document', asked, `${document.trimEnd()}\n\n${list}`, { session });
  const told = withExchange(lost, 'document', asked, document);
  return withExchange(told, 'children', ctx.prompts.children(childrenData(ctx, node)), list, { session });
}

/** The conversation in which a node continues: its own if it has one, else a fresh fork of its parent's. */
export async function openConversation(ctx: ResearchSearch, node: TreeNode, id: string): Promise<Conversation> {
  const stored = await ctx.store.readConversation(id);
  if (stored) return stored;
  const parent = node.parent?.parent ? node.parent : undefined;
  const { title } = node;
  const parentId = parent ? parent.sessionId : ctx.surveys ? ROOT_SESSION : undefined;
  const fork: Conversation = { id, ...(parentId === undefined ? {} : { parentId }), title, turns: [] };
  const edited = parent && (await editedDocument(ctx, parent));
  if (parent === undefined || edited === undefined) return fork;
  const prompt = `A person has edited the document on "${parent.title}". It reads now:\n\n${edited}\n\nGo on from this text.`;
  return withExchange(fork, 'edited', prompt, 'Understood.');
}

/** Returns how many lists of children the model has given for a node so far. */
export async function listsGiven(ctx: ResearchSearch, node: TreeNode): Promise<number> {
  const conversation = node.sessionId === undefined ? undefined : await ctx.store.readConversation(node.sessionId);
  return conversation ? listsIn(conversation) + Number(documentList(ctx, conversation) !== undefined) : 0;
}

/** Returns how many lists of children a conversation has besides the one that its document ends with. */
export function listsIn(conversation: Conversation): number {
  return conversation.turns.filter((turn) => isAnswer(turn) && turn.purpose === 'children').length;
}

/** Returns the subtopics that the document of a conversation ends with; undefined if it has none, or they are asked for apart. */
export function documentList(ctx: ResearchSearch, conversation: Conversation): ProposedChild[] | undefined {
  const answer = ctx.together ? answerFor(conversation, 'document') : undefined;
  return answer && subtopicsIn(answer.text, ctx.maxChildren);
}
