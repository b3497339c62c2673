import { randomUUID } from 'node:crypto';
import type { RefusedCall } from '../agents/refused-call.ts';
import type { Call } from '../protocol.ts';
import type { TakenCall } from '../queue.ts';
import type { Ending } from './carry-out.ts';
import type { Settle } from './spent-today.ts';

/** Beyond a call's own time, how long its answer is kept for a queue that is away, in seconds. */
const KEPT_SECONDS = 60;

/** A call that a worker took for itself. */
export interface AdmittedCall {
  readonly taken: TakenCall;
  readonly call: Call;
  readonly settle: Settle | undefined;
  readonly capped: number | undefined;
  readonly refused?: RefusedCall | undefined;
}

/** A call that a worker has taken, until its answer is in the queue. */
export class CallUnderWay {
  readonly taken: TakenCall;
  readonly call: Call;
  /** Counts what it used; undefined if the worker's own caps forbid it. */
  readonly settle: Settle | undefined;
  /** Why nothing is done for it. */
  readonly refused: RefusedCall | undefined;
  /** The most that it can cost, in dollars, if the fleet has a cap for its model. */
  readonly capped: number | undefined;
  /** Of this taking of the call, whoever takes it again. */
  readonly id = randomUUID();
  /** Milliseconds since 1970. */
  readonly since = Date.now();
  readonly #started = performance.now();
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor({ taken, call, settle, capped, refused }: AdmittedCall) {
    this.taken = taken;
    this.call = call;
    this.settle = settle;
    this.capped = capped;
    this.refused = refused;
    this.#timer = setTimeout(() => this.end('too-late'), call.seconds * 1000);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isWithdrawn(): boolean {
    return this.signal.reason === 'withdrawn';
  }

  /** Tells whether anybody still waits for its answer. */
  get isWanted(): boolean {
    return performance.now() - this.#started < (this.call.seconds + KEPT_SECONDS) * 1000;
  }

  /** Stops the request to the model's server. */
  end(why: Ending): void {
    if (!this.signal.aborted) this.#abort.abort(why);
  }

  answered(): void {
    clearTimeout(this.#timer);
  }
}
