import { type ParsedDocument, parseDocument, writeDocument } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { activeMarkdown, inertMarkdown } from '../../engine/grounding/inert-markdown.ts';
import type { Thought } from './prompts/thought-messages.ts';
import type { ThoughtPath } from './tasks/task.ts';
import { thoughtId } from './thought-id.ts';
import type { ThoughtSearch } from './thought-search.ts';

const LONGEST_TITLE = 120;

/** Returns a thought's name in lists: its title, else its beginning. */
export function titleOf({ title, content }: Pick<Thought, 'title' | 'content'>): string {
  return title || oneLine(content, LONGEST_TITLE) || 'Untitled';
}

/** A thought as a document: front matter in the source's terms, made by us, then the thought itself. */
export function documentOf(thought: Thought, id: string, parentId: string, depth: number): string {
  const action = thought.action_type === undefined ? {} : { action_type: thought.action_type };
  const state = thought.leads_to === undefined ? {} : { leads_to: thought.leads_to };
  const metadata = thought.metadata === undefined ? {} : { metadata: thought.metadata };
  const { escaped, body } = bodyOf(thought.content);
  return writeDocument({ id, parent_id: parentId, depth, ...action, ...state, ...metadata, ...escaped }, body);
}

/** A thought as the body of its document: nothing in it is loaded or run when it is shown; `escaped` in the front matter says so. */
export function bodyOf(content: string): { body: string; escaped: { escaped?: true } } {
  const body = inertMarkdown(content);
  return { body, escaped: body === content ? {} : { escaped: true } };
}

/** The thought in a document's body, as the model said it. */
export function contentOf({ data, body }: ParsedDocument): string {
  return data['escaped'] === true ? activeMarkdown(body) : body;
}

/** The thought in a node's document; a person may have edited it. Without one, its title is the thought. */
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

/** The thoughts from the first level down to a node, including its own; empty for the root. */
export function thoughtsTo(ctx: ThoughtSearch, node: TreeNode): Promise<Thought[]> {
  return Promise.all(lineageOf(node).map((each) => thoughtAt(ctx, each)));
}

/** The argument of hooks. */
export async function pathTo(ctx: ThoughtSearch, node: TreeNode): Promise<ThoughtPath> {
  return { problem: ctx.file.prompt, thoughts: await thoughtsTo(ctx, node) };
}

/** The id of a node's parent in messages and front matter. */
export function parentIdOf(node: TreeNode): string {
  return node.parent ? thoughtId(node.parent) : 'root';
}
