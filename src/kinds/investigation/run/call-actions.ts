import * as z from 'zod';
import { foreign } from '../../../core/messages/message.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import type { Action, Actions } from '../../../engine/actions/action.ts';
import { type Call, CommitArgs, ConcludeArgs, ProposeArgs, ReclassifyArgs } from '../calls.ts';
import type { Reply } from '../protocol/replies.ts';
import { isProtocolFault } from '../protocol/verdict.ts';
import { makeCall } from './make-call.ts';

const ReplyData: z.ZodType<Reply> = z.record(z.string(), z.unknown());

/** An action that makes one kind of call; what breaks a rule is part of its reply. */
function calling<Args extends object>(args: z.ZodType<Args>, callOf: (args: Args) => Call): Action<Args, Reply> {
  return {
    args,
    result: ReplyData,
    isLoops: true,
    tellsItself: true,
    async run(acting, given) {
      try {
        return await makeCall(acting, callOf(given));
      } catch (error) {
        if (isProtocolFault(error))
          throw new ThoughtTreeError('bad-input', foreign({ text: error.message }), { cause: error });
        throw error;
      }
    },
    say: (reply) => foreign({ text: String(reply['message'] ?? reply['reason'] ?? reply['status']) }),
  };
}

/** The actions that carry out the calls of an investigation. */
export const CALL_ACTIONS: Actions = {
  propose: calling(ProposeArgs, (args) => ({ do: 'propose', ...args })),
  commit: calling(CommitArgs, (args) => ({ do: 'commit', ...args })),
  reclassify: calling(ReclassifyArgs, (args) => ({ do: 'reclassify', ...args })),
  conclude: calling(ConcludeArgs, (args) => ({ do: 'end', ...args })),
} as Actions;
