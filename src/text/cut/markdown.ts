import { relative, resolve } from 'node:path';

/** A text as one line of printable characters; anything that would break a line of Markdown or YAML becomes a space. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFEFF]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** At most `length` characters of a line, cut at a word if possible, with `…`. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).toWellFormed().replace(/(?<![\s,;:(–-])[\s,;:(–-]+$/, '')}…`;
}

/** A line as Markdown text, with all markup escaped. */
export function escapeText(text: string): string {
  // An underscore inside a word is not markup: paths and names stay readable in the source.
  return text.replace(/[\\`*[\]<>#|~&!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
}

/** A line as code in Markdown. */
export function code(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Lines, word for word, in a fence longer than any run of backticks inside. */
export function fenced(lines: readonly string[], language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return `${fence}${language}\n${lines.join('\n')}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A string for YAML's front matter: JSON strings are valid YAML. */
export function yamlString(text: string): string {
  return JSON.stringify(oneLine(text));
}

/** A link from a document in `folder` to a file's lines (from 1, inclusive); both are relative to `workspace`. */
export function lineAddress(workspace: string, folder: string, path: string, start: number, end: number): string {
  const from = resolve(workspace, folder);
  const way = relative(from, resolve(workspace, path)).replaceAll('\\', process.platform === 'win32' ? '/' : '\\');
  const encoded = way.split('/').map(encodeSegment).join('/');
  return `${encoded}#L${start}${end > start ? `-L${end}` : ''}`;
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
