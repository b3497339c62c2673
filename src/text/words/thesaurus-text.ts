const BETWEEN = '\0';

/** The words of people, and those of code for them: lines of a form, a tab, and what it means. */
export interface ThesaurusText {
  /** In order. */
  readonly words: string;
  /** In order of their first two letters, which stemming leaves, and otherwise as they were written. */
  readonly phrases: string;
}

/** @param table a key has the forms that no stemmer joins, with | between them */
export function thesaurusTextOf(table: Readonly<Record<string, string>>): ThesaurusText {
  const words = new Map<string, string>();
  const phrases: string[] = [];
  for (const [forms, meaning] of Object.entries(table))
    for (const form of forms.split('|'))
      if (form.includes(' ')) phrases.push(lineOf(form, meaning));
      else words.set(form, lineOf(form, meaning));
  return {
    words: [...words.values()].sort().join(''),
    phrases: phrases.sort((a, b) => compare(a.slice(0, 2), b.slice(0, 2))).join(''),
  };
}

/** As bytes, to be kept beside a bundle. */
export function packThesaurus({ words, phrases }: ThesaurusText): Uint8Array {
  return Buffer.from(`${words}${BETWEEN}${phrases}`);
}

/** The text of such bytes. */
export function unpackThesaurus(bytes: Buffer): ThesaurusText {
  const [words = '', phrases = ''] = bytes.toString().split(BETWEEN);
  return { words, phrases };
}

function lineOf(form: string, meaning: string): string {
  return `${form}\t${meaning}\n`;
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
