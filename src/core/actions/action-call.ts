import * as z from 'zod';

/**
 * A request for an action: its name, the node it is applied to and, next to these two, its arguments. Nodes are named by
 * slug path, empty for the search as a whole.
 */
export const ActionCall = z.looseObject({
  action: z.string().min(1).max(60),
  node: z.string().max(1000).optional(),
});
export type ActionCall = z.infer<typeof ActionCall>;

/** The arguments of an action. */
export function argsOf({ action: _action, node: _node, ...args }: ActionCall): Record<string, unknown> {
  return args;
}
