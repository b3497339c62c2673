import type { SearchFile } from '../../../core/search/search-file.ts';
import { isPruned, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import type { InvestigationOptions } from '../face.ts';
import type { CommittedNode, Investigation } from '../protocol/investigation.ts';
import { ownFieldsOf } from '../run/own-fields.ts';
import { investigationIn, type Lead, leadsIn } from '../run/read-investigation.ts';

/** The first round in which the protocol accepts a solution: an investigation that ends earlier cannot find one. */
const FIRST_FINDING = 4;

/**
 * Whether the engine leads an investigation by itself. One that agents lead has an id for their calls, since the server
 * gives it one at its start.
 */
export function isLedByEngine({ options }: Pick<SearchFile, 'options'>): boolean {
  return !(options as InvestigationOptions).sessionId;
}

/** The last round of leads: the depth of the search, but never less than the protocol needs. Checks come one later. */
export function lastRoundFor(maxDepth: number, minRounds: number): number {
  return Math.max(maxDepth, minRounds, FIRST_FINDING);
}

/** An investigation at a moment, and the nodes of its tree. */
export interface Moment {
  readonly at: Investigation;
  readonly tree: Tree;
  readonly leads: readonly Lead[];
  /** The leads that are not pruned, by id. */
  readonly byId: ReadonlyMap<string, Lead>;
  readonly lastRound: number;
}

/** An investigation as it is now. */
export function momentOf(ctx: Pick<SearchContext, 'file' | 'tree' | 'history' | 'limits'>): Moment {
  const { file, tree, history, limits } = ctx;
  const at = investigationIn(file, tree, history.past);
  const leads = leadsIn(tree);
  const remaining = leads.filter(({ node }) => !isPruned(node));
  const byId = new Map(remaining.map((lead) => [lead.own.nodeId, lead]));
  return { at, tree, leads, byId, lastRound: lastRoundFor(limits.now.maxDepth, at.minRounds) };
}

/** The protocol's committed node for a node of the tree; undefined if there is none. */
export function committedOf({ at }: Moment, node: TreeNode): CommittedNode | undefined {
  const own = ownFieldsOf(node.file?.own);
  return own && at.nodes.get(own.nodeId);
}

/** Whether an id was ever given, also to a branch that a person took out. */
export function isTakenIn({ at, leads }: Moment): (id: string) => boolean {
  const ids = new Set(leads.map(({ own }) => own.nodeId));
  return (id) => ids.has(id) || at.nodes.has(id) || at.pending.has(id) || at.cutIds.has(id);
}

/** Nodes that a person added, or that a kill left without what makes them leads. */
export function straysBelow({ children }: TreeNode): TreeNode[] {
  return children.filter((node) => isOpen(node) && !ownFieldsOf(node.file?.own));
}

/** All nodes that have strays below them. */
export function nodesWithStrays({ root }: Tree): TreeNode[] {
  return [...walk(root)].filter((node) => !isPruned(node) && straysBelow(node).length > 0);
}

/** Whether a node is still to be worked on. */
export function isOpen(node: TreeNode): boolean {
  return (node.status === 'unexpanded' || node.status === 'in-progress') && !isPruned(node);
}

/** State of an engine-led investigation for as long as it is open. */
export interface LedSearch extends SearchContext {
  /** Whether answers follow rules, so that no model writes anything. */
  readonly byRule: boolean;
}
