import { roundNeeds, warningsAfter } from './commit.ts';
import { dotOf } from './dot.ts';
import { isShort, whyNotEnd } from './ending.ts';
import type { Change, Investigation } from './investigation.ts';
import { growingStates, type Lacking, lacking, sumOf } from './missing-children.ts';
import { type Profile, profileOf, ruleOf } from './profiles.ts';
import { type ProtocolError, sessionNotFound, type Verdict } from './verdict.ts';

// The answers of each tool, in the shapes that other programs rely on.

/** An answer, as plain data. */
export type Reply = Readonly<Record<string, unknown>>;

interface Status {
  readonly status: 'OK' | 'REJECTED';
}

function statusOf({ change }: Verdict): Status {
  return { status: change ? 'OK' : 'REJECTED' };
}

/** The answer to a proposal. */
export function proposeReply(
  at: Investigation,
  { errors, warnings, change }: Verdict<Extract<Change, { do: 'propose' }>>,
  isQuiet = false,
): Reply {
  const approvedNodes = change?.nodes.map(({ id }) => id) ?? [];
  const message = change
    ? `${approvedNodes.length === 1 && at.profile === 'strict' ? '1 node is' : `${approvedNodes.length} nodes are`} proposed. Research each with a fresh agent, then commit what it found.`
    : refusedText(errors);
  const hasWarnings = at.profile === 'g3' || at.profile === 'strict';
  const next = at.profile === 'g3' && isQuiet && { nextCommitDefaults: { minRounds: 2, allowEarlyTerminal: true } };
  return {
    status: change ? 'OK' : 'REJECTED',
    errors,
    approvedNodes,
    ...(hasWarnings && { warnings }),
    ...next,
    message,
  };
}

/** The answer to a commit. @param after the investigation as it is now, changed or not */
export function commitReply(after: Investigation, verdict: Verdict): Reply {
  const profile = profileOf(after);
  if (profile.rounds === 'counted') return countedCommitReply(after, verdict);
  const { errors, change } = verdict;
  const short = isShort(profile, after.minRounds);
  const growing = growingStates(profile).filter((state) => !short || state !== profile.open);
  const lacks = lacking(after, growing);
  const reason = whyNotEnd(after);
  const isWide = profile.name !== 'g2';
  const open = isWide ? lacks.filter(({ node }) => node.state === profile.open) : lacks;
  return {
    message: change ? openText(lacks.length, isWide, reason) : refusedText(errors),
    ...statusOf(verdict),
    warnings: change ? [...verdict.warnings, ...warningsAfter(after)] : [],
    currentRound: after.currentRound,
    canEnd: reason === undefined,
    ...(isWide && { canEndReason: reason ?? 'All rules for an end are kept.' }),
    pendingExplore: open.map(({ node }) => node.id),
    ...(isWide && { pendingNonTerminal: lacks.map((lack) => lackRow(profile, lack)), pendingChildren: sumOf(lacks) }),
    ...(isWide && { minRounds: after.minRounds }),
    ...unverifiedCount(after),
    errors,
  };
}

/** @param isOurs whether these are our words; otherwise they are the original's, which knew no singular */
function openText(count: number, isOurs: boolean, reason: string | undefined): string {
  if (count > 0 && !isOurs) return `${count} EXPLORE nodes need children.`;
  if (count > 0) return count === 1 ? '1 open node needs children.' : `${count} open nodes need children.`;
  return reason ?? 'Every rule for an end is kept: call tot_end.';
}

function countedCommitReply(after: Investigation, verdict: Verdict): Reply {
  const { errors, change } = verdict;
  // The needs of the round are listed, also where it is the one before: it then lacks nothing.
  const isNext = change !== undefined && after.currentBatch === 0;
  const { needed, lacks } = isNext ? { needed: 0, lacks: [] } : roundNeeds(after);
  return {
    ...statusOf(verdict),
    errors,
    dot: dotOf(after),
    currentRound: after.currentRound,
    batchComplete: change !== undefined,
    roundComplete: change !== undefined && needed === 0,
    nextRoundInfo: {
      round: after.currentRound,
      nodesRequired: needed,
      totalBatches: Math.ceil(needed / 5),
      parentBreakdown: lacks.map(({ node, has, needs }) => ({
        parentId: node.id,
        state: node.state,
        childrenNeeded: needs - has,
      })),
    },
    message: change ? `${needed} children are needed for round ${after.currentRound}.` : refusedText(errors),
  };
}

