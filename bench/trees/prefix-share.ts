import type { ModelRequest } from '../../src/core/ports/model.ts';

/** Bytes per block: shared prefixes count in whole blocks, as in providers' caches. */
const BLOCK = 64;

/** A request cut into blocks; each has a hash of itself and all before it. */
export interface Blocks {
  readonly bytes: number;
  readonly marks: readonly number[];
}

/**
 * Cuts a request into blocks: the bytes of its messages one after the other, each preceded by its role and followed by a
 * zero byte; the rest after the last whole block never counts as shared.
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

/** Remembers requests by their prefixes, and forgets none. */
export class Beginnings {
  readonly #seen = new Set<number>();

  /** Returns how many bytes of a request are a prefix of a remembered one. */
  sharedBytes({ marks }: Blocks): number {
    const unknown = marks.findIndex((mark) => !this.#seen.has(mark));
    return BLOCK * (unknown < 0 ? marks.length : unknown);
  }

  remember({ marks }: Blocks): void {
    for (const mark of marks) this.#seen.add(mark);
  }
}
