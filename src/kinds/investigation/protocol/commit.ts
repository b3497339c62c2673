import { type AgentFindings, checkAgent } from './agents.ts';
import {
  type AcceptedResult,
  type Change,
  changed,
  type Investigation,
  type Progress,
  progressOf,
  roundOf,
} from './investigation.ts';
import { lackInWords, lacking, lackOf, sumOf } from './missing-children.ts';
import { type Profile, profileOf, ruleOf, type State } from './profiles.ts';
import { saysWhatWasLookedAt, sourcesOf } from './references.ts';
import { type ErrorCode, type ProtocolError, ProtocolFault, type Verdict, verdict } from './verdict.ts';

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

/** The state that a node gets: too early in an investigation, some become a lead. */
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

/** Why a state is not possible below another one; undefined if it is. */
export function misfit(
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

/** The highest round of all committed nodes; 1 if there are none. */
export function highestRound({ nodes }: Pick<Investigation, 'nodes'>): number {
  return Math.max(1, ...[...nodes.values()].map(({ round }) => round));
}

/** The nodes of the current round, and what they lack: how `g1` counts rounds. */
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
