import type { ServerCall } from './server-call.ts';
import { chance, choose } from './server-random.ts';

/**
 * What can go wrong with an answer.
 *
 * HTTP errors before the answer: `400`, `401`, `402`, `404`, `429`, `500`, `503`, `insufficient_quota` (a 429 that says
 * so), `redirect`. Connection: `reset` (before the headers), `cut` (destroyed in the middle of the answer), `hang` (no
 * answer until the client gives up), `stall` (half an answer, then nothing). Answers: `garbage` (well-formed, senseless
 * text), `html` (a web page with status 200), `malformed` (an event that is no JSON), `stream-error` (an error object
 * among the events), `no-finish` (ends without a finish reason and [DONE]), `no-usage`, `slow` (the answer comes `ms`
 * later).
 */
export type FaultKind =
  | '400'
  | '401'
  | '402'
  | '404'
  | '429'
  | '500'
  | '503'
  | 'insufficient_quota'
  | 'redirect'
  | 'reset'
  | 'cut'
  | 'hang'
  | 'stall'
  | 'garbage'
  | 'html'
  | 'malformed'
  | 'stream-error'
  | 'no-finish'
  | 'no-usage'
  | 'slow';

export interface Fault {
  readonly kind: FaultKind;
  /** Further headers of an HTTP error, as in `{'retry-after': '1'}`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of an HTTP error, or the error object of a `stream-error`, instead of the usual one. */
  readonly body?: unknown;
  /** Delay of a `slow` answer in milliseconds; by default 500. */
  readonly ms?: number;
  /** Where a `redirect` (307) leads. */
  readonly location?: string;
}

/** Decides what goes wrong with a request; nothing where it gives undefined. */
export type FaultChooser = (call: ServerCall) => Fault | FaultKind | undefined;

/** The faults that a search is expected to get over by itself. */
export const PASSING_FAULTS: readonly [FaultKind, ...FaultKind[]] = ['429', '500', '503', 'cut', 'hang', 'garbage'];

/** Faults on `rate` (0 to 1) of all requests, by purpose, node and attempt alone: the same whatever the timing. */
export function randomFaults(rate: number, seed: number, kinds = PASSING_FAULTS): FaultChooser {
  return ({ purpose, node, attempt }) => {
    if (chance(seed, 'fault', purpose, node, attempt) >= rate) return undefined;
    const kind = choose(kinds, seed, 'kind', purpose, node, attempt);
    return kind === '429' ? { kind, headers: { 'retry-after': '0' } } : kind;
  };
}

/** Milliseconds between `min` and `max`, by purpose, node and attempt alone. */
export function randomLatency(min: number, max: number, seed: number): (call: ServerCall) => number {
  return ({ purpose, node, attempt }) => min + chance(seed, 'latency', purpose, node, attempt) * (max - min);
}
