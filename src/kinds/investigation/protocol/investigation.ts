import type { ProfileName, State } from './profiles.ts';

/** A node whose findings are committed. */
export interface CommittedNode {
  readonly id: string;
  readonly parent: string | null;
  readonly state: State;
  readonly title: string;
  readonly round: number;
  /** Its committed children, oldest first. */
  readonly children: readonly string[];
  /** Which commit of the investigation it came with, from 1; later ones know what earlier ones found. */
  readonly commit: number;
  readonly agentId?: string | undefined;
  /** The session file of its agent was found. */
  readonly isVerified?: boolean | undefined;
}

/** A node that is proposed and not committed yet. */
export interface Proposal {
  readonly id: string;
  readonly parent: string | null;
  readonly title: string;
  readonly plannedAction: string;
  /** In milliseconds since 1970. */
  readonly proposedAt: number;
}

/** The choices with which an investigation was started. */
export interface Setup {
  readonly profile: ProfileName;
  readonly sessionId: string;
  readonly query: string;
  readonly projectDir: string;
  /** The number of roots that the first round needs, for profiles that ask for several. */
  readonly minRoots: number;
  readonly mode: string;
  /** Rounds before which it cannot end. */
  readonly minRounds: number;
  readonly allowEarlyTerminal: boolean;
  /** A node without an agent that was found is refused. */
  readonly requireAgents: boolean;
}

/** The state that changes from call to call besides the nodes. */
export interface Progress {
  readonly currentRound: number;
  readonly currentBatch: number;
  readonly minRounds: number;
  readonly allowEarlyTerminal: boolean;
  /** The number of commits so far. */
  readonly commits: number;
  readonly hasEnded: boolean;
}

/** An investigation at one moment, as the protocol sees it. */
export interface Investigation extends Setup, Progress {
  readonly nodes: ReadonlyMap<string, CommittedNode>;
  readonly pending: ReadonlyMap<string, Proposal>;
  /** Agents whose ids were given with committed nodes. */
  readonly usedAgents: ReadonlySet<string>;
  /** Ids of nodes that a person took out of the investigation: they count for nothing, and are not given again. */
  readonly cutIds: ReadonlySet<string>;
}

/** The result of one node, accepted. */
export interface AcceptedResult {
  readonly id: string;
  readonly state: State;
  readonly findings: string;
  readonly agentId?: string | undefined;
  readonly isVerified?: boolean | undefined;
}

/** The change that an accepted call makes; all of it, or nothing. */
export type Change =
  | { readonly do: 'propose'; readonly nodes: readonly Proposal[]; readonly progress: Progress }
  | { readonly do: 'commit'; readonly results: readonly AcceptedResult[]; readonly progress: Progress }
  | { readonly do: 'reclassify'; readonly id: string; readonly state: State; readonly progress: Progress }
  | { readonly do: 'end'; readonly progress: Progress };

/** Returns the progress of an investigation that has just begun. */
export function progressAtStart({ minRounds, allowEarlyTerminal }: Setup): Progress {
  return { currentRound: 1, currentBatch: 0, minRounds, allowEarlyTerminal, commits: 0, hasEnded: false };
}

/** Returns an investigation without nodes. */
export function emptyInvestigation(setup: Setup): Investigation {
  const nothing = { nodes: new Map(), pending: new Map(), usedAgents: new Set<string>(), cutIds: new Set<string>() };
  return { ...setup, ...progressAtStart(setup), ...nothing };
}

/** Returns the progress of an investigation. */
export function progressOf(at: Investigation): Progress {
  const { currentRound, currentBatch, minRounds, allowEarlyTerminal, commits, hasEnded } = at;
  return { currentRound, currentBatch, minRounds, allowEarlyTerminal, commits, hasEnded };
}

/** Returns the round in a node's id. */
export function roundOf(id: string): number {
  return Number(/^R(\d+)/.exec(id)?.[1] ?? 0);
}

/** Returns the part of a node's id behind its round. */
export function suffixOf(id: string): string {
  return id.slice(id.indexOf('.') + 1);
}

/** Returns the committed children of a node. */
export function childrenOf({ nodes }: Investigation, { children }: CommittedNode): CommittedNode[] {
  return children.flatMap((id) => nodes.get(id) ?? []);
}

