import { type Guard, Guards, type Limits } from '../../core/search/limits.ts';
import { calls } from '../terminal/messages.ts';
import { inWords } from '../terminal/translation.ts';
import { minuteLimit, tokenLimit } from './messages.ts';

/** The guard that stopped a search, and the option that raises it. */
export interface ReachedGuard {
  readonly guard: Guard;
  readonly limit: number;
  /** That option, with a value that is enough for a while. */
  readonly option: readonly [string, string];
}

/** The way to raise a guard: by its option, to twice its value, and by at least so much. */
const RAISE: Record<Guard, { readonly option: string; readonly step: number }> = {
  calls: { option: '--max-calls', step: 10 },
  minutes: { option: '--max-minutes', step: 1 },
  tokens: { option: '--max-tokens', step: 100_000 },
  usd: { option: '--max-usd', step: 1 },
};

/**
 * Tells how to raise the guard that paused a search; undefined if no guard did, or it no longer applies.
 * @param cause the cause reported by a run that the budget paused
 */
export function reachedGuard({ guards }: Limits, cause: string | undefined): ReachedGuard | undefined {
  const guard = Guards.keyof().safeParse(cause).data;
  const limit = guard && guards[guard];
  if (guard === undefined || limit === undefined) return undefined;
  const { option, step } = RAISE[guard];
  return { guard, limit, option: [option, String(Math.max(limit * 2, limit + step))] };
}

/** A guard in words: `1,000 calls`, `$5`. */
export function limitText(guard: Guard, count: number): string {
  if (guard === 'usd') return `$${count}`;
  return inWords({ calls, tokens: tokenLimit, minutes: minuteLimit }[guard]({ count }));
}
