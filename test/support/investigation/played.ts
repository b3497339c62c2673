import { commit, reclassify } from '../../../src/kinds/investigation/protocol/commit.ts';
import type { AgentFindings } from '../../../src/kinds/investigation/protocol/evidence.ts';
import {
  type Change,
  changed,
  emptyInvestigation,
  type Investigation,
} from '../../../src/kinds/investigation/protocol/investigation.ts';
import { type ProfileName, profileOf, type State } from '../../../src/kinds/investigation/protocol/profiles.ts';
import { propose } from '../../../src/kinds/investigation/protocol/propose.ts';
import {
  commitReply,
  end,
  endReply,
  proposeReply,
  type Reply,
  reclassifyReply,
  statusReply,
} from '../../../src/kinds/investigation/protocol/replies.ts';
import { type StartArgs, setupFor } from '../../../src/kinds/investigation/protocol/start.ts';

/** A node of a proposal: its id, its parent, and a title if that matters. */
type NodeRow = readonly [id: string, parent: string | null, title?: string];
/** A result of a commit: the node, its state, and findings or an agent if they matter. */
type ResultRow = readonly [id: string, state: string, more?: { findings?: string; agentId?: string }];

/** One call of a client, short enough to be read in a table. */
export type PlayedCall =
  | { readonly propose: readonly NodeRow[]; readonly quiet?: boolean; readonly after?: number }
  | {
      readonly commit: readonly ResultRow[];
      readonly minRounds?: number;
      readonly allowEarlyTerminal?: boolean;
      readonly agents?: AgentFindings;
      readonly after?: number;
    }
  | { readonly reclassify: readonly [id: string, state: string]; readonly after?: number }
  | { readonly status: true; readonly after?: number }
  | { readonly end: { readonly minRounds?: number }; readonly after?: number };

/** How long a client waits before each call, in milliseconds: long enough for an agent to have worked. */
const USUAL_MS = 60_000;

export const SOURCES = 'Looked around.\n\n## References\n- src/a.ts - read\n';

let agents = 0;

/** Names the agents of a commit that needs them, so that whoever else plays it has the same. */
export function withAgents(call: PlayedCall, profile: ProfileName): PlayedCall {
  if (!('commit' in call) || profileOf({ profile }).agents !== 'required') return call;
  const found: Record<string, 'found'> = {};
  const commit = call.commit.map(([id, state, more = {}]) => {
    if ('agentId' in more) return [id, state, more] as const;
    const agentId = (++agents).toString(16).padStart(7, 'e');
    found[agentId] = 'found';
    return [id, state, { ...more, agentId }] as const;
  });
  return { ...call, commit, agents: { ...found, ...call.agents } };
}

/** An investigation that is played in memory. */
export class Played {
  at: Investigation;
  now = 1_000_000;
  readonly findings = new Map<string, string>();
  readonly changes: Change[] = [];
  #agents = 0;

  constructor(profile: ProfileName, start: Partial<StartArgs> = {}, person = {}) {
    this.at = emptyInvestigation(setupFor(profile, { query: 'Why?', ...start }, { sessionId: 'played', ...person }));
  }

  play(call: PlayedCall): Reply {
    this.now += call.after ?? USUAL_MS;
    if ('propose' in call) return this.#propose(call);
    if ('commit' in call) return this.#commit(call);
    if ('status' in call) return statusReply(this.at);
    if ('reclassify' in call) {
      const [id, state] = call.reclassify;
      const before = this.at;
      const verdict = reclassify(before, id, state as State);
      this.#take(verdict.change);
      return reclassifyReply(before, this.at, id, state, verdict);
    }
    const { minRounds } = call.end;
    const verdict = end(this.at, minRounds);
    this.#take(verdict.change);
    return endReply(this.at, verdict, this.findings, minRounds);
  }

  #propose({ propose: rows, quiet = false }: Extract<PlayedCall, { propose: unknown }>): Reply {
    const nodes = rows.map(([id, parent, title = 'Title']) => ({ id, parent, title, plannedAction: 'Look' }));
    const verdict = propose(this.at, nodes, this.now, { isQuiet: quiet });
    this.#take(verdict.change);
    return proposeReply(this.at, verdict, quiet);
  }

  #commit({
    commit: rows,
    agents = {},
    minRounds,
    allowEarlyTerminal,
  }: Extract<PlayedCall, { commit: unknown }>): Reply {
    const found: Record<string, 'found'> = {};
    const results = rows.map(([nodeId, state, more = {}]) => {
      // Every result has an agent of its own, which is there, unless the table says something else.
      const agentId =
        'agentId' in more ? more.agentId : profileOf(this.at).agents === 'required' ? this.#newAgent() : undefined;
      if (agentId && !('agentId' in more)) found[agentId] = 'found';
      return {
        nodeId,
        state: state as State,
        findings: more.findings ?? SOURCES,
        ...(agentId !== undefined && { agentId }),
      };
    });
    const verdict = commit(this.at, results, {
      now: this.now,
      agents: { ...found, ...agents },
      minRounds,
      allowEarlyTerminal,
    });
    this.#take(verdict.change);
    if (verdict.change) for (const { nodeId, findings } of results) this.findings.set(nodeId, findings);
    return commitReply(this.at, verdict);
  }

  #newAgent(): string {
    return (++this.#agents).toString(16).padStart(7, '0');
  }

  #take(change: Change | undefined): void {
    if (!change) return;
    this.changes.push(change);
    this.at = changed(this.at, change);
  }
}
