import type { Span } from '../secrets/span.ts';

/** Seven bits of a number are in each byte, and whether more follow. */
const [BITS, MORE] = [7, 0x80];
/** The largest number, exclusive: far more than the length of any text. */
const TOO_LARGE = 2 ** 31;

/** Writes numbers from 0 up, below 2³¹: small ones take one byte. */
export class NumberWriter {
  #bytes = new Uint8Array(1024);
  #size = 0;

  get bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#size);
  }

  add(number: number): void {
    if (this.#size + 5 > this.#bytes.length) this.#grow();
    let rest = number;
    for (; rest >= MORE; rest >>>= BITS) this.#bytes[this.#size++] = (rest & (MORE - 1)) | MORE;
    this.#bytes[this.#size++] = rest;
  }

  /** A part of a text that is probably near a place. */
  addSpan({ start, end }: Span, near: number): void {
    const away = start - near;
    // Numbers in turn: 0, -1, 1, -2, …
    this.add(away < 0 ? -2 * away - 1 : 2 * away);
    this.add(end - start);
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a `NumberWriter` wrote; bytes that it cannot have written are errors. */
export class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The bytes that were not read yet. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  /** @throws RangeError */
  next(): number {
    let number = 0;
    for (let factor = 1; factor < TOO_LARGE; factor *= MORE) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      number += (byte % MORE) * factor;
      if (byte < MORE && number < TOO_LARGE) return number;
    }
    throw new RangeError('not a number');
  }

  /** @param length of the text @throws RangeError if there is no such part in it */
  nextSpan(near: number, length: number): Span {
    const away = this.next();
    const start = near + (away % 2 === 1 ? -(away + 1) / 2 : away / 2);
    const end = start + this.next();
    if (start < 0 || end > length) throw new RangeError('not in the text');
    return { start, end };
  }
}
