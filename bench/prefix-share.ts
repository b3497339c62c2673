import type { ModelRequest } from '../src/core/ports/model.ts';

/** Bytes in a block: what is shared counts in whole blocks from the beginning, as providers' caches count it. */
const BLOCK = 64;

/** A request cut into blocks; each has a mark that stands for it and for all before it. */
export interface Blocks {
  readonly bytes: number;
  readonly marks: readonly number[];
}

/**
 * Cuts a request into blocks. It is the bytes of its messages one after the other, each with its role before and a zero
 * byte behind; what is left after the last whole block is never shared.
 */
export function blocksOf({ system, turns, prompt }: ModelRequest): Blocks {
  const messages = [{ role: 'system', text: system }, ...turns, { role: 'user', text: prompt }];
  const data = Buffer.from(messages.map(({ role, text }) => `${role}\n${text}\0`).join(''));
  const marks: number[] = [];
  let a = 0x811c9dc5;
  let b = 0x41c6ce57;
  for (let at = 0; at + BLOCK <= data.length; at += BLOCK) {
    for (let i = at; i < at + BLOCK; i++) {
      const byte = data[i] as number;
      a = Math.imul(a ^ byte, 0x01000193);
      b = Math.imul(b ^ byte, 0x9e3779b1);
      b ^= b >>> 15;
    }
    marks.push((a >>> 0) * 0x200000 + (b >>> 11)); // 53 bits: no two of some millions are the same
  }
  return { bytes: data.length, marks };
}

/** Remembers requests by their beginnings, and forgets none. */
export class Beginnings {
  readonly #seen = new Set<number>();

  /** How many bytes of a request stand in the beginning of one that was remembered. */
  sharedBytes({ marks }: Blocks): number {
    const unknown = marks.findIndex((mark) => !this.#seen.has(mark));
    return BLOCK * (unknown < 0 ? marks.length : unknown);
  }

  remember({ marks }: Blocks): void {
    for (const mark of marks) this.#seen.add(mark);
  }
}
