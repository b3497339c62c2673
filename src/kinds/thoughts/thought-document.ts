import { parseDocument, writeDocument } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { Thought } from './prompts/thought-messages.ts';
import type { ThoughtPath } from './tasks/task.ts';
import { thoughtId } from './thought-id.ts';
import type { ThoughtSearch } from './thought-search.ts';

const LONGEST_TITLE = 120;

/** A shortened thought, for lists. */
export function titleOf(content: string): string {
  return oneLine(content, LONGEST_TITLE) || 'Untitled';
}

/** A thought as a document: front matter in the source's terms, made by us, then the thought itself. */
export function documentOf(thought: Thought, id: string, parentId: string, depth: number): string {
  const action = thought.action_type === undefined ? {} : { action_type: thought.action_type };
  const metadata = thought.metadata === undefined ? {} : { metadata: thought.metadata };
  return writeDocument({ id, parent_id: parentId, depth, ...action, ...metadata }, thought.content);
}

/** The thought in a node's document; a person may have edited it. Without one, its title is the thought. */
export async function thoughtAt(ctx: ThoughtSearch, node: TreeNode): Promise<Thought> {
  if (!node.parent) return { content: ctx.start };
  const text = await ctx.store.readDocument(pathOf(node));
  if (text === undefined) return { content: node.title };
  try {
    const { data, body } = parseDocument(text);
    const action = typeof data['action_type'] === 'string' ? oneLine(data['action_type'], 100) : '';
    return { content: body.trim().slice(0, 20_000) || node.title, ...(action ? { action_type: action } : {}) };
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
