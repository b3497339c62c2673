import type { NodeStatus } from './node-status.ts';

/**
 * What a node counts as. Pruning is recorded on the top of a branch alone, but what is open below it is so no more: nobody
 * will work on it. What was done there stays done.
 * @param isCutOff whether a node above it is pruned
 */
export function countedAs(status: NodeStatus, isCutOff: boolean): NodeStatus {
  return isCutOff && (status === 'unexpanded' || status === 'in-progress') ? 'pruned' : status;
}
