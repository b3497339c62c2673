import type { Passage } from '../cut/passage.ts';

const WRITTEN = /`([^`\n]{2,100})`|([\p{L}\p{N}_$@#./:-]{3,200})/gu;

/** The names that a question writes as code does: `setErrorHandler`, `Queue#push`, `max_retries`, `lib/reply.js`. */
export class ExactNames {
  readonly #names = new Set<string>();
  readonly #files = new Set<string>();

  constructor(question: string) {
    for (const [, quoted, bare] of question.matchAll(WRITTEN)) {
      const text = (quoted ?? bare ?? '').replace(/^[.,;:/-]+|(?<![.,;:/-])[.,;:/-]+$/g, '').replace(/\(\)$/, '');
      if (/\/|\.[a-z]{1,4}$/i.test(text)) this.#files.add(text.toLowerCase());
      for (const part of text.split(/[#./]|::/))
        if (quoted !== undefined || /[\p{Ll}\p{N}]\p{Lu}|\p{L}_\p{L}/u.test(part)) this.#names.add(part);
    }
  }

  /** Tells whether the question names a passage. */
  names({ identifier }: Passage): boolean {
    return identifier !== undefined && this.#names.has(identifier);
  }

  /** Which share of the names is written in a passage's lines. */
  shareIn({ file, start, end }: Passage): number {
    if (this.#names.size === 0) return 0;
    let found = 0;
    for (const name of this.#names)
      for (let row = start; row <= end; row++)
        if (file.lines[row]?.includes(name)) {
          found++;
          break;
        }
    return found / this.#names.size;
  }

  namesFile(path: string): boolean {
    const lower = path.toLowerCase();
    for (const name of this.#files) if (lower === name || lower.endsWith(`/${name}`)) return true;
    return false;
  }
}
