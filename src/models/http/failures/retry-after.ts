import * as z from 'zod';

const HOUR = 3_600_000;

/**
 * Returns how long a server asks us to wait, in milliseconds from 0 to an hour, by `retry-after-ms` or `retry-after`
 * (seconds or a date), or `retryDelay` in Google's error bodies; undefined if it does not say, or it is unreadable.
 */
export function retryAfterMs(headers: Headers, body: unknown, now: number): number | undefined {
  const milliseconds = numberIn(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return bounded(milliseconds);
  const value = headers.get('retry-after');
  const seconds = numberIn(value) ?? delayIn(body);
  if (seconds !== undefined) return bounded(seconds * 1000);
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : bounded(date - now);
}

const ErrorDetails = z.object({
  error: z.object({ details: z.array(z.object({ retryDelay: z.string().optional() }).catch({})) }),
});

/** Seconds, from `{"error": {"details": [{"@type": "…RetryInfo", "retryDelay": "34s"}]}}`. */
function delayIn(body: unknown): number | undefined {
  const { data } = ErrorDetails.safeParse(Array.isArray(body) ? body[0] : body);
  const delay = data?.error.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  return numberIn(delay?.replace(/s$/, '') ?? null);
}

function numberIn(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function bounded(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), HOUR);
}
