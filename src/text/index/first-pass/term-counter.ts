import { isRandom } from '../../secrets/value-strength.ts';
import { termsOf } from '../../words/terms.ts';
import { type Salt, termHash } from './term-hash.ts';

/** How often the terms of a text occur in it. */
export interface Counted {
  /** Their hashes, sorted. */
  readonly hashes: Uint32Array;
  /** How often each occurs, 255 at most. */
  readonly counts: Uint8Array;
  /** How many terms the text has in all. */
  readonly total: number;
  readonly lines: number;
  /** Of the whole text, in characters. */
  readonly characters: number;
}

/** What a byte is part of: a run of letters, digits and `_`; the same beyond ASCII; both, within a run; or nothing. */
const [ASCII, OTHER, HYPHEN] = [1, 2, 4];
const KINDS = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  if (byte >= 128) KINDS[byte] = OTHER;
  else if (/\w/.test(String.fromCharCode(byte))) KINDS[byte] = ASCII;
}
KINDS[0x2d] = HYPHEN;
/** Nobody asks for longer ones. */
const LONGEST_RUN = 400;
/** A run at least this long is looked at closer: it may be a key, a hash, or a part of something in base64. */
const LEAST_RANDOM = 16;
/** How many runs are remembered; more are of no work space but the largest. */
const MOST_RUNS = 1 << 20;

/**
 * Counts the terms of texts by their bytes. A text consists of runs of letters and digits; which terms a run has is asked
 * once (`termsOf`) and then remembered, so that the terms are exactly those that a question has, but for names as one
 * word of two runs ("time out").
 */
export class TermCounter {
  readonly #salt: Salt;
  #runs = new Runs();
  /** The number of each hash, and the hash of each number. */
  #numbers = new Map<number, number>();
  #hashes: number[] = [];
  readonly #runTally = new Tally();
  readonly #tally = new Tally();

  constructor(salt: Salt) {
    this.#salt = salt;
  }

  /** @param extra terms that count so many times more, as those of a file's name */
  count(bytes: Uint8Array, extra: readonly (readonly [string, number])[] = []): Counted {
    if (this.#runs.size > MOST_RUNS) {
      this.#runs = new Runs();
      this.#numbers = new Map();
      this.#hashes = [];
    }
    for (const [term, times] of extra) this.#tally.add(this.#numberOf(term), times);
    const { length } = bytes;
    let [at, lines, beyond, total] = [0, 1, 0, 0];
    while (at < length) {
      const byte = bytes[at] as number;
      let kind = KINDS[byte] as number;
      if (kind === 0 || kind === HYPHEN) {
        at++;
        if (byte === 10) lines++;
        continue;
      }
      const start = at;
      let [first, second, kinds] = [0x811c9dc5, 0x9747b28c, 0];
      do {
        const one = bytes[at] as number;
        first = Math.imul(first ^ one, 0x01000193);
        second = Math.imul(second + one, 0x85ebca6b);
        second ^= second >>> 15;
        kinds |= kind;
        at++;
        kind = at < length ? (KINDS[bytes[at] as number] as number) : 0;
      } while (kind !== 0);
      if ((kinds & OTHER) !== 0) {
        const run = textOf(bytes, start, at);
        beyond += at - start - run.length;
        for (const term of this.#termsOf(run)) {
          this.#tally.add(term, 1);
          total++;
        }
      } else if (at - start <= LONGEST_RUN) {
        let run = this.#runs.find(first, second);
        if (run < 0) run = this.#runs.add(first, second, this.#termsOf(textOf(bytes, start, at)));
        this.#runTally.add(run, 1);
      }
    }
    this.#runTally.drain((run, times) => {
      total += times * this.#runs.eachTerm(run, (term) => this.#tally.add(term, times));
    });
    return { ...this.#sorted(), total, lines, characters: length - beyond };
  }

  #sorted(): Pick<Counted, 'hashes' | 'counts'> {
    // Hash and count in one number, so that they are sorted together.
    const both = new Float64Array(this.#tally.size);
    let filled = 0;
    this.#tally.drain((term, times) => {
      both[filled++] = (this.#hashes[term] as number) * 256 + Math.min(255, times);
    });
    both.sort();
    const hashes = new Uint32Array(filled);
    const counts = new Uint8Array(filled);
    for (let place = 0; place < filled; place++) {
      const one = both[place] as number;
      hashes[place] = one / 256;
      counts[place] = one % 256;
    }
    return { hashes, counts };
  }

  /** The numbers of a run's terms. */
  #termsOf(run: string): number[] {
    // What nobody would write by hand is not asked for either, and might be a secret.
    if (run.length > LONGEST_RUN || (run.length >= LEAST_RANDOM && run.split(/[_-]/).some(isNoWord))) return [];
    return termsOf(run).map((term) => this.#numberOf(term));
  }

  #numberOf(term: string): number {
    const hash = termHash(term, this.#salt);
    const known = this.#numbers.get(hash);
    if (known !== undefined) return known;
    this.#hashes.push(hash);
    this.#numbers.set(hash, this.#hashes.length - 1);
    return this.#hashes.length - 1;
  }
}

