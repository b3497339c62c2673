import type { Model, ModelRequest } from '../../core/ports/model.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { utf8Length } from '../../core/text/text.ts';
import { workStopped } from '../messages.ts';

/** The time for which a provider caches a prefix that nobody sends again, in milliseconds: the shortest time in use. */
const KEPT_MS = 5 * 60_000;

/** A request's place among those with the same prefix. */
export interface WarmingPlace {
  /** The answer has begun: requests with the same prefix are served from the cache from here on. */
  readonly begun: () => void;
  /** The request has ended, in whatever way. */
  readonly over: () => void;
}

const ALONE: WarmingPlace = { begun: () => undefined, over: () => undefined };

/**
 * If a provider's cache serves a prefix only once a first request with it was answered, one of the requests that share it
 * goes ahead and the others wait until its answer begins or it ends. The first one waits for nobody here, and ends at the
 * latest when its time is up; so nobody waits for ever.
 */
export class CacheWarming {
  readonly #clock: Clock;
  /** When each prefix was last used, the latest last. */
  readonly #warm = new Map<string, number>();
  readonly #ahead = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws ThoughtTreeError `aborted` if the work is stopped meanwhile; then nothing was asked */
  async enter(request: ModelRequest, model: Model, signal: AbortSignal): Promise<WarmingPlace> {
    if (!model.warmsCache || !request.shared) return ALONE;
    const key = keyOf(request, model);
    for (let ahead = this.#ahead.get(key); ahead && !this.#isWarm(key); ahead = this.#ahead.get(key))
      await settled(ahead, signal);
    if (this.#isWarm(key)) {
      this.#use(key);
      return ALONE;
    }
    return this.#goAhead(key);
  }

  #goAhead(key: string): WarmingPlace {
    let release = (): void => undefined;
    const ahead = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#ahead.set(key, ahead);
    const over = (): void => {
      if (this.#ahead.get(key) === ahead) this.#ahead.delete(key);
      release();
    };
    const begun = (): void => {
      this.#use(key);
      this.#forgetCold();
      over();
    };
    return { begun, over };
  }

  #isWarm(key: string): boolean {
    const since = this.#warm.get(key);
    return since !== undefined && this.#clock.monotonic() - since < KEPT_MS;
  }

  /** Each use extends the time for which it is kept. */
  #use(key: string): void {
    this.#warm.delete(key);
    this.#warm.set(key, this.#clock.monotonic());
  }

  #forgetCold(): void {
    for (const key of this.#warm.keys()) {
      if (this.#isWarm(key)) return;
      this.#warm.delete(key);
    }
  }
}

/** Requests of one parent that share as many turns have the same prefix, whatever they ask. */
function keyOf({ node, shared = 0, turns }: ModelRequest, { name }: Model): string {
  const bytes = turns.slice(0, shared).reduce((sum, { text }) => sum + utf8Length(text), 0);
  return `${name} ${node.slice(0, Math.max(0, node.lastIndexOf('/')))} ${shared} ${bytes}`;
}

async function settled(ahead: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new ThoughtTreeError('aborted', workStopped(), { charged: false }));
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([ahead, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
