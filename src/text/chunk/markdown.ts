import { relative, resolve } from 'node:path';
import { encodeSegment } from '../../core/text/text.ts';

/**
 * Returns a text as one line of printable characters; anything that would break a line of Markdown or YAML becomes a
 * space.
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFEFF]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns at most `length` characters of a line, cut at a word if possible, with `…`. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).toWellFormed().replace(/(?<![\s,;:(–-])[\s,;:(–-]+$/, '')}…`;
}

/** A string for YAML's front matter: JSON strings are valid YAML. */
export function yamlString(text: string): string {
  return JSON.stringify(oneLine(text));
}

/**
 * Returns a link from a document in `folder` to a file's lines (from 1, inclusive); both are relative to `workspace`.
 */
export function lineAddress(workspace: string, folder: string, path: string, start: number, end: number): string {
  const from = resolve(workspace, folder);
  const way = relative(from, resolve(workspace, path)).replaceAll('\\', process.platform === 'win32' ? '/' : '\\');
  const encoded = way.split('/').map(encodeSegment).join('/');
  return `${encoded}#L${start}${end > start ? `-L${end}` : ''}`;
}
