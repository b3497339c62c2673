import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Spent = z.object({ calls: z.number(), tokens: z.number(), usd: z.number() });
export type Spent = z.infer<typeof Spent>;

/** The amount that one call can use at most, or used. */
export type Amount = Omit<Spent, 'calls'>;

/** Says what a call that was booked really used: nothing if that is not known. */
export type Settle = (used?: Amount | 'unmade') => void;

export interface DayCaps {
  readonly tokens: number;
  readonly usd: number;
}

const NOTHING: Spent = { calls: 0, tokens: 0, usd: 0 };
/** Sums of fractions drift by less, in dollars. */
const DRIFT = 1e-9;
/** The number of tries to book a call while others are in its way. */
const TRIES = 5;

/**
 * The amounts that the workers of this user spent today (UTC), kept in a folder of theirs: a file for each process.
 * Calls under way are in it at their worst case, so that those of a killed worker count; the real usage of a call is
 * there at the next `keep`, or with the next call, so that no answer waits for the disk.
 */
export class SpentToday {
  readonly #folder: string | undefined;
  readonly #file: string;
  readonly #caps: DayCaps;
  readonly #now: () => Date;
  #day = '';
  #own = NOTHING;
  #booked = NOTHING;
  /** The largest call so far. */
  #largest: Amount | undefined;
  /** True if the file does not have all of it yet. */
  #isBehind = false;

  /** @param folder undefined if nothing can be kept */
  constructor(folder: string | undefined, id: string, caps: DayCaps, now: () => Date = () => new Date()) {
    this.#folder = folder;
    this.#file = `${id}.json`;
    this.#caps = caps;
    this.#now = now;
    this.#turn();
  }

  /** Today, as a date (UTC). */
  get day(): string {
    this.#turn();
    return this.#day;
  }

  /** Tells whether a call may be made. */
  fits(worst: Amount): boolean {
    const { tokens, usd } = this.total;
    return tokens + worst.tokens <= this.#caps.tokens && usd + worst.usd <= this.#caps.usd + DRIFT;
  }

  /** Tells whether so many calls may be made, if they are like those so far. */
  isAmple(calls: number): boolean {
    if (!this.#largest) return false;
    return this.fits({ tokens: calls * this.#largest.tokens, usd: calls * this.#largest.usd });
  }

  get total(): Spent {
    this.#turn();
    return sum(this.#others(), this.#own, this.#booked);
  }

  /**
   * Books a call if no cap forbids it. Others may do so at the same moment: each writes it down first, then looks once more,
   * and takes it back if it was too much. So the last one to write sees all, and together they never pass a cap.
   */
  book(worst: Amount): Settle | undefined {
    for (let tries = 0; tries < TRIES && this.fits(worst); tries++) {
      const settle = this.#writeDown(worst);
      if (this.fits(NOTHING)) {
        const { tokens = 0, usd = 0 } = this.#largest ?? {};
        this.#largest = { tokens: Math.max(tokens, worst.tokens), usd: Math.max(usd, worst.usd) };
        return settle;
      }
      settle('unmade');
      this.keep();
    }
    return undefined;
  }

  #writeDown(worst: Amount): Settle {
    this.#turn();
    const booking = { calls: 1, ...worst };
    this.#booked = sum(this.#booked, booking);
    this.#isBehind = true;
    this.keep();
    return (used = worst) => {
      this.#turn();
      this.#booked = sum(this.#booked, minus(booking));
      if (used !== 'unmade') this.#own = sum(this.#own, { calls: 1, ...used });
      this.#isBehind = true;
      // Never less than it was.
      if (used !== 'unmade' && (used.tokens > worst.tokens || used.usd > worst.usd)) this.keep();
    };
  }

  /** Writes down what calls have used that have ended since. */
  keep(): void {
    if (this.#folder === undefined || !this.#isBehind) return;
    this.#isBehind = false;
    const folder = join(this.#folder, this.#day);
    const file = join(folder, this.#file);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.tmp`, JSON.stringify(sum(this.#own, this.#booked)), { mode: 0o600 });
      renameSync(`${file}.tmp`, file);
    } catch {
      // A full disk: this process still knows.
    }
  }

  /** Begins a new day. */
  #turn(): void {
    const day = this.#now().toISOString().slice(0, 10);
    if (day === this.#day) return;
    this.#day = day;
    this.#own = NOTHING;
    // Calls under way count today, since they end today.
    this.#isBehind = this.#booked.calls > 0;
    if (this.#folder === undefined) return;
    for (const old of namesIn(this.#folder))
      if (old < day) rmSync(join(this.#folder, old), { recursive: true, force: true });
  }

  #others(): Spent {
    if (this.#folder === undefined) return NOTHING;
    const folder = join(this.#folder, this.#day);
    const files = namesIn(folder).filter((name) => name.endsWith('.json') && name !== this.#file);
    return sum(...files.map((name) => spentIn(join(folder, name))));
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function spentIn(file: string): Spent {
  try {
    return Spent.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return NOTHING;
  }
}

function sum(...parts: readonly Spent[]): Spent {
  const of = (name: keyof Spent): number => parts.reduce((total, part) => total + part[name], 0);
  return { calls: of('calls'), tokens: of('tokens'), usd: of('usd') };
}

function minus({ calls, tokens, usd }: Spent): Spent {
  return { calls: -calls, tokens: -tokens, usd: -usd };
}
