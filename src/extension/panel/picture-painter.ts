import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { HostMessage } from '../../protocol/host-message.ts';
import { notPainted } from '../messages.ts';

/** The time that the page may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Has the page of a panel make pictures of pixels: only a browser can. */
export class PicturePainter {
  readonly #wanted = new Map<number, (png: string | undefined) => void>();
  #number = 0;

  /**
   * @param svg a file of our own
   * @returns a PNG file
   * @throws ThoughtTreeError `timed-out` if the page does not answer, or cannot draw it
   */
  async paint(svg: string, post: (message: HostMessage) => void): Promise<Uint8Array> {
    const number = ++this.#number;
    const painted = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => painted.resolve(undefined), PATIENCE_MS);
    this.#wanted.set(number, painted.resolve);
    post({ type: 'paint', number, svg });
    try {
      const png = await painted.promise;
      if (png === undefined) throw new ThoughtTreeError('timed-out', notPainted());
      return Buffer.from(png, 'base64');
    } finally {
      clearTimeout(timer);
      this.#wanted.delete(number);
    }
  }

  /** Takes an answer of the page. */
  take(number: number, png: string | undefined): void {
    this.#wanted.get(number)?.(png);
  }

  /** The page is gone. */
  close(): void {
    for (const resolve of this.#wanted.values()) resolve(undefined);
  }
}
