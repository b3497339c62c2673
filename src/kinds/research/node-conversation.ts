import type { Model, Topic, Turn } from '../../core/ports/model.ts';
import { withoutToolTurns } from '../../core/ports/tool.ts';
import {
  answerFor,
  type Conversation,
  isAnswer,
  turnOf,
  withExchange,
  withoutOpenQuestion,
} from '../../core/search/conversation.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { bytesOf } from '../../engine/limits.ts';
import { contextTooLong } from '../../engine/messages.ts';
import { answerThatFits } from '../../engine-parts/report/written-answer.ts';
import { ROOT_SESSION } from '../../engine-parts/transcripts/conversations.ts';
import { editedDocument } from '../../engine-parts/transcripts/edited-document.ts';
import type { ProposedChild } from './answers.ts';
import { subtopicsIn, withOtherText } from './document-answer.ts';
import type { ChildrenData, DocumentData } from './prompts.ts';
import type { ResearchSearch } from './research-search.ts';

/** One node above another, and its own conversation. */
export interface Above {
  readonly node: TreeNode;
  readonly conversation: Conversation;
  /** It is on disk in this form. */
  readonly isStored: boolean;
}

/** Returns the conversations of all nodes above a node, from the first level down: what its own is forked from. */
export function conversationsAbove(ctx: ResearchSearch, node: TreeNode): Promise<Above[]> {
  const { root } = ctx.tree;
  const above = lineageOf(node).slice(0, -1);
  const isForked = ctx.surveys && node !== root;
  return Promise.all([...(isForked ? [root] : []), ...above].map((each) => conversationOf(ctx, each)));
}

/** Returns a node's own conversation; a lost one (a clone has none) is made again from its files. */
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

/** Returns the conversation in which a node continues: its own if it has one, else a fresh fork of its parent's. */
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

/** Returns what a document's prompt is made from. */
export function documentData(search: ResearchSearch, node: TreeNode): DocumentData {
  const { surveys, together, maxChildren, limits } = search;
  const hasList = together && node.depth < limits.now.maxDepth;
  return {
    purpose: 'document',
    ...topicData(search, node),
    why: node.evaluation?.reasoning,
    isForked: surveys,
    subtopics: hasList ? maxChildren : undefined,
  };
}

/** Returns what the prompt for a list of children is made from. */
export function childrenData(search: ResearchSearch, node: TreeNode): ChildrenData {
  const { maxChildren, surveys } = search;
  return {
    purpose: 'children',
    maxChildren,
    surveys: surveys && node.parent === undefined,
    ...topicData(search, node),
  };
}

function topicData(search: ResearchSearch, node: TreeNode): { question: string; folder: string; lineage: Topic[] } {
  const folder = [search.folder, pathOf(node)].filter((part) => part !== '').join('/');
  return { question: search.file.prompt, folder, lineage: topicsOf(node) };
}

/** Returns the topics from the first level down to a node, as models see them. */
function topicsOf(node: TreeNode): Topic[] {
  return lineageOf(node).map((each) => ({
    title: each.title,
    siblings: (each.parent?.children ?? []).map((sibling) => sibling.title),
    index: each.index,
  }));
}

/** Tokens that every message takes in addition to its text. */
const TOKENS_A_MESSAGE = 16;

/** A request before it is known whether it fits. */
export interface Fitting {
  readonly model: Pick<Model, 'name' | 'contextTokens'>;
  readonly node: TreeNode;
  /** From the first level down; the nearest last. */
  readonly above: readonly Above[];
  /** The node's own turns. */
  readonly own: readonly Turn[];
  readonly system: string;
  readonly prompt: string;
  /** The longest answer wanted, in tokens. */
  readonly maxOutputTokens: number;
  /** The room for reasoning besides it, in tokens; none by default. */
  readonly thinking?: number;
  /** Estimates the tokens of so many bytes. */
  readonly tokensOf: (bytes: number) => number;
}

/** The request as it is sent. */
export interface Fitted {
  readonly turns: readonly Turn[];
  /** The number of turns that come from above. */
  readonly shared: number;
  readonly maxOutputTokens: number;
  /** The parts that were sent shortened, if necessary: slug paths, and the estimated tokens of the whole before. */
  readonly shortened?: {
    readonly documents: string[];
    readonly lists: string[];
    readonly tokens: number;
    readonly room: number;
  };
}

