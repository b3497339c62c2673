import type { Call } from '../calls.ts';
import { commit } from '../protocol/commit.ts';
import { end, endReply } from '../protocol/end.ts';
import { type Change, changed, type Investigation } from '../protocol/investigation.ts';
import type { State } from '../protocol/profiles.ts';
import { propose } from '../protocol/propose.ts';
import { reclassify } from '../protocol/reclassify.ts';
import { commitReply, proposeReply, type Reply, reclassifyReply } from '../protocol/replies.ts';

/** The outcome of a call: what it changes, unless it is refused, and what its caller gets to read. */
export interface Outcome {
  readonly change: Change | undefined;
  readonly reply: Reply;
}

/**
 * Returns the protocol's reply to a call, and its change.
 * @param now in milliseconds since 1970
 * @param findings those of all nodes: an end tells them, and another state may ask for sources in them
 * @throws ProtocolFault where the original fails itself
 */
export function outcomeOf(
  at: Investigation,
  call: Call,
  now: number,
  findings: ReadonlyMap<string, string> = new Map(),
): Outcome {
  if (call.do === 'propose') {
    const verdict = propose(at, call.nodes, now, { isQuiet: call.quiet === true });
    return { change: verdict.change, reply: proposeReply(at, verdict, call.quiet) };
  }
  if (call.do === 'commit') {
    const { minRounds, allowEarlyTerminal, agents = {}, absent = [] } = call;
    const results = call.results.map((result) => ({
      ...result,
      state: result.state as State,
      agentId: result.agentId ?? undefined,
    }));
    const verdict = commit(at, results, { now, agents, absent: new Set(absent), minRounds, allowEarlyTerminal });
    return { change: verdict.change, reply: commitReply(after(at, verdict.change), verdict) };
  }
  if (call.do === 'reclassify') {
    const verdict = reclassify(at, call.id, call.state as State, findings.get(call.id));
    const next = after(at, verdict.change);
    return { change: verdict.change, reply: reclassifyReply(at, next, call.id, call.state, verdict) };
  }
  const verdict = end(at, call.minRounds);
  return { change: verdict.change, reply: endReply(at, verdict, findings, call.minRounds) };
}

function after(at: Investigation, change: Change | undefined): Investigation {
  return change ? changed(at, change) : at;
}
