import * as z from 'zod';

/**
 * What somebody asks for: an action by its name, the node it is done to, and, next to these two, what it is told. Nodes
 * are named by slug path, empty for the search as a whole.
 */
export const ActionCall = z.looseObject({
  action: z.string().min(1).max(60),
  node: z.string().max(1000).optional(),
});
export type ActionCall = z.infer<typeof ActionCall>;

/** What an action is told. */
export function argsOf({ action: _action, node: _node, ...args }: ActionCall): Record<string, unknown> {
  return args;
}
