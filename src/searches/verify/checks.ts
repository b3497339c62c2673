import type { Message } from '../../core/messages/message.ts';

/** The result of a check; `unknown` means that it cannot be checked here. */
export type CheckResult = 'holds' | 'fails' | 'unknown';

/** One thing that was checked again. */
export interface Check {
  /** Slug path of its node. */
  readonly path: string;
  readonly what: 'receipt' | 'citation';
  /** Who the receipt names, or the place that is cited. */
  readonly about: string;
  readonly result: CheckResult;
  /** Why it does not hold, or cannot be checked. */
  readonly why?: Message | undefined;
}

/** The number of checks of one sort with each result. */
export type CheckCounts = Readonly<Record<CheckResult, number>>;

/** Counts checks of one sort. */
export function countChecks(checks: readonly Check[], what: Check['what']): CheckCounts {
  const counts = { holds: 0, fails: 0, unknown: 0 };
  for (const check of checks) if (check.what === what) counts[check.result]++;
  return counts;
}
