import { lackInWords, lacking, lackOf, sumOf } from './ending.ts';
import { type AgentFindings, checkAgent, saysWhatWasLookedAt, sourcesOf } from './evidence.ts';
import {
  type AcceptedResult,
  type Change,
  type CommittedNode,
  changed,
  childrenOf,
  type ErrorCode,
  type Investigation,
  type Progress,
  type ProtocolError,
  ProtocolFault,
  progressOf,
  roundOf,
  type Verdict,
  verdict,
} from './investigation.ts';
import { type Profile, profileOf, ruleOf, type State } from './profiles.ts';

/** The findings about a node. */
export interface NodeResult {
  readonly nodeId: string;
  readonly state: State;
  readonly findings: string;
  readonly agentId?: string | undefined;
}

/** The facts besides its results by which a commit is decided. */
export interface CommitCall {
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly agents: AgentFindings;
  /** Cited paths at which there is nothing. */
  readonly absent?: ReadonlySet<string> | undefined;
  /** Settings that `g3` keeps from here on. */
  readonly minRounds?: number | undefined;
  readonly allowEarlyTerminal?: boolean | undefined;
}

type CommitChange = Extract<Change, { do: 'commit' }>;

/** Files that a warning names, at most. */
const MOST_NAMED = 5;
/** A commit sooner than this after its proposal is suspicious, in milliseconds. */
const SOON_MS = 10_000;

/**
 * Decides whether results may be committed, all of them or none.
 * @throws ProtocolFault where the original fails itself: a node twice in one commit
 */
export function commit(before: Investigation, results: readonly NodeResult[], call: CommitCall): Verdict<CommitChange> {
  const profile = profileOf(before);
  const at = { ...before, ...settingsOf(before, profile, call) };
  const errors = results.flatMap((each, i) => orderErrors(at, profile, results, each, i));
  const warnings: string[] = [];
  const agents = new Set<string>();
  const accepted: AcceptedResult[] = [];
  for (const result of results) {
    const proposal = at.pending.get(result.nodeId);
    const { state, warning } = settledState(at, profile, result, proposal?.parent);
    if (proposal) errors.push(...stateErrors(at, profile, { ...result, state }, proposal.parent));
    const sources = profile.hasStrictIds ? checkSources(profile, { ...result, state }, call.absent) : NOTHING_WRONG;
    errors.push(...sources.errors);
    const agent = checkAgent(at, profile, result, agents, call.agents);
    errors.push(...agent.errors);
    if (proposal && profile.isSuspicious && call.now - proposal.proposedAt < SOON_MS) warnings.push(tooSoon(result));
    warnings.push(...(warning ? [warning] : []), ...sources.warnings, ...agent.warnings);
    if (result.agentId) agents.add(result.agentId);
    const { agentId, findings } = result;
    const isVerified = agent.isVerified || undefined;
    accepted.push({
      id: result.nodeId,
      state,
      findings,
      ...(agentId && profile.agents !== 'unknown' && { agentId }),
      ...(isVerified && { isVerified }),
    });
  }
  const repeated = results.find(({ nodeId }, i) => results.findIndex((each) => each.nodeId === nodeId) < i);
  if (repeated && errors.length === 0) throw new ProtocolFault(`${repeated.nodeId} is committed twice in one call.`);
  return verdict(errors, () => committed(at, profile, accepted), warnings);
}

/** Warns, each time again, about what a commit leaves open. */
export function warningsAfter(at: Investigation): string[] {
  const profile = profileOf(at);
  const isShort = profile.leadsOnlyAt !== undefined && at.minRounds < 4;
  const states = profile.warnsAbout.filter((state) => !isShort || state !== profile.open);
  return lacking(at, states).map((lack) => `CRITICAL [INCOMPLETE_${lack.node.state}] ${lackInWords(at, lack)}`);
}

/** `g3` lets callers set these; in ours they can only ask for more. */
function settingsOf(
  at: Investigation,
  profile: Profile,
  call: CommitCall,
): Pick<Progress, 'minRounds' | 'allowEarlyTerminal'> {
  const { minRounds, allowEarlyTerminal } = at;
  if (profile.name === 'g3')
    return {
      minRounds: call.minRounds ?? minRounds,
      allowEarlyTerminal: call.allowEarlyTerminal ?? allowEarlyTerminal,
    };
  if (profile.hasStrictIds) return { minRounds: Math.max(minRounds, call.minRounds ?? 0), allowEarlyTerminal };
  return { minRounds, allowEarlyTerminal };
}

function orderErrors(
  at: Investigation,
  profile: Profile,
  results: readonly NodeResult[],
  { nodeId }: NodeResult,
  index: number,
): ProtocolError[] {
  const wrong = (error: ErrorCode, message: string, suggestion: string): ProtocolError[] => [
    { nodeId, error, message, suggestion },
  ];
  if (!at.pending.has(nodeId))
    return wrong('NOT_PROPOSED', `${nodeId} is not proposed.`, `Propose ${nodeId} with tot_propose first.`);
  if (profile.hasStrictIds && results.findIndex((each) => each.nodeId === nodeId) < index)
    return wrong('DUPLICATE_IN_BATCH', `${nodeId} occurs twice in this commit.`, 'Commit every node once.');
  return [];
}

