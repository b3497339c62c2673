import type { Message } from '../../core/messages/message.ts';
import * as say from '../messages.ts';
import type { Call, Result } from '../protocol.ts';
import type { AgentPlace } from './agent-place.ts';

/** Why a worker does not let an agent carry out a call. */
export interface RefusedCall {
  readonly reason: Extract<Result, { outcome: 'failure' }>['reason'];
  readonly why: Message;
}

/** Undefined if the agent may carry it out. */
export async function refusedCall(call: Call, place: AgentPlace): Promise<RefusedCall | undefined> {
  if (!place.isProven(call)) return { reason: 'bad-request', why: say.agentOfOthers() };
  // Of the search that sent it, it makes a new call.
  if (place.hasBegun(call.id)) return { reason: 'aborted', why: say.agentTwice() };
  if (!(await place.isThere())) return { reason: 'unreachable', why: say.agentFolderGone() };
  return undefined;
}
