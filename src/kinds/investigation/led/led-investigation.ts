import type { SearchFile } from '../../../core/search/search-file.ts';
import { isPruned, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/context.ts';
import { type InvestigationOptions, investigationDescriptor } from '../descriptor.ts';
import { type CommittedNode, type Investigation, suffixOf } from '../protocol/investigation.ts';
import { type OwnFields, ownFieldsOf } from '../run/kept-data.ts';
import { investigationIn, type Lead, leadsIn } from '../run/read-investigation.ts';

/** The most rounds, unless a person wants more. */
const USUAL_ROUNDS = 5;
/** The first round in which the protocol takes a solution. */
const FIRST_FINDING = 4;

/** Tells whether the engine leads an investigation by itself. */
export function isLedByEngine({ options }: Pick<SearchFile, 'options'>): boolean {
  return !investigationDescriptor.isLedOutside(options);
}

/** Returns the rounds of leads that a person wants at least. */
export function minRoundsIn(options: object): number {
  return (options as InvestigationOptions).minRounds ?? 0;
}

/** Returns the default depth of an investigation; one that agents lead has the rounds that its rules need. */
export function usualRounds(options: object): number {
  const { minRounds, sessionId } = options as InvestigationOptions;
  return sessionId ? Math.max(FIRST_FINDING, minRounds || USUAL_ROUNDS) : Math.max(USUAL_ROUNDS, minRounds ?? 0);
}

/**
 * Returns the last round of leads: the depth of the search, but never less than a person wants. Checks may come one
 * later.
 */
export function lastRoundFor(maxDepth: number, minRounds: number): number {
  return Math.max(maxDepth, minRounds, 1);
}

/** An investigation at a moment, and the nodes of its tree. */
export interface Moment {
  readonly at: Investigation;
  readonly tree: Tree;
  readonly leads: readonly Lead[];
  /** The leads that are not pruned, by id. */
  readonly byId: ReadonlyMap<string, Lead>;
  /** The round of the leads that are planned next, and of the checks of those that were looked into. */
  readonly nextRound: number;
  /** The highest round that has leads. */
  readonly leadRound: number;
  readonly minRounds: number;
  readonly lastRound: number;
  /** A rule answers instead of a model: then nobody checks anything. */
  readonly byRule: boolean;
}

/** Returns an investigation as it is now. */
export function momentOf(
  ctx: Pick<SearchContext, 'file' | 'tree' | 'history' | 'limits'> & { readonly byRule?: boolean },
): Moment {
  const { file, tree, history, limits, byRule = false } = ctx;
  const at = investigationIn(file, tree, history.past);
  const leads = leadsIn(tree);
  const remaining = leads.filter(({ node }) => !isPruned(node));
  const byId = new Map(remaining.map((lead) => [lead.own.nodeId, lead]));
  const minRounds = minRoundsIn(file.options);
  const lastRound = lastRoundFor(limits.now.maxDepth, minRounds);
  const their = remaining.filter((lead) => !isCheck(lead));
  const highest = (some: readonly Lead[]): number => Math.max(0, ...some.map(({ own }) => own.round));
  const nextRound = highest(their.filter(({ own }) => own.state !== undefined)) + 1;
  return { at, tree, leads, byId, nextRound, leadRound: highest(their), minRounds, lastRound, byRule };
}

/** Returns the question itself as a lead; undefined as long as it is not looked into, or if it was pruned. */
export function rootLeadOf({ at, byId }: Moment): Lead | undefined {
  return at.nodes.has(ROOT_ID) ? byId.get(ROOT_ID) : undefined;
}

/** Returns the protocol's committed node for a node of the tree; undefined if there is none. */
export function committedOf({ at }: Pick<Moment, 'at'>, node: TreeNode): CommittedNode | undefined {
  const own = ownFieldsOf(node.file?.own);
  return own && at.nodes.get(own.nodeId);
}

/** Tells whether a node checks the claims of the node above it. Older ones tell by their parent and their state. */
export function isCheck({ node, own }: Lead): boolean {
  if (own.role !== undefined) return own.role === 'check';
  return own.state === 'VERIFY' || ownFieldsOf(node.parent?.file?.own)?.state === 'FOUND';
}

/** Returns the check of a lead as it is now: what was looked into again has to be checked again. */
export function checkOf({ leads }: Pick<Moment, 'leads'>, { node, own }: Lead): Lead | undefined {
  return leads.find(
    (each) =>
      each.node.parent === node &&
      isCheck(each) &&
      !isPruned(each.node) &&
      (each.own.state === undefined || (each.own.commit ?? 0) > (own.commit ?? 0)),
  );
}

/** Tells whether an id, or its part behind the round, was ever given, also to a branch that a person took out. */
export function isTakenIn({ at, leads }: Pick<Moment, 'at' | 'leads'>): (id: string) => boolean {
  const ids = [...leads.map(({ own }) => own.nodeId), ...at.nodes.keys(), ...at.pending.keys(), ...at.cutIds];
  const suffixes = new Set(ids.map(suffixOf));
  return (id) => suffixes.has(suffixOf(id));
}

/** Nodes that a person added, or that a kill left without what makes them leads. */
export function straysBelow({ children }: TreeNode): TreeNode[] {
  return children.filter((node) => isOpen(node) && !ownFieldsOf(node.file?.own));
}

/** Returns all nodes that have strays below them. */
export function nodesWithStrays({ root }: Tree): TreeNode[] {
  return [...walk(root)].filter((node) => !isPruned(node) && straysBelow(node).length > 0);
}

/** Tells whether a node is still to be worked on. */
export function isOpen(node: TreeNode): boolean {
  return (node.status === 'unexpanded' || node.status === 'in-progress') && !isPruned(node);
}

/** State of an engine-led investigation for as long as it is open. */
export interface LedSearch extends SearchContext {
  /** Answers follow rules, so no model writes anything. */
  readonly byRule: boolean;
}

/** Where an investigation stands, as its last plan says. */
export type Standing = NonNullable<OwnFields['standing']>;

/** The id of the root. */
export const ROOT_ID = 'R1.A';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The next free id below a node: the round that it belongs to, and its parent's suffix with digits and letters in turn:
 * `R2.A1`, `R3.A1a`, `R5.A1a1`.
 * @param parent the id of a committed node
 */
export function nextId(parent: string, round: number, isTaken: (id: string) => boolean): string {
  const suffix = suffixOf(parent);
  const isNumbered = !/\d$/.test(suffix);
  for (let n = 0; ; n++) {
    const id = `R${round}.${suffix}${isNumbered ? n + 1 : lettersOf(n)}`;
    if (!isTaken(id)) return id;
  }
}

/** `a` to `z`, then `aa`, `ab` and so on. */
function lettersOf(n: number): string {
  const last = LETTERS[n % LETTERS.length] as string;
  return n < LETTERS.length ? last : lettersOf(Math.floor(n / LETTERS.length) - 1) + last;
}
