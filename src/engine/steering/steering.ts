import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Size } from '../../core/search/limits.ts';
import type { SteerAction } from '../../core/search/steer.ts';
import { isPruned, type NodeId, nodeAt, type TreeNode, walk } from '../../core/tree/tree.ts';
import { inPruned, noNode } from '../messages.ts';
import type { SearchContext } from '../search-context.ts';

/** What steering needs of a search besides its parts. */
export interface Steering {
  readonly ctx: SearchContext;
  /** Who asks, for the journal. */
  readonly by: string;
  /** Stops the moves that work on these nodes; resolves when the last one has let go. */
  readonly release: (nodes: ReadonlySet<NodeId>) => Promise<void>;
  /** Has a node worked on next, whatever ranking and size say. */
  readonly wish: (node: NodeId) => void;
  /** Lets the strategy go so far. */
  readonly setSize: (size: Size) => void;
}

/** An action on a node, carried out; returns what to say of it. */
export type Steer<A extends SteerAction['action']> = (
  steering: Steering,
  action: Extract<SteerAction, { action: A }>,
) => Promise<Message>;

/**
 * The node a person means.
 * @throws ThoughtTreeError `bad-input` where there is none
 */
export function nodeFor(ctx: SearchContext, path: string): TreeNode {
  const node = nodeAt(ctx.tree, path.replace(/^\/+|\/+$/g, '').normalize('NFC'));
  if (node?.parent) return node;
  throw new ThoughtTreeError('bad-input', noNode({ path }));
}

export function refuseWherePruned(node: TreeNode): void {
  if (isPruned(node)) throw new ThoughtTreeError('bad-input', inPruned({ title: node.title }));
}

/** The ids of a node and all below it. */
export function branchOf(node: TreeNode): Set<NodeId> {
  return new Set([...walk(node)].map(({ id }) => id));
}