/** Returns the state that a node gets: too early in an investigation, some become a lead. */
function settledState(
  at: Investigation,
  profile: Profile,
  { nodeId, state }: NodeResult,
  parent: string | null | undefined,
): { state: State; warning?: string } {
  const round = roundOf(nodeId);
  const becomes = (code: string, why: string): { state: State; warning: string } => ({
    state: profile.open,
    warning: `${code}: ${nodeId} is ${profile.open} instead of ${state}: ${why}`,
  });
  const isLifted = profile.name === 'g3' && at.allowEarlyTerminal;
  if (!isLifted && round === profile.leadsOnlyAt && state !== profile.open)
    return becomes('R3_EXPLORE_ONLY', 'the third round takes nothing else.');
  const { from = 0, early } = ruleOf(profile, state);
  const isAtRoot = profile.hasStrictIds && state === 'DEAD' && parent === null;
  if (early && isAtRoot) return becomes(early, 'the root cannot be a dead end.');
  if (!isLifted && early && round < from) return becomes(early, `${state} is for round ${from} and later.`);
  return { state };
}

/** Checks that a state fits the node's parent. */
function stateErrors(
  at: Investigation,
  profile: Profile,
  { nodeId, state }: NodeResult,
  parent: string | null,
): ProtocolError[] {
  if (!profile.checksParents) return [];
  const above = parent === null ? undefined : at.nodes.get(parent);
  const problem = misfit(profile, state, above?.state, parent === null);
  return problem ? [{ nodeId, error: 'INVALID_CHILD_STATE', ...problem }] : [];
}

const NOTHING_WRONG = { errors: [], warnings: [] };

/** Checks that findings say what was looked at, if their state asks for it, and that some file they cite exists. */
function checkSources(
  profile: Profile,
  { nodeId, state, findings }: NodeResult,
  absent: ReadonlySet<string> = new Set(),
): { readonly errors: readonly ProtocolError[]; readonly warnings: readonly string[] } {
  const wrong = (message: string): { errors: ProtocolError[]; warnings: string[] } => {
    const suggestion =
      'End the findings with a "## References" section: the files and pages that were looked at, one a line.';
    return { errors: [{ nodeId, error: 'MISSING_SOURCES', message, suggestion }], warnings: [] };
  };
  const { needsSources } = ruleOf(profile, state);
  if (needsSources && !saysWhatWasLookedAt(findings))
    return wrong(`${nodeId} is ${state}, and its findings do not say what was looked at.`);
  const { paths, isListed, hasOthers } = sourcesOf(findings);
  const missing = paths.filter((path) => absent.has(path));
  if (missing.length === 0 || (!isListed && !needsSources)) return NOTHING_WRONG;
  const named = missing.slice(0, MOST_NAMED).join(', ');
  if (!hasOthers && missing.length === paths.length)
    return wrong(`${nodeId} cites nothing that is in the folder: not ${named}.`);
  if (!isListed) return NOTHING_WRONG;
  return { errors: [], warnings: [`MISSING_SOURCE: ${nodeId} cites what is not in the folder: ${named}`] };
}

/** Says why a state is not possible below another one; undefined if it is. */
function misfit(
  profile: Profile,
  state: State,
  above: State | undefined,
  isRoot: boolean,
): { message: string; suggestion: string } | undefined {
  if (isRoot) {
    if (!profile.hasStrictIds || state !== 'VERIFY') return undefined;
    return { message: 'The root checks nothing.', suggestion: `Commit the root as ${profile.open}.` };
  }
  const { takes, isTerminal } = above === undefined ? {} : ruleOf(profile, above);
  const allowed = isTerminal ? [] : takes;
  if (!allowed || allowed.includes(state)) return undefined;
  const possible =
    allowed.length > 0 ? `Use one of ${allowed.join(', ')}` : `Reclassify its parent to ${profile.open} first`;
  return { message: `${state} is not possible below ${above}.`, suggestion: `${possible}.` };
}

function tooSoon({ nodeId }: NodeResult): string {
  return `SUSPICIOUS: ${nodeId} was committed less than ${SOON_MS / 1000} seconds after its proposal: was anything looked into?`;
}

function committed(at: Investigation, profile: Profile, results: readonly AcceptedResult[]): CommitChange {
  const progress = { ...progressOf(at), commits: at.commits + 1, hasEnded: false };
  const after = changed(at, { do: 'commit', results, progress });
  const counted = profile.rounds === 'highest' ? { currentRound: highestRound(after) } : countedRound(after);
  return { do: 'commit', results, progress: { ...progress, ...counted } };
}

