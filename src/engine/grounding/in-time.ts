import type { Clock } from '../../core/ports/ports.ts';

/** Asks something that a prompt can do without: what is `instead` where it fails, or takes longer than it may. */
export async function inTime<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  instead: Answer,
  { clock, waitMs, signal }: { readonly clock: Clock; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Answer> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const late = clock.sleep(waitMs, stop.signal).then(() => instead);
  try {
    return await Promise.race([ask(stop.signal).catch(() => instead), late]);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
