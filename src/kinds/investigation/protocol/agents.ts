import type { Investigation } from './investigation.ts';
import type { Profile } from './profiles.ts';
import type { ErrorCode, ProtocolError } from './verdict.ts';

/**
 * The result of looking for an agent among the session files: it is there, it is not, or there is nothing to look in;
 * it began before its node was proposed, was not asked about that, works still, or did another investigation's work.
 */
export const AGENT_FINDINGS = ['found', 'missing', 'no-sessions', 'older', 'unnamed', 'under-way', 'used'] as const;
export type AgentFinding = (typeof AGENT_FINDINGS)[number];
export type AgentFindings = Readonly<Record<string, AgentFinding>>;

/** The protocol's verdict on the agent of one result. */
export interface AgentVerdict {
  readonly errors: readonly ProtocolError[];
  readonly warnings: readonly string[];
  readonly isVerified: boolean;
}

/** The ids that the original's agents had. */
const OLD_ID = /^[a-f0-9]{7}$/;
/** Those, and today's: `a` and 16 hex digits. */
const ANY_ID = /^(?:[a-f0-9]{7}|a[a-f0-9]{16})$/;

const FRESH = 'Spawn a fresh agent for this node, and give the id that it got.';

/** Why an agent whose session is there does not count for a node, and what helps. */
const NOT_ITS: Partial<Record<AgentFinding, (agent: string, node: string) => [ErrorCode, string, string?]>> = {
  older: (agent, node) => ['FAKE_AGENT', `The agent "${agent}" of ${node} began before ${node} was proposed.`],
  unnamed: (agent, node) => [
    'FAKE_AGENT',
    `The agent "${agent}" was not asked about ${node}: its task does not name that id.`,
    `Spawn a fresh agent whose task names ${node}, and give the id that it got.`,
  ],
  'under-way': (agent, node) => [
    'UNVERIFIED_AGENT',
    `The agent "${agent}" of ${node} has not ended yet.`,
    'Wait for its answer, then commit what it found. If it stopped without one, spawn a fresh agent for this node.',
  ],
  used: (agent, node) => ['REUSED_AGENT', `The agent "${agent}" of ${node} was used in another investigation.`],
};

/**
 * Checks the agent of a result.
 * @param others agents of earlier results in the same commit
 */
export function checkAgent(
  at: Investigation,
  { agents }: Profile,
  { nodeId, agentId }: { readonly nodeId: string; readonly agentId?: string | undefined },
  others: ReadonlySet<string>,
  findings: AgentFindings,
): AgentVerdict {
  if (agents === 'unknown' || agents === 'noted') return { errors: [], warnings: [], isVerified: false };
  const refused = (error: ErrorCode, message: string, suggestion = FRESH): AgentVerdict => ({
    errors: [{ nodeId, error, message, suggestion }],
    warnings: [],
    isVerified: false,
  });
  const isStrict = agents === 'optional';
  if (!agentId) {
    const isNeeded = !isStrict || at.requireAgents;
    if (isNeeded) return refused('MISSING_AGENT', `${nodeId} comes without the id of its agent.`);
    return { errors: [], warnings: [], isVerified: false };
  }
  if (at.usedAgents.has(agentId) || (isStrict && others.has(agentId)))
    return refused('REUSED_AGENT', `The agent "${agentId}" of ${nodeId} was used for another node.`);
  if (!isStrict && at.projectDir === '') return { errors: [], warnings: [], isVerified: false };
  if (!(isStrict ? ANY_ID : OLD_ID).test(agentId))
    return refused('FAKE_AGENT', `"${agentId}" of ${nodeId} is no id of an agent.`);
  const finding = findings[agentId] ?? 'no-sessions';
  if (finding === 'found') return { errors: [], warnings: [], isVerified: true };
  const notIts = isStrict ? NOT_ITS[finding]?.(agentId, nodeId) : undefined;
  if (notIts) return refused(...notIts);
  if (finding === 'missing')
    return refused(
      'FAKE_AGENT',
      `The agent "${agentId}" of ${nodeId} is in none of the newest sessions of this project.`,
    );
  const unverified = `${nodeId}: there are no session files to look for the agent "${agentId}" in`;
  if (at.requireAgents)
    return refused(
      'UNVERIFIED_AGENT',
      `${unverified}.`,
      'Start the investigation with the projectDir that your agents work in.',
    );
  return { errors: [], warnings: [`UNVERIFIED_AGENT: ${unverified}, so it counts as unverified.`], isVerified: false };
}
