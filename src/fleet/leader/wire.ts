import { createHash } from 'node:crypto';
import type { ModelRequest } from '../../core/ports/model.ts';
import type { AgentPlace } from '../agents/agent-place.ts';
import { Call, SessionId, type WireRequest } from '../protocol.ts';

/** Returns what travels: all that a model behind HTTP reads, and the sessions that an agent may continue. */
export function wireOf(
  { data: _, workplace: _place, turns, ...request }: ModelRequest,
  isForAgent: boolean,
): WireRequest {
  const plain = turns.map(({ session, ...turn }) => ({
    ...turn,
    // It comes from a file, which anybody may have written.
    ...(isForAgent && SessionId.safeParse(session).success && { session }),
  }));
  return { ...request, turns: plain } as WireRequest;
}

/** As its worker will read it: what it does not read is not proved either. */
export function proven(call: Call, agents: AgentPlace): Call {
  const read = Call.parse(call);
  return { ...read, proof: agents.prove(read) };
}

/** Returns a hash of what a call asks: another one that asks the same may have its answer. */
export function asksOf(question: string, wire: WireRequest): string {
  return createHash('sha256').update(question).update(JSON.stringify(wire)).digest('hex');
}
