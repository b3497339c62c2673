import { type Reason, toThoughtTreeError } from '../../core/search/errors.ts';

/**
 * The consequence for the search when a piece of work ends with an error: the node fails and the search continues; the
 * search pauses (for its budget, for a person, or because files cannot be written); the work was stopped on purpose; or
 * the search now belongs to another process.
 */
export type Consequence = 'fail' | 'budget' | 'person' | 'store' | 'stopped' | 'lost';

const CONSEQUENCES: Record<Reason, Consequence> = {
  unreachable: 'person',
  'rate-limited': 'fail',
  'server-error': 'fail',
  'key-refused': 'person',
  'quota-exceeded': 'person',
  'unknown-model': 'person',
  redirected: 'person',
  'bad-request': 'fail',
  'timed-out': 'fail',
  'cut-off': 'fail',
  refused: 'fail',
  'bad-answer': 'fail',
  aborted: 'stopped',
  'not-found': 'fail',
  'not-writable': 'store',
  'disk-full': 'store',
  damaged: 'fail',
  'newer-version': 'store',
  outside: 'fail',
  held: 'lost',
  'lease-lost': 'lost',
  'bad-input': 'person',
  exists: 'store',
  budget: 'budget',
  declined: 'person',
  'five-failures': 'person',
  'at-rest': 'person',
  edited: 'fail',
  'offer-gone': 'fail',
  'offer-answered': 'fail',
  'offer-taken': 'fail',
  'offer-expired': 'fail',
  INVALID_FORMAT: 'fail',
  GENERATION_FAILED: 'fail',
  EVALUATION_TIMEOUT: 'fail',
  SEARCH_EXHAUSTED: 'fail',
  internal: 'fail',
};

export function consequenceOf(error: unknown): Consequence {
  return CONSEQUENCES[toThoughtTreeError(error).reason];
}
