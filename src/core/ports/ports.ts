/** Time, so that tests and benchmarks can bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some moment: passes evenly, also when the computer's clock is set. For durations only. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, or at once when the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Randomness, so that a search can be repeated. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** Returns a fresh id for a conversation, a call or a lease. */
  id(): string;
}
