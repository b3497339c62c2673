import type { Change } from './investigation.ts';

/** The code of a broken rule, for programs. */
export type ErrorCode =
  | 'SESSION_NOT_FOUND'
  | 'INVALID_ID_FORMAT'
  | 'DUPLICATE_ID'
  | 'DUPLICATE_IN_BATCH'
  | 'PARENT_NOT_FOUND'
  | 'TERMINAL_PARENT'
  | 'NOT_PROPOSED'
  | 'NODE_NOT_FOUND'
  | 'HAS_CHILDREN'
  | 'MISSING_AGENT'
  | 'REUSED_AGENT'
  | 'FAKE_AGENT'
  | 'UNVERIFIED_AGENT'
  | 'BATCH_OVERFLOW'
  | 'INSUFFICIENT_ROOTS'
  | 'INVALID_CHILD_STATE'
  | 'MISSING_TITLE'
  | 'SECOND_ROOT'
  | 'WRONG_ROUND'
  | 'WRONG_SUFFIX'
  | 'MISSING_SOURCES'
  | 'DEPTH_ENFORCED'
  | 'EXHAUST_ENFORCED'
  | 'DEAD_ENFORCED';

/** A rule that a call breaks. */
export interface ProtocolError {
  /** The node, or `SESSION` or `BATCH`. */
  readonly nodeId: string;
  readonly error: ErrorCode;
  readonly message: string;
  /** A suggestion how to put it right. */
  readonly suggestion: string;
}

/** The protocol's verdict on a call: what it changes, or every rule that it breaks; then it changes nothing. */
export interface Verdict<C extends Change = Change> {
  readonly errors: readonly ProtocolError[];
  /** Each with its code and, as the first id in it, its node's. */
  readonly warnings: readonly string[];
  /** Undefined if it is refused. */
  readonly change: C | undefined;
}

/** A call that the original could not carry out at all, besides breaking a rule. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
}

/** Tells whether an error is such a fault, by its name: bundles have their own copies of the class. */
export function isProtocolFault(error: unknown): error is ProtocolFault {
  return error instanceof Error && error.name === 'ProtocolFault';
}

/** A verdict: refused if there is any error. */
export function verdict<C extends Change>(
  errors: readonly ProtocolError[],
  change: () => C,
  warnings: readonly string[] = [],
): Verdict<C> {
  return errors.length > 0 ? { errors, warnings: [], change: undefined } : { errors, warnings, change: change() };
}

/** The error of a call that names no investigation of ours. */
export function sessionNotFound(sessionId: string): ProtocolError {
  return {
    nodeId: 'SESSION',
    error: 'SESSION_NOT_FOUND',
    message: `There is no investigation with the id "${sessionId.slice(0, 100)}".`,
    suggestion: 'Use the sessionId that tot_start gave you; tot_list lists the investigations of this folder.',
  };
}
