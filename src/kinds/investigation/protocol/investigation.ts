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

/** The progress of an investigation that has just begun. */
export function progressAtStart({ minRounds, allowEarlyTerminal }: Setup): Progress {
  return { currentRound: 1, currentBatch: 0, minRounds, allowEarlyTerminal, commits: 0, hasEnded: false };
}

/** An investigation without nodes. */
export function emptyInvestigation(setup: Setup): Investigation {
  const nothing = { nodes: new Map(), pending: new Map(), usedAgents: new Set<string>(), cutIds: new Set<string>() };
  return { ...setup, ...progressAtStart(setup), ...nothing };
}

/** The progress of an investigation. */
export function progressOf(at: Investigation): Progress {
  const { currentRound, currentBatch, minRounds, allowEarlyTerminal, commits, hasEnded } = at;
  return { currentRound, currentBatch, minRounds, allowEarlyTerminal, commits, hasEnded };
}

/** The round in a node's id. */
export function roundOf(id: string): number {
  return Number(/^R(\d+)/.exec(id)?.[1] ?? 0);
}

/** The part of a node's id behind its round. */
export function suffixOf(id: string): string {
  return id.slice(id.indexOf('.') + 1);
}

/** The committed children of a node. */
export function childrenOf({ nodes }: Investigation, { children }: CommittedNode): CommittedNode[] {
  return children.flatMap((id) => nodes.get(id) ?? []);
}

/** An investigation after a change. Applying a change twice is the same as applying it once. */
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
