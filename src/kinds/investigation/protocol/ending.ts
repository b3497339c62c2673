import { type CommittedNode, childrenOf, type Investigation } from './investigation.ts';
import { type Profile, profileOf, ruleOf, type State, type StateRule } from './profiles.ts';

/** The rules besides the investigation by which an end is decided. */
interface EndRules {
  /** Rounds before which it cannot end; by default the investigation's. */
  readonly minRounds?: number | undefined;
  /** An investigation with few rounds may have leads with a single child. */
  readonly isLenient?: boolean | undefined;
}

/** Says why an investigation cannot end now, in words; undefined if it can. */
export function whyNotEnd(at: Investigation, rules: EndRules = {}): string | undefined {
  const profile = profileOf(at);
  const { minRounds = at.minRounds, isLenient = isShort(profile, minRounds) } = rules;
  if (at.currentRound < minRounds) return tooFewRounds(at, profile, minRounds);
  const lacks = lacking(at, profile.endNeeds, { isLenient });
  if (lacks.length > 0)
    return `BLOCKED: ${lacks.length} ${lacks.length === 1 ? 'node needs' : 'nodes need'} more children: ${lacks.map((lack) => lackInWords(at, lack)).join(', ')}`;
  return openExhaust(at, profile) ?? notCommitted(at);
}

/** Tells whether so few rounds are asked for that `g3` is content with less. */
export function isShort({ leadsOnlyAt }: Profile, minRounds: number): boolean {
  return leadsOnlyAt !== undefined && minRounds < 4;
}

function tooFewRounds(at: Investigation, profile: Profile, minRounds: number): string {
  const rounds = `round ${at.currentRound} of at least ${minRounds}`;
  if (!isStuck(at, profile)) return `BLOCKED: this is ${rounds}. Continue with nodes of the next round.`;
  if (!profile.hasStrictIds)
    return `RECOVERY_REQUIRED: all nodes are terminal in ${rounds}. Propose new roots: R1.F, R1.G and so on.`;
  const ended = [...at.nodes.values()].filter(({ state }) => state === 'DEAD').map(({ id }) => id);
  const which = ended.length > 0 ? `, such as ${ended.at(-1)},` : '';
  return `RECOVERY_REQUIRED: nothing is left open in ${rounds}. Reclassify a branch${which} with tot_reclassify to EXPLORE, and propose children for it.`;
}

/** Tells whether nothing is left that would lead to another round. */
function isStuck(at: Investigation, profile: Profile): boolean {
  if (at.nodes.size === 0) return false;
  const states = [...at.nodes.values()];
  if (!profile.hasStrictIds) return states.every(({ state }) => ruleOf(profile, state).isTerminal);
  return at.pending.size === 0 && lacking(at, profile.endNeeds).length === 0;
}

function openExhaust(at: Investigation, profile: Profile): string | undefined {
  if (!profile.states.EXHAUST) return undefined;
  const open = [...at.nodes.values()].filter(
    (node) => node.state === 'EXHAUST' && childrenOf(at, node).some(({ state }) => state !== 'DEAD'),
  );
  if (open.length === 0) return undefined;
  return `BLOCKED: EXHAUST nodes have children that are not DEAD: ${open.map(({ id }) => id).join(', ')}`;
}

function notCommitted({ pending }: Investigation): string | undefined {
  if (pending.size === 0) return undefined;
  return `BLOCKED: proposals are not committed: ${[...pending.keys()].join(', ')}`;
}

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

/** Returns the nodes in some states that lack children, in the order of their commits. */
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

/** Returns one lack in words. */
export function lackInWords(at: Investigation, { node, has, needs, isRefuted: refuted }: Lacking): string {
  const { asksFor } = ruleOf(profileOf(at), node.state);
  const kind = asksFor ? `${asksFor} ` : '';
  const why = refuted ? ', refuted by a check that failed' : '';
  return `${node.id} (${node.state}${why}: has ${has}, needs ${needs} ${kind}${needs === 1 ? 'child' : 'children'})`;
}