/** The answer to a change of state. */
export function reclassifyReply(
  before: Investigation,
  after: Investigation,
  nodeId: string,
  newState: string,
  verdict: Verdict,
): Reply {
  const { errors, change } = verdict;
  const previousState = before.nodes.get(nodeId)?.state ?? null;
  return {
    message: change ? `${nodeId} was ${previousState} and is ${newState}.` : refusedText(errors),
    ...statusOf(verdict),
    errors,
    nodeId,
    previousState,
    newState,
    dot: dotOf(after),
  };
}

/** The answer to a question for the state of things. */
export function statusReply(at: Investigation): Reply {
  const profile = profileOf(at);
  const common = { status: 'OK', sessionId: at.sessionId, query: at.query, currentRound: at.currentRound };
  const nodes = [...at.nodes.values()];
  const inState = (state: string): number => nodes.filter((node) => node.state === state).length;
  const terminalNodes = nodes.filter(({ state }) => ruleOf(profile, state).isTerminal).length;
  // The original reckons with its usual number of rounds here, whatever it was started with.
  const blocker = profile.name === 'g3' ? whyNotEnd(at, { minRounds: 5, isLenient: false }) : whyNotEnd(at);
  const end = { canEnd: blocker === undefined, ...(blocker !== undefined && { endBlocker: blocker }), dot: dotOf(at) };
  if (profile.rounds === 'counted') {
    const nodesInQueue = sumOf(lacking(at, growingStates(profile)));
    const { currentBatch } = at;
    const active = { activeDrills: inState('DRILL'), activeVerifies: inState('VERIFY') };
    const counts = { currentBatch, totalNodes: nodes.length, ...active, terminalNodes, nodesInQueue };
    return { ...common, ...counts, ...end, nextActions: [nextAction(at, blocker)] };
  }
  const isWide = profile.name !== 'g2';
  const lacks = lacking(at, isWide ? growingStates(profile) : [profile.open]);
  return {
    nextAction: nextAction(at, blocker),
    ...common,
    totalNodes: nodes.length,
    activeExplore: inState('EXPLORE'),
    terminalNodes,
    pendingChildren: sumOf(lacks),
    ...(isWide && { pendingNonTerminal: lacks.map((lack) => lackRow(profile, lack)) }),
    ...(isWide && { canEndReason: blocker ?? 'All rules for an end are kept.' }),
    ...unverifiedCount(at),
    ...(profile.hasStrictIds && { pendingProposals: [...at.pending.keys()], minRounds: at.minRounds }),
    ...end,
  };
}

function nextAction(at: Investigation, blocker: string | undefined): string {
  if (blocker === undefined) return 'Call tot_end.';
  const [first] = at.pending.keys();
  if (first !== undefined) return `Research ${first} with a fresh agent, and commit what it found.`;
  if (at.nodes.size === 0) return 'Propose the first node, R1.A, with tot_propose.';
  return blocker;
}

/** The answer to a call that names no investigation of ours. */
export function noSessionReply(tool: 'propose' | 'commit' | 'reclassify' | 'status' | 'end', sessionId: string): Reply {
  const error = sessionNotFound(sessionId);
  const { message } = error;
  if (tool === 'status') return { status: 'REJECTED', sessionId, canEnd: false, endBlocker: message };
  if (tool === 'end') return { status: 'REJECTED', sessionId, reason: message };
  return { status: 'REJECTED', errors: [error], message };
}

function lackRow(profile: Profile, { node, has, needs }: Lacking): object {
  const { asksFor } = ruleOf(profile, node.state);
  const childLabel = `${asksFor ? `${asksFor} ` : ''}${needs === 1 ? 'child' : 'children'}`;
  return {
    nodeId: node.id,
    state: node.state,
    has,
    needs,
    ...(asksFor && { requiredChildState: asksFor }),
    childLabel,
  };
}

/** Counts the nodes that came without an agent that was found: ours says so everywhere. */
export function unverifiedCount(at: Investigation): { unverified?: number } {
  if (at.profile !== 'strict') return {};
  return { unverified: [...at.nodes.values()].filter(({ isVerified }) => !isVerified).length };
}

/** Why a call was refused, in one text. */
function refusedText(errors: readonly ProtocolError[]): string {
  const texts = errors.map(({ message, suggestion }) => `${message} ${suggestion}`);
  return `Nothing was changed. ${texts.join(' ')}`;
}