/** Returns an investigation after a change. Applying a change twice is the same as applying it once. */
export function changed(at: Investigation, change: Change): Investigation {
  const next = { ...at, ...change.progress };
  if (change.do === 'propose') return { ...next, pending: withProposals(at, change.nodes) };
  if (change.do === 'commit') return { ...next, ...withResults(at, change.results, change.progress.commits) };
  if (change.do === 'end') return next;
  const node = at.nodes.get(change.id);
  return node ? { ...next, nodes: new Map(at.nodes).set(node.id, { ...node, state: change.state }) } : next;
}

function withProposals({ pending, nodes }: Investigation, proposals: readonly Proposal[]): Map<string, Proposal> {
  const all = new Map(pending);
  for (const proposal of proposals) if (!nodes.has(proposal.id)) all.set(proposal.id, proposal);
  return all;
}

function withResults(
  at: Investigation,
  results: readonly AcceptedResult[],
  commit: number,
): Pick<Investigation, 'nodes' | 'pending' | 'usedAgents'> {
  const nodes = new Map(at.nodes);
  const pending = new Map(at.pending);
  const usedAgents = new Set(at.usedAgents);
  for (const { id, state, agentId, isVerified } of results) {
    const proposal = pending.get(id);
    if (!proposal) continue; // it is committed already
    const { parent, title } = proposal;
    pending.delete(id);
    nodes.set(id, { id, parent, state, title, round: roundOf(id), children: [], commit, agentId, isVerified });
    const above = parent === null ? undefined : nodes.get(parent);
    if (above) nodes.set(above.id, { ...above, children: [...above.children, id] });
    if (agentId) usedAgents.add(agentId);
  }
  return { nodes, pending, usedAgents };
}

/** The code of a broken rule, for programs. */
export type ErrorCode =
  | 'SESSION_NOT_FOUND'
  | 'INVALID_ID_FORMAT'
  | 'DUPLICATE_ID'
  | 'DUPLICATE_IN_BATCH'
  | 'PARENT_NOT_FOUND'
  | 'TERMINAL_PARENT'
  | 'NOT_PROPOSED'
  | 'NODE_NOT_FOUND'
  | 'HAS_CHILDREN'
  | 'MISSING_AGENT'
  | 'REUSED_AGENT'
  | 'FAKE_AGENT'
  | 'UNVERIFIED_AGENT'
  | 'BATCH_OVERFLOW'
  | 'INSUFFICIENT_ROOTS'
  | 'INVALID_CHILD_STATE'
  | 'MISSING_TITLE'
  | 'SECOND_ROOT'
  | 'WRONG_ROUND'
  | 'WRONG_SUFFIX'
  | 'MISSING_SOURCES'
  | 'DEPTH_ENFORCED'
  | 'EXHAUST_ENFORCED'
  | 'DEAD_ENFORCED';

/** A rule that a call breaks. */
export interface ProtocolError {
  /** The node, or `SESSION` or `BATCH`. */
  readonly nodeId: string;
  readonly error: ErrorCode;
  readonly message: string;
  /** A suggestion how to put it right. */
  readonly suggestion: string;
}

/** The protocol's verdict on a call: what it changes, or every rule that it breaks; then it changes nothing. */
export interface Verdict<C extends Change = Change> {
  readonly errors: readonly ProtocolError[];
  /** Each with its code and, as the first id in it, its node's. */
  readonly warnings: readonly string[];
  /** Undefined if it is refused. */
  readonly change: C | undefined;
}

/** A call that the original could not carry out at all, besides breaking a rule. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
}

/** Tells whether an error is such a fault, by its name: bundles have their own copies of the class. */
export function isProtocolFault(error: unknown): error is ProtocolFault {
  return error instanceof Error && error.name === 'ProtocolFault';
}

/** Returns a verdict: refused if there is any error. */
export function verdict<C extends Change>(
  errors: readonly ProtocolError[],
  change: () => C,
  warnings: readonly string[] = [],
): Verdict<C> {
  return errors.length > 0 ? { errors, warnings: [], change: undefined } : { errors, warnings, change: change() };
}

/** Returns the error of a call that names no investigation of ours. */
export function sessionNotFound(sessionId: string): ProtocolError {
  return {
    nodeId: 'SESSION',
    error: 'SESSION_NOT_FOUND',
    message: `There is no investigation with the id "${sessionId.slice(0, 100)}".`,
    suggestion: 'Use the sessionId that tot_start gave you; tot_list lists the investigations of this folder.',
  };
}
