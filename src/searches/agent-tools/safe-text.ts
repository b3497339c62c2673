import { jsonInText } from '../../core/text/loose-json.ts';
import { oneLine, withoutCommands } from '../../core/text/text.ts';

/** The most characters of a text in one answer. */
const PAGE = 16_000;
const LONGEST_TITLE = 300;

/** A part of a text that fits into an answer. */
export interface Page {
  readonly text: string;
  readonly offset: number;
  readonly next_offset?: number;
  readonly total_chars: number;
}

/**
 * Returns a part of a text from an offset on; never half a character, and nothing that a terminal or a prompt would
 * obey.
 */
export function pageOf(whole: string, from: number): Page {
  const text = withoutCommands(whole);
  const offset = beginningOf(text, Math.min(from, text.length));
  const end = offset + PAGE >= text.length ? text.length : beginningOf(text, offset + PAGE);
  const more = end < text.length ? { next_offset: end } : {};
  return { text: text.slice(offset, end), offset, ...more, total_chars: text.length };
}

/** Returns the text of a page, with a last line that says how to go on. */
export function withRest({ text, next_offset, total_chars }: Page): string {
  return next_offset === undefined
    ? text
    : `${text}\n\n[${next_offset} of ${total_chars} characters; offset: ${next_offset} continues]`;
}

/** Returns a title of a model or a person, in one line. */
export function shownTitle(title: string): string {
  return oneLine(title, LONGEST_TITLE);
}

/** The second half of a surrogate pair belongs to the first. */
function beginningOf(text: string, at: number): number {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}

/** A value that is wanted, as an option or an argument says. */
interface WantedValue {
  readonly name: string;
  readonly type: string;
}

/** The types whose values are texts. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'choice', 'name']);

/** Values by name, with what was written as text read as what is wanted: some clients write numbers and lists so. */
export function meantValues<V>(
  given: Readonly<Record<string, V>>,
  wanted: readonly WantedValue[],
): Readonly<Record<string, V>> {
  const types = new Map(wanted.map(({ name, type }) => [name, type]));
  const read = ([name, value]: [string, V]): [string, V] => {
    const type = types.get(name) ?? 'text';
    const meant = typeof value === 'string' && !TEXTS.has(type) ? jsonInText(value) : undefined;
    return [name, (meant as V | undefined) ?? value];
  };
  return Object.fromEntries(Object.entries(given).map(read));
}
