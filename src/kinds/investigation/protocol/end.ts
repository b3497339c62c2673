import { dotOf } from './dot.ts';
import { whyNotEnd } from './ending.ts';
import { type Change, type CommittedNode, type Investigation, progressOf } from './investigation.ts';
import { isRefuted } from './missing-children.ts';
import { profileOf, type State } from './profiles.ts';
import { referencesIn } from './references.ts';
import { type Reply, unverifiedCount } from './replies.ts';

type EndChange = Extract<Change, { do: 'end' }>;

/** The verdict on an end: the reason against it, or its change. */
export interface EndVerdict {
  readonly reason: string | undefined;
  readonly change: EndChange | undefined;
}

/** Decides whether an investigation may end. @param asked rounds that the caller asks for, for this call only */
export function end(at: Investigation, asked?: number): EndVerdict {
  const reason = whyNotEnd(at, { minRounds: roundsFor(at, asked) });
  const change: EndChange = { do: 'end', progress: { ...progressOf(at), hasEnded: true } };
  return { reason, change: reason === undefined ? change : undefined };
}

/** Ours cannot be asked for fewer rounds than a person wants. */
function roundsFor(at: Investigation, asked: number | undefined): number {
  if (asked === undefined) return at.minRounds;
  if (at.profile === 'g3') return asked;
  return at.profile === 'strict' ? Math.max(at.minRounds, asked) : at.minRounds;
}

/** The nodes that count as solutions: what a check refuted is none. */
export function solutionsOf(at: Investigation): CommittedNode[] {
  return inState(at, profileOf(at).solution).filter((node) => !isRefuted(at, node));
}

/**
 * The answer to an end.
 * @param findings the findings of nodes by their ids
 */
export function endReply(
  at: Investigation,
  { reason }: EndVerdict,
  findings: ReadonlyMap<string, string>,
  asked?: number,
): Reply {
  const profile = profileOf(at);
  const told = (nodes: readonly CommittedNode[]): object[] =>
    nodes.map(({ id, title, round }) => ({ nodeId: id, title, findings: findings.get(id) ?? '', round }));
  const solutions = solutionsOf(at);
  const isCounted = profile.rounds === 'counted';
  const finalDot = dotOf(at);
  return {
    ...(!isCounted && { message: messageOf(solutions.length, inState(at, 'DEAD').length, reason) }),
    status: reason === undefined ? 'OK' : 'REJECTED',
    ...(reason !== undefined && { reason }),
    sessionId: at.sessionId,
    query: at.query,
    totalRounds: at.currentRound,
    totalNodes: at.nodes.size,
    solutions: told(solutions),
    ...(profile.theory && { theories: told(inState(at, profile.theory)) }),
    deadEnds: inState(at, 'DEAD').length,
    ...(!isCounted && { references: referencesIn([...at.nodes.keys()].map((id) => findings.get(id) ?? '')) }),
    ...((profile.name === 'g3' || profile.hasStrictIds) && { minRounds: roundsFor(at, asked) }),
    ...((profile.name === 'g3' || profile.hasStrictIds) && { graph: graphOf(at, findings, finalDot) }),
    ...unverifiedCount(at),
    finalDot,
  };
}

function messageOf(solutions: number, deadEnds: number, reason: string | undefined): string {
  if (reason !== undefined) return `The investigation cannot end yet. ${reason}`;
  const found = solutions === 0 ? 'no answer' : solutions === 1 ? '1 solution' : `${solutions} solutions`;
  return `The investigation is complete: ${found} found, ${deadEnds} ${deadEnds === 1 ? 'dead end' : 'dead ends'}.`;
}

function inState(at: Investigation, state: State): CommittedNode[] {
  return [...at.nodes.values()].filter((node) => node.state === state);
}

/** The whole tree, as the latest original gives it. */
function graphOf(at: Investigation, findings: ReadonlyMap<string, string>, dot: string): Reply {
  const all = [...at.nodes.values()];
  const nodes = all.map(({ id, parent, state, title, round, children }) => ({
    id,
    parent,
    state,
    title,
    round,
    children,
    findings: findings.get(id) ?? null,
  }));
  const edges = all.flatMap(({ id, parent }) => (parent === null ? [] : [{ from: parent, to: id }]));
  const { sessionId, query, currentRound } = at;
  return { sessionId, query, currentRound, totalNodes: all.length, nodes, edges, dot };
}
