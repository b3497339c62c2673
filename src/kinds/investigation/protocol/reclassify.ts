import { misfit } from './commit.ts';
import { type Change, type CommittedNode, childrenOf, type Investigation, progressOf } from './investigation.ts';
import { type Profile, profileOf, ruleOf, type State } from './profiles.ts';
import { sourcesOf } from './references.ts';
import { type ErrorCode, type ProtocolError, type Verdict, verdict } from './verdict.ts';

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
