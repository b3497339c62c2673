import * as z from 'zod';
import { Said } from '../messages/said.ts';

/**
 * A request for an action: its name, the node it is applied to and, next to these two, its arguments. Nodes are named by
 * slug path, empty for the search as a whole.
 */
export const ActionCall = z.looseObject({
  action: z.string().min(1).max(60),
  node: z.string().max(1000).optional(),
});
export type ActionCall = z.infer<typeof ActionCall>;

/** Returns the arguments of an action. */
export function argsOf({ action: _action, node: _node, ...args }: ActionCall): Record<string, unknown> {
  return args;
}

/** A request of another process, in `.search/requests/<id>.json`. */
export const ActionRequest = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  by: z.string().max(200),
  time: z.string().max(60),
  /** The token of the lease that it is for. */
  lease: z.string().min(1).max(200),
  /** Shows that whoever asks is the user who runs the search; see `store/requests/request-files.ts`. */
  proof: z.string().max(200).optional(),
  action: ActionCall,
});
export type ActionRequest = z.infer<typeof ActionRequest>;

/** The reply to a request, in `.search/requests/<id>.done.json`. */
export const ActionReply = z.object({
  ok: z.boolean(),
  reason: z.string().max(100).optional(),
  message: z.string().max(4000),
  /** The message as data. */
  say: Said,
  /** The result as data, in the form that the action defines. */
  value: z.unknown().optional(),
  /** The problem of each answer to an offer, if several were refused. */
  problems: z
    .array(
      z.object({ offer: z.string().max(100), reason: z.string().max(100), message: z.string().max(4000), say: Said }),
    )
    .max(1000)
    .optional(),
});
export type ActionReply = z.infer<typeof ActionReply>;
