import { type Reason, toThoughtTreeError } from '../core/search/errors.ts';
import type { PauseReason } from '../core/search/events.ts';
import { isNothing, type Outcome } from '../engine/loop.ts';

/** The exit codes of the process; scripts rely on them. */
export const EXIT = {
  finished: 0,
  error: 1,
  usage: 2,
  budget: 3,
  person: 4,
  held: 5,
  declined: 6,
  waiting: 7,
  failed: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const OF_PAUSE: Record<PauseReason, ExitCode> = {
  user: EXIT.interrupted,
  budget: EXIT.budget,
  person: EXIT.person,
  store: EXIT.error,
};

// Errors that end a command before or outside of a run; any other reason is `error`.
const OF_ERROR: Partial<Record<Reason, ExitCode>> = {
  'bad-input': EXIT.usage,
  'not-found': EXIT.usage,
  exists: EXIT.usage,
  edited: EXIT.usage,
  'offer-gone': EXIT.usage,
  'offer-answered': EXIT.usage,
  'offer-taken': EXIT.usage,
  'offer-expired': EXIT.usage,
  budget: EXIT.budget,
  declined: EXIT.declined,
  unreachable: EXIT.person,
  'key-refused': EXIT.person,
  'quota-exceeded': EXIT.person,
  'unknown-model': EXIT.person,
  redirected: EXIT.person,
  'five-failures': EXIT.person,
  held: EXIT.held,
  'lease-lost': EXIT.held,
  aborted: EXIT.interrupted,
};

export function exitCodeOfOutcome(outcome: Outcome): ExitCode {
  if (outcome.state === 'paused') return OF_PAUSE[outcome.reason];
  if (outcome.state === 'waiting') return EXIT.waiting;
  return isNothing(outcome.results) ? EXIT.failed : EXIT.finished;
}

export function exitCodeOfError(error: unknown): ExitCode {
  return exitCodeOfReason(toThoughtTreeError(error).reason);
}

/** @param reason from another process: any word */
export function exitCodeOfReason(reason: string): ExitCode {
  return (Object.hasOwn(OF_ERROR, reason) && OF_ERROR[reason as Reason]) || EXIT.error;
}
