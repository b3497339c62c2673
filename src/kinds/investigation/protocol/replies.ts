import { quotedForDot } from '../../../core/text/graph-text.ts';
import { roundNeeds, warningsAfter } from './commit.ts';
import { growingStates, isRefuted, isShort, type Lacking, lacking, sumOf, whyNotEnd } from './ending.ts';
import { referencesIn } from './evidence.ts';
import {
  type Change,
  type CommittedNode,
  type Investigation,
  type ProtocolError,
  progressOf,
  sessionNotFound,
  type Verdict,
} from './investigation.ts';
import { type Profile, profileOf, ruleOf, type State, statesOf } from './profiles.ts';

// The answers of each tool, in the shapes that other programs rely on.

/** An answer, as plain data. */
export type Reply = Readonly<Record<string, unknown>>;

interface Status {
  readonly status: 'OK' | 'REJECTED';
}

function statusOf({ change }: Verdict): Status {
  return { status: change ? 'OK' : 'REJECTED' };
}

/** Returns the answer to a proposal. */
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

/** Returns the answer to a commit. @param after the investigation as it is now, changed or not */
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

/** Returns the answer to a change of state. */
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

/** Returns the answer to a question for the state of things. */
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

/** Returns the answer to a call that names no investigation of ours. */
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
function unverifiedCount(at: Investigation): { unverified?: number } {
  if (at.profile !== 'strict') return {};
  return { unverified: [...at.nodes.values()].filter(({ isVerified }) => !isVerified).length };
}

/** Says why a call was refused, in one text. */
function refusedText(errors: readonly ProtocolError[]): string {
  const texts = errors.map(({ message, suggestion }) => `${message} ${suggestion}`);
  return `Nothing was changed. ${texts.join(' ')}`;
}

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

/** Returns the nodes that count as solutions: what a check refuted is none. */
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

/** Returns the whole tree, as the latest original gives it. */
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

/** Returns an investigation as a graph in the language of Graphviz. */
export function dotOf(at: Investigation): string {
  const profile = profileOf(at);
  const nodes = [...at.nodes.values()];
  const lines = nodes.map(({ id, state, title, round }) => {
    const label = `R${round} | ${quotedForDot(title)}\\n(${state})`;
    return `  ${nameOf(id)} [fillcolor=${ruleOf(profile, state).color}, label="${label}"];`;
  });
  const edges = nodes.flatMap(({ id, parent }) => (parent === null ? [] : `  ${nameOf(parent)} -> ${nameOf(id)};`));
  const legend = statesOf(profile).map(
    (state: State) => `    legend_${state} [fillcolor=${ruleOf(profile, state).color}, label="${state}"];`,
  );
  return [
    'digraph Investigation {',
    '  rankdir=TB;',
    '  node [shape=box, style="filled,rounded", fontname="Arial"];',
    ...lines,
    ...edges,
    '  subgraph cluster_legend {',
    '    label="States";',
    ...legend,
    '  }',
    '}',
  ].join('\n');
}

const PLAIN_NAME = /^R\d+_[A-Za-z0-9]+$/;

/** Returns a node's name; one that was changed by hand into something else is quotedForDot. */
function nameOf(id: string): string {
  const name = id.replaceAll('.', '_');
  return PLAIN_NAME.test(name) ? name : `"${quotedForDot(name)}"`;
}
