import * as z from 'zod';
import { Said } from '../messages/said.ts';
import { Guards, Size } from './limits.ts';

const node = z.string().max(1000);

/** What a person can do to a search. Nodes are named by slug path, empty for the search as a whole. */
export const SteerAction = z.discriminatedUnion('action', [
  z.object({ action: z.literal('pause'), now: z.boolean().optional() }),
  z.object({ action: z.literal('finish') }),
  z.object({ action: z.literal('report') }),
  z.object({
    action: z.literal('grow'),
    size: Size.optional(),
    maxDepth: z.number().int().min(1).max(64).optional(),
    guards: Guards.optional(),
  }),
  z.object({ action: z.literal('prune'), node }),
  z.object({ action: z.literal('restore'), node }),
  z.object({ action: z.literal('expand'), node }),
  z.object({ action: z.literal('retry'), node: node.optional() }),
  /** `force`: also where a person edited the document. */
  z.object({ action: z.literal('redo'), node, force: z.boolean().optional() }),
  z.object({ action: z.literal('add'), node, title: z.string().min(1).max(1000) }),
  z.object({ action: z.literal('note'), node: node.optional(), text: z.string().min(1).max(20_000) }),
]);
export type SteerAction = z.infer<typeof SteerAction>;

/** A steering action as another process asks for it, in `.search/requests/<id>.json`. */
export const SteerRequest = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  by: z.string().max(200),
  time: z.string().max(60),
  action: SteerAction,
});
export type SteerRequest = z.infer<typeof SteerRequest>;

/** What came of a request, in `.search/requests/<id>.done.json`. */
export const SteerReply = z.object({
  ok: z.boolean(),
  reason: z.string().max(100).optional(),
  message: z.string().max(4000),
  /** The same as data. */
  say: Said,
});
export type SteerReply = z.infer<typeof SteerReply>;
