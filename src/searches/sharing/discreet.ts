import { SecretFilter } from '../../text/secrets/secret-filter.ts';

/** Read like prose that may quote anything. */
const AS = 'shared.md';
/** Lines that are looked through at once. */
const LINES = 2000;

/** Leaves out of texts for other people what looks like a secret: as strictly as of what models are sent. */
export class Discreet {
  readonly #filter = new SecretFilter('/');
  /** The number of secrets that were left out so far. */
  secrets = 0;

  async text(text: string): Promise<string> {
    const hidden = await this.#filter.hide(AS, text);
    this.secrets += hidden.secrets;
    return hidden.text;
  }

  /** Does this for many texts of one line each, faster than one by one. */
  async lines(lines: readonly string[]): Promise<string[]> {
    const out: string[] = [];
    for (let at = 0; at < lines.length; at += LINES) {
      const some = lines.slice(at, at + LINES);
      out.push(...(await this.text(some.join('\n'))).split('\n'));
    }
    return out;
  }
}
