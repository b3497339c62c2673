import { type Conversation, type ConversationTurn, isAnswer } from '../../core/search/conversation.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { type ParsedDocument, parseDocument, writeDocument } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { KeptAnswers } from '../../engine/kind.ts';
import { activeMarkdown, inertMarkdown } from '../../engine-parts/citations/inert-markdown.ts';
import { ROOT_SESSION } from '../../engine-parts/transcripts/conversations.ts';
import { CANDIDATES } from './descriptor.ts';
import { readDraft, readThoughts } from './prompts/thought-answers.ts';
import type { Thought } from './prompts/thought-messages.ts';
import type { ThoughtPath } from './tasks/task.ts';
import { combineSession, drawSession, isCombined, roundSession, thoughtId } from './thought-node.ts';
import type { ThoughtSearch } from './thought-search.ts';

const LONGEST_TITLE = 120;

/** Returns a thought's name in lists: its title, else its beginning. */
export function titleOf({ title, content }: Pick<Thought, 'title' | 'content'>): string {
  return title || oneLine(content, LONGEST_TITLE) || 'Untitled';
}

/** Returns a thought as a document: front matter in the source's terms, made by us, then the thought itself. */
export function documentOf(thought: Thought, id: string, parentId: string, depth: number): string {
  const action = thought.action_type === undefined ? {} : { action_type: thought.action_type };
  const state = thought.leads_to === undefined ? {} : { leads_to: thought.leads_to };
  const metadata = thought.metadata === undefined ? {} : { metadata: thought.metadata };
  const { escaped, body } = bodyOf(thought.content);
  return writeDocument({ id, parent_id: parentId, depth, ...action, ...state, ...metadata, ...escaped }, body);
}

/**
 * Returns a thought as the body of its document: nothing in it is loaded or run when it is shown; `escaped` in the
 * front matter says so.
 */
export function bodyOf(content: string): { body: string; escaped: { escaped?: true } } {
  const body = inertMarkdown(content);
  return { body, escaped: body === content ? {} : { escaped: true } };
}

/** Returns the thought in a document's body, as the model said it. */
export function contentOf({ data, body }: ParsedDocument): string {
  return data['escaped'] === true ? activeMarkdown(body) : body;
}

/** Returns the thought in a node's document; a person may have edited it. Without one, its title is the thought. */
export async function thoughtAt(ctx: ThoughtSearch, node: TreeNode): Promise<Thought> {
  if (!node.parent) return { content: ctx.start };
  const text = await ctx.store.readDocument(pathOf(node));
  if (text === undefined) return { content: node.title };
  try {
    const document = parseDocument(text);
    const { data } = document;
    const line = (name: string, longest: number): string =>
      typeof data[name] === 'string' ? oneLine(data[name], longest) : '';
    const [action, state] = [line('action_type', 100), line('leads_to', 2000)];
    const content = contentOf(document).trim().slice(0, 20_000) || node.title;
    return {
      content,
      ...(node.title === titleOf({ content }) ? {} : { title: node.title }),
      ...(action ? { action_type: action } : {}),
      ...(state ? { leads_to: state } : {}),
    };
  } catch {
    return { content: text.trim().slice(0, 20_000) || node.title }; // damaged front matter must not lose the thought
  }
}

/** Returns the thoughts from the first level down to a node, including its own; empty for the root. */
export function thoughtsTo(ctx: ThoughtSearch, node: TreeNode): Promise<Thought[]> {
  return Promise.all(lineageOf(node).map((each) => thoughtAt(ctx, each)));
}

/** Returns the argument of hooks. */
export async function pathTo(ctx: ThoughtSearch, node: TreeNode): Promise<ThoughtPath> {
  return { problem: ctx.file.prompt, thoughts: await thoughtsTo(ctx, node) };
}

/** The id of a node's parent in messages and front matter. */
export function parentIdOf(node: TreeNode): string {
  return node.parent ? thoughtId(node.parent) : 'root';
}

/**
 * Returns a thought's document, made from the answer in the conversation of the thought above it; by default from its
 * title.
 */
export async function documentAgain(node: TreeNode, { store }: KeptAnswers): Promise<string | undefined> {
  const made = (thought: Thought): string => documentOf(thought, thoughtId(node), parentIdOf(node), node.depth);
  let first: string | undefined;
  for await (const thought of thoughtsFor(node, store)) {
    if (titleOf(thought) !== node.title) continue;
    const document = made(thought);
    // A title is only the beginning of a thought, and several may begin alike.
    if (store.hashOf(document) === node.document) return document;
    first ??= document;
  }
  return first ?? made({ content: node.title });
}

/** Tells whether a turn of a conversation is about making thoughts, steps or drafts. */
export function isThoughts({ purpose }: ConversationTurn): boolean {
  return purpose === 'generate' || purpose === 'write-draft';
}

/** The most rounds at one node whose draws are looked for, and that are missing in a row of those with their own conversation. */
const MOST_ROUNDS = 20;

/** Yields the thoughts that a node may be: those answered in the conversation above it, then those of its draws. */
async function* thoughtsFor(node: TreeNode, store: KeptAnswers['store']): AsyncIterable<Thought> {
  const combined = isCombined(node) ? await store.readConversation(combineSession(node)) : undefined;
  if (combined) return yield* thoughtsIn(combined);
  const session = node.parent?.parent ? node.parent.sessionId : ROOT_SESSION;
  if (session === undefined) return;
  yield* thoughtsIn(await store.readConversation(session));
  for (let round = 1, missing = 0; missing < MOST_ROUNDS; round++, missing++) {
    const conversation = await store.readConversation(roundSession(session, round));
    if (conversation) missing = 0;
    yield* thoughtsIn(conversation);
  }
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    // A draw that failed left no conversation, and others of its round did.
    const draws = Array.from({ length: CANDIDATES.most }, (_, draw) =>
      store.readConversation(drawSession(session, round, draw)),
    );
    for (const drawn of await Promise.all(draws)) yield* thoughtsIn(drawn);
  }
}

function thoughtsIn(conversation: Conversation | undefined): Thought[] {
  const answers = conversation?.turns.filter((turn) => isThoughts(turn) && isAnswer(turn)) ?? [];
  return answers.flatMap(({ text, purpose }) => {
    try {
      return purpose === 'write-draft' ? readDraft(text) : readThoughts(text, Number.POSITIVE_INFINITY);
    } catch (error) {
      if (isThoughtTreeError(error, 'bad-answer')) return []; // a person may have changed it
      throw error;
    }
  });
}
