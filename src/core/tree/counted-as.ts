import type { NodeStatus } from './node-status.ts';

/**
 * The status that a node counts as. Only the top of a branch is recorded as pruned, but open nodes below it no longer
 * count as open: nobody will work on them. Finished nodes stay finished.
 * @param isCutOff whether a node above it is pruned
 */
export function countedAs(status: NodeStatus, isCutOff: boolean): NodeStatus {
  return isCutOff && (status === 'unexpanded' || status === 'in-progress') ? 'pruned' : status;
}
