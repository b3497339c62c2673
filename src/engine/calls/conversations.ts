import type { Turn } from '../../core/ports/model.ts';
import {
  answerFor,
  type Conversation,
  isAnswer,
  turnOf,
  withExchange,
  withoutOpenQuestion,
} from '../../core/search/conversation.ts';
import { checkDocument } from '../../core/text/document.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { withoutCitationMarks } from '../grounding/mark-document.ts';
import { childrenData, documentData, type SearchContext } from '../search-context.ts';

/** Under which name the root's own exchange is kept: the root has no node.json that could name it. */
export const ROOT_SESSION = 'root';

/** One node above another, and its own conversation. */
export interface Above {
  readonly node: TreeNode;
  readonly conversation: Conversation;
  /** Whether it is on disk as it is here. */
  readonly isStored: boolean;
}

/** All that stand above a node, from the first level down: what its conversation is forked from. */
export function conversationsAbove(ctx: SearchContext, node: TreeNode): Promise<Above[]> {
  const above = lineageOf(node).slice(0, -1);
  return Promise.all(above.map((each) => conversationOf(ctx, each)));
}

export function turnsOf(conversation: Conversation): Turn[] {
  return conversation.turns.map(turnOf);
}

/** A node's own conversation; one that was lost (a clone has none) is made again from its files. */
async function conversationOf(ctx: SearchContext, node: TreeNode): Promise<Above> {
  const stored = node.sessionId === undefined ? undefined : await ctx.store.readConversation(node.sessionId);
  const conversation = stored ? withoutOpenQuestion(stored) : await rebuilt(ctx, node);
  return { node, conversation, isStored: stored !== undefined };
}

async function rebuilt(ctx: SearchContext, node: TreeNode): Promise<Conversation> {
  const lost: Conversation = { id: node.sessionId ?? 'lost', turns: [] };
  const document = await ctx.store.readDocument(pathOf(node));
  if (document === undefined) return lost;
  const told = withExchange(lost, 'document', ctx.prompts.document(documentData(ctx, node)), document);
  const list = JSON.stringify(node.children.map(({ title }) => ({ title })));
  // An agent may still have its own session.
  const session = (await ctx.store.readNodeFile(pathOf(node)))?.agentSession;
  const prompt = ctx.prompts.children(childrenData(ctx, node));
  return withExchange(told, 'children', prompt, `<output>${list}</output>`, { session });
}

/** The conversation that a node goes on with: its own where it has one, else a fresh fork of its parent's. */
export async function openConversation(ctx: SearchContext, node: TreeNode, id: string): Promise<Conversation> {
  const stored = await ctx.store.readConversation(id);
  if (stored) return stored;
  const parent = node.parent?.parent ? node.parent : undefined;
  const fork: Conversation = { id, ...(parent?.sessionId ? { parentId: parent.sessionId } : {}), turns: [] };
  const edited = parent && (await editedDocument(ctx, parent));
  if (parent === undefined || edited === undefined) return fork;
  const prompt = `A person has edited the document on "${parent.title}". It reads now:\n\n${edited}\n\nGo on from this text.`;
  return withExchange(fork, 'edited', prompt, 'Understood.');
}

/** A document's text where a person changed it after the model wrote it. */
export async function editedDocument(ctx: SearchContext, node: TreeNode): Promise<string | undefined> {
  const [text, conversation] = await Promise.all([
    ctx.store.readDocument(pathOf(node)),
    node.sessionId === undefined ? undefined : ctx.store.readConversation(node.sessionId),
  ]);
  const answer = conversation && answerFor(conversation, 'document')?.text;
  if (text === undefined || answer === undefined) return undefined;
  if (sameText(text, answer)) return undefined;
  const made = madeFrom(ctx, node, answer);
  return sameText(text, made) || sameText(unmarked(text), unmarked(made)) ? undefined : text;
}

function madeFrom(ctx: SearchContext, node: TreeNode, answer: string): string {
  try {
    return checkDocument(answer, node.title, ctx.frontMatter).text;
  } catch {
    return answer; // taken as it was: a person wrote it
  }
}

/** Without what a check of its citations wrote into it. */
function unmarked(document: string): string {
  try {
    return withoutCitationMarks(document);
  } catch {
    return document; // front matter that cannot be read is a person's
  }
}

function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n').trimEnd() === b.replaceAll('\r\n', '\n').trimEnd();
}

/** How many lists of children the model has given for a node so far. */
export async function listsGiven(ctx: SearchContext, node: TreeNode): Promise<number> {
  const conversation = node.sessionId === undefined ? undefined : await ctx.store.readConversation(node.sessionId);
  return conversation ? listsIn(conversation) : 0;
}

export function listsIn(conversation: Conversation): number {
  return conversation.turns.filter((turn) => isAnswer(turn) && turn.purpose === 'children').length;
}