/** Long names of words without a digit are taken for random ones too easily. */
function isNoWord(part: string): boolean {
  return part.length >= LEAST_RANDOM && /\d/.test(part) && isRandom(part, LEAST_RANDOM);
}

/** The same numbers, with room for at least so many. */
function withRoom(numbers: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  if (least <= numbers.length) return numbers;
  const larger = new Uint32Array(Math.max(least, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/** How often each of some numbers occurs. */
class Tally {
  #times = new Uint32Array(1024);
  #touched: number[] = [];

  get size(): number {
    return this.#touched.length;
  }

  add(number: number, times: number): void {
    this.#times = withRoom(this.#times, number + 1);
    const before = this.#times[number] as number;
    if (before === 0) this.#touched.push(number);
    this.#times[number] = before + times;
  }

  /** Hands out all of them, and begins anew. */
  drain(each: (number: number, times: number) => void): void {
    const touched = this.#touched;
    this.#touched = [];
    for (const number of touched) {
      each(number, this.#times[number] as number);
      this.#times[number] = 0;
    }
  }
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** The runs that were met, by two hashes, each with its terms. */
class Runs {
  #first = new Int32Array(1 << 16);
  #second = new Int32Array(1 << 16);
  /** One more than the number of the run in a slot. */
  #number = new Int32Array(1 << 16);
  /** Where the terms of each run end; they begin where those of the run before end. */
  #ends = new Uint32Array(1 << 15);
  #terms = new Uint32Array(1 << 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns how many */
  eachTerm(run: number, each: (term: number) => void): number {
    const start = this.#startOf(run);
    const end = this.#ends[run] as number;
    for (let at = start; at < end; at++) each(this.#terms[at] as number);
    return end - start;
  }

  /** The number of a run, -1 if it was not met yet. */
  find(first: number, second: number): number {
    const mask = this.#number.length - 1;
    for (let slot = (first ^ second) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#number[slot] as number;
      if (number === 0) return -1;
      if (this.#first[slot] === first && this.#second[slot] === second) return number - 1;
    }
  }

  add(first: number, second: number, terms: readonly number[]): number {
    if (2 * (this.#size + 1) > this.#number.length) this.#grow();
    const run = this.#size++;
    const start = this.#startOf(run);
    this.#terms = withRoom(this.#terms, start + terms.length);
    this.#terms.set(terms, start);
    this.#ends = withRoom(this.#ends, run + 1);
    this.#ends[run] = start + terms.length;
    this.#place(first, second, run + 1);
    return run;
  }

  #startOf(run: number): number {
    return run === 0 ? 0 : (this.#ends[run - 1] as number);
  }

  #place(first: number, second: number, number: number): void {
    const mask = this.#number.length - 1;
    let slot = (first ^ second) & mask;
    while (this.#number[slot] !== 0) slot = (slot + 1) & mask;
    this.#first[slot] = first;
    this.#second[slot] = second;
    this.#number[slot] = number;
  }

  #grow(): void {
    const [first, second, number] = [this.#first, this.#second, this.#number];
    this.#first = new Int32Array(2 * number.length);
    this.#second = new Int32Array(2 * number.length);
    this.#number = new Int32Array(2 * number.length);
    for (let slot = 0; slot < number.length; slot++)
      if (number[slot] !== 0) this.#place(first[slot] as number, second[slot] as number, number[slot] as number);
  }
}
