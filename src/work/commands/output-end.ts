import { createHash } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { LONGEST_OUTPUT } from '../../core/ports/workshop.ts';
import { withoutCommands } from '../../core/text/text.ts';

/** The length that is kept of the end before it is cleaned, in bytes. */
const KEPT = 8 * LONGEST_OUTPUT;
/** A command that writes more is ended, in bytes. */
const MOST = 64 * 1024 * 1024;

/** Collects the end of an output, and a hash of all of it. */
export class OutputEnd {
  readonly #hash = createHash('sha256');
  #pieces: Buffer[] = [];
  #kept = 0;
  #bytes = 0;

  /** @returns whether it may write more */
  take(piece: Buffer): boolean {
    this.#hash.update(piece);
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    this.#kept += piece.length;
    if (this.#kept > 2 * KEPT) {
      const end = Buffer.concat(this.#pieces).subarray(-KEPT);
      this.#pieces = [end];
      this.#kept = end.length;
    }
    return this.#bytes <= MOST;
  }

  /** Returns what it begins with, if nothing was left out of it yet. */
  start(): string {
    return this.#bytes === this.#kept ? Buffer.concat(this.#pieces).subarray(0, 500).toString('utf8') : '';
  }

  /** In hex; to be asked for once. */
  hash(): string {
    return this.#hash.digest('hex');
  }

  /** The end, without what a terminal would obey, and without secrets; cut only then, so that none is cut in two. */
  async text(redact: (text: string) => Promise<string>): Promise<string> {
    const end = Buffer.concat(this.#pieces).subarray(-KEPT).toString('utf8');
    const lines = stripVTControlCharacters(end).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    const safe = (await redact(withoutCommands(lines))).toWellFormed();
    return safe.slice(-LONGEST_OUTPUT).toWellFormed();
  }
}