/**
 * Makes a conversation fit into its model: the documents above are replaced by their summaries, the most distant first and
 * the parent's last; then the lists of children are reduced to the one entry that leads down here, in the same order; then all
 * of it goes, in the same order.
 * Siblings share what is sent of the nodes above, so that caches still serve it.
 * @throws ThoughtTreeError `bad-request` if even that is too long
 */
export function fitContext(fitting: Fitting): Fitted {
  const { model, above, own } = fitting;
  const parts = above.map(({ conversation }) => conversation.turns);
  const shared = parts.reduce((sum, turns) => sum + turns.length, 0);
  const whole = { turns: [...plain(parts), ...own], shared };
  if (model.contextTokens === undefined) return { ...whole, maxOutputTokens: fitting.maxOutputTokens };
  const room = model.contextTokens - (fitting.thinking ?? 0);
  const maxOutputTokens = answerThatFits(model, fitting.maxOutputTokens);
  const tokens = tokensOf(fitting, parts, maxOutputTokens);
  if (tokens <= room) return { ...whole, maxOutputTokens };
  // Uses of tools above go first: their results are reflected in the documents.
  for (const [index, turns] of parts.entries()) parts[index] = withoutToolTurns(turns);
  const documents: string[] = [];
  const lists: string[] = [];
  const gone: string[] = [];
  for (const [gaveWay, shorten] of [
    [documents, withoutDocument],
    [lists, withoutList],
    // In a very short context a topic stands alone: its prompt says what it is about, and the system text the question.
    [gone, withoutAll],
  ] as const)
    for (const [index, { node }] of above.entries()) {
      if (tokensOf(fitting, parts, maxOutputTokens) <= room) break;
      const next = above[index + 1]?.node ?? fitting.node;
      parts[index] = shorten(parts[index] ?? [], node, next);
      gaveWay.push(pathOf(node));
    }
  const least = tokensOf(fitting, parts, maxOutputTokens);
  if (least > room) throw tooLong(fitting, least, room);
  const shortened = { documents, lists, tokens, room };
  return { turns: [...plain(parts), ...own], shared: parts.flat().length, maxOutputTokens, shortened };
}

type Turns = Conversation['turns'];

function plain(parts: readonly Turns[]): Turn[] {
  return parts.flat().map(turnOf);
}

function tokensOf(
  { own, system, prompt, tokensOf: estimate }: Fitting,
  parts: readonly Turns[],
  answer: number,
): number {
  const turns = [...plain(parts), ...own];
  return estimate(bytesOf({ system, turns, prompt })) + TOKENS_A_MESSAGE * (turns.length + 2) + answer;
}

/** Returns the turns with the document, and a person's version of the one above it, as their summaries. */
function withoutDocument(turns: Turns, node: TreeNode): Turns {
  return turns.map((turn) => {
    if (isAnswer(turn) && turn.purpose === 'document')
      return { ...turn, text: withOtherText(turn.text, inShort(node)) };
    if (turn.role !== 'user' || turn.purpose !== 'edited' || !node.parent) return turn;
    return { ...turn, text: `A person has edited the document on "${node.parent.title}". ${summaryOf(node.parent)}` };
  });
}

/** Returns the turns with lists that only name the topic that leads on. */
function withoutList(turns: Turns, node: TreeNode, next: TreeNode): Turns {
  const list = `<output>${JSON.stringify([{ title: next.title }])}</output>`;
  return turns.map((turn) => {
    if (!isAnswer(turn)) return turn;
    if (turn.purpose === 'children') return { ...turn, text: list };
    const hasList = turn.purpose === 'document' && withOtherText(turn.text, '') !== '';
    return hasList ? { ...turn, text: `${inShort(node)}\n${list}` } : turn;
  });
}

function withoutAll(): Turns {
  return [];
}

function inShort(node: TreeNode): string {
  const front = `title: ${JSON.stringify(node.title)}\nsummary: ${JSON.stringify(node.summary ?? '')}`;
  return `---\n${front}\n---\n\n(The rest of this document is left out here to save room.)\n`;
}

function summaryOf({ summary }: TreeNode): string {
  return summary ? `In short it says: ${summary}` : 'It is left out here to save room.';
}

function tooLong({ model, node }: Fitting, tokens: number, room: number): ThoughtTreeError {
  const what = contextTooLong({ title: node.title, tokens, model: model.name, room });
  return new ThoughtTreeError('bad-request', what, { charged: false });
}