/** Returns the highest round of all committed nodes; 1 if there are none. */
export function highestRound({ nodes }: Pick<Investigation, 'nodes'>): number {
  return Math.max(1, ...[...nodes.values()].map(({ round }) => round));
}

/** Returns the nodes of the current round, and what they lack: how `g1` counts rounds. */
export function roundNeeds(at: Investigation): {
  isComplete: boolean;
  needed: number;
  lacks: ReturnType<typeof lacking>;
} {
  const nodes = [...at.nodes.values()].filter(({ round }) => round === at.currentRound);
  const lacks = nodes.flatMap((node) => lackOf(at, node) ?? []);
  return { isComplete: nodes.length > 0 && lacks.length === 0, needed: sumOf(lacks), lacks };
}

function countedRound(at: Investigation): Pick<Progress, 'currentRound' | 'currentBatch'> {
  const { currentRound, currentBatch } = at;
  return roundNeeds(at).isComplete
    ? { currentRound: currentRound + 1, currentBatch: 0 }
    : { currentRound, currentBatch: currentBatch + 1 };
}

type ReclassifyChange = Extract<Change, { do: 'reclassify' }>;

/** Decides whether a node may get another state. @param findings its own, where they are known */
export function reclassify(
  at: Investigation,
  nodeId: string,
  newState: State,
  findings?: string,
): Verdict<ReclassifyChange> {
  const profile = profileOf(at);
  const node = at.nodes.get(nodeId);
  const errors = node ? errorsOf(at, profile, node, newState, findings) : [notFound(nodeId)];
  const progress = { ...progressOf(at), hasEnded: false };
  return verdict(errors, () => ({ do: 'reclassify', id: nodeId, state: newState, progress }));
}

function notFound(nodeId: string): ProtocolError {
  return {
    nodeId,
    error: 'NODE_NOT_FOUND',
    message: `There is no committed node "${nodeId.slice(0, 100)}".`,
    suggestion: 'Use the id of a committed node; tot_status shows them all in its graph.',
  };
}

function errorsOf(
  at: Investigation,
  profile: Profile,
  node: CommittedNode,
  state: State,
  findings: string | undefined,
): ProtocolError[] {
  const { id } = node;
  const rule = ruleOf(profile, state);
  const wrong = (error: ErrorCode, message: string, suggestion: string): ProtocolError[] => [
    { nodeId: id, error, message, suggestion },
  ];
  const isStrict = profile.hasStrictIds === true;
  const isWaitedFor = isStrict && [...at.pending.values()].some(({ parent }) => parent === id);
  if (rule.isTerminal && (node.children.length > 0 || isWaitedFor))
    return wrong(
      'HAS_CHILDREN',
      `${id} has children, so it cannot become ${state}, which ends its branch.`,
      'Reclassify the children instead, or leave it as it is.',
    );
  if (!isStrict || node.state === state) return [];
  const above = node.parent === null ? undefined : at.nodes.get(node.parent);
  // A check says what was found when it was made: what it checked can be thought over, its verdict cannot.
  if (state === 'VERIFY' || (above && ruleOf(profile, above.state).refutedBy === node.state))
    return wrong(
      'INVALID_CHILD_STATE',
      `${id} ${state === 'VERIFY' ? 'cannot become a check' : 'is the failed check of its parent'}.`,
      'Propose another VERIFY below the FOUND node, or reclassify the FOUND node.',
    );
  const { from = 0, early } = rule;
  if (early && (node.round < from || (state === 'DEAD' && node.parent === null)))
    return wrong(
      early as ErrorCode,
      `${id} cannot be ${state} in round ${node.round}.`,
      `Use ${profile.open} instead.`,
    );
  const problem = misfit(profile, state, above?.state, node.parent === null) ?? childMisfit(at, profile, node, state);
  if (problem) return wrong('INVALID_CHILD_STATE', problem.message, problem.suggestion);
  // Sources that findings list were looked for when they were committed.
  const { isListed, hasOthers } = sourcesOf(findings ?? '');
  if (!rule.needsSources || findings === undefined || isListed || hasOthers) return [];
  return wrong(
    'MISSING_SOURCES',
    `${id} cannot become ${state}: its findings list nothing that was looked at.`,
    'Leave it as it is, and propose nodes below it whose agents look into it.',
  );
}

/** Checks that a node's children may be below its new state. A lead may have been checked as a solution before. */
function childMisfit(
  at: Investigation,
  profile: Profile,
  node: CommittedNode,
  state: State,
): ReturnType<typeof misfit> {
  const children = childrenOf(at, node).filter((child) => state !== profile.open || child.state !== 'VERIFY');
  const found = children.find((child) => misfit(profile, child.state, state, false));
  return (
    found && {
      message: `${node.id} has the child ${found.id}, and ${found.state} is not possible below ${state}.`,
      suggestion: 'Leave it as it is, or reclassify the child first.',
    }
  );
}
