import { type CommittedNode, childrenOf, type Investigation } from './investigation.ts';
import { type Profile, profileOf, ruleOf, type State, type StateRule } from './profiles.ts';

/** A node that needs more children than it has. */
export interface Lacking {
  readonly node: CommittedNode;
  readonly has: number;
  readonly needs: number;
  /** A check of it failed, and none was made since. */
  readonly isRefuted: boolean;
}

/** The way in which the children of a node are counted. */
interface Counting {
  /** A lead with a single child has enough, as in a short investigation of `g3`. */
  readonly isLenient?: boolean | undefined;
}

/** Returns the number of children that a state asks for in a round. */
function neededChildren({ needs = [] }: StateRule, round: number): number {
  return needs.findLast(({ from }) => round >= from)?.children ?? 0;
}

/** Tells whether a check of a node failed, and no later commit checked it again. */
export function isRefuted(at: Investigation, node: CommittedNode): boolean {
  const { refutedBy, counts } = ruleOf(profileOf(at), node.state);
  if (!refutedBy) return false;
  const children = childrenOf(at, node);
  const failed = Math.max(0, ...children.filter(({ state }) => state === refutedBy).map(({ commit }) => commit));
  return failed > 0 && !children.some(({ state, commit }) => counts?.includes(state) && commit > failed);
}

/** Counts those children of a node that it needs. */
function countedChildren(at: Investigation, node: CommittedNode): number {
  const { counts } = ruleOf(profileOf(at), node.state);
  if (isRefuted(at, node)) return 0;
  return childrenOf(at, node).filter(({ state }) => counts?.includes(state) ?? true).length;
}

/** Returns what a node lacks; undefined if nothing. */
export function lackOf(at: Investigation, node: CommittedNode, { isLenient }: Counting = {}): Lacking | undefined {
  const profile = profileOf(at);
  const usual = neededChildren(ruleOf(profile, node.state), node.round);
  const needs = isLenient && node.state === profile.open ? Math.min(1, usual) : usual;
  const has = countedChildren(at, node);
  return has < needs ? { node, has, needs, isRefuted: isRefuted(at, node) } : undefined;
}

/** The nodes in some states that lack children, in the order of their commits. */
export function lacking(at: Investigation, states: readonly State[], counting: Counting = {}): Lacking[] {
  return [...at.nodes.values()].flatMap((node) =>
    states.includes(node.state) ? (lackOf(at, node, counting) ?? []) : [],
  );
}

/** The states of a profile whose nodes may have children. */
export function growingStates(profile: Profile): State[] {
  return (Object.keys(profile.states) as State[]).filter((state) => !ruleOf(profile, state).isTerminal);
}

/** Counts the children that are missing in all. */
export function sumOf(lacks: readonly Lacking[]): number {
  return lacks.reduce((sum, { needs, has }) => sum + needs - has, 0);
}

/** One lack in words. */
export function lackInWords(at: Investigation, { node, has, needs, isRefuted: refuted }: Lacking): string {
  const { asksFor } = ruleOf(profileOf(at), node.state);
  const kind = asksFor ? `${asksFor} ` : '';
  const why = refuted ? ', refuted by a check that failed' : '';
  return `${node.id} (${node.state}${why}: has ${has}, needs ${needs} ${kind}${needs === 1 ? 'child' : 'children'})`;
}
