import { posix } from 'node:path';
import type { Passage } from '../../../text/cut/passage.ts';
import type { SourceFile } from '../../../text/files/source-file.ts';

const MOST_COLUMNS = 300;
/** The number of names that are listed. */
export const MOST_NAMES = 3;
/** Imports in the first lines of a file: the name of the module, in the forms of several languages. */
const IMPORTS: readonly RegExp[] = [
  /^\s*(?:import|export)\b[^'"]{0,200}['"]([^'"]{1,200})['"]/,
  /\brequire(?:_relative)?[\s(]{1,3}['"]([^'"]{1,200})['"]/,
  /^\s*from\s{1,4}([\w.]{1,100})\s{1,4}import\b/,
  /^\s*import\s{1,4}([\w.]{1,100})/,
  /^\s*(?:pub\s+)?use\s{1,4}(?!strict;|warnings;|utf8;)([\w:]{1,100}?)(?:::)?[{;*]/,
  /^\s*using\s{1,4}([\w.]{1,100});/,
  /^\s*#include\s*[<"]([^<>"]{1,100})[>"]/,
];
const EXPORTS: readonly RegExp[] = [
  /^\s*module\.exports\s*=\s*([\w$.]{1,100})\s*;?\s*$/,
  /^\s*(?:module\.)?exports\.([\w$]{1,100})\s*=/,
  /^\s*module\.exports\.([\w$]{1,100})\s*=/,
  /^\s*export\s+default\s+([\w$]{1,100})\s*;?\s*$/,
];
const DECLARES: readonly RegExp[] = [
  /^\s*(?:export\s+|pub\s+)?(?:const|let|var|static|type|val)\s{1,4}([\p{L}_$][\p{L}\p{N}_$]{0,100})\s*[:=]/u,
  /^([\p{L}_][\p{L}\p{N}_]{0,100})\s*:?=(?!=)/u,
  /^\s*pub\s+mod\s{1,4}(\w{1,100})\s*;/,
];

/**
 * Says what lines do that no named thing covers: bring in, declare and give to others. Empty if nothing of that.
 * @param write how a name is shown
 */
export function whatLinesDo(passage: Passage, write: (name: string) => string, most = MOST_NAMES): string {
  const parts = [
    ['exports', namesIn(passage, EXPORTS)],
    ['sets', namesIn(passage, DECLARES, IMPORTS)],
    ['imports', importsIn(passage).map((path) => posix.basename(path).replace(/^node:/, '') || path)],
  ] as const;
  const said = parts.flatMap(([verb, names]) => (names.length === 0 ? [] : [`${verb} ${listOf(names, write, most)}`]));
  return said.slice(0, 2).join('; ');
}

/** Which lines of their file they are, without empty ones at the end: `lines 1 to 9`. */
export function whichLines({ file, start, end }: Passage): string {
  let last = end;
  while (last > start && (file.lines[last] ?? '').trim() === '') last--;
  return last > start ? `lines ${start + 1} to ${last + 1}` : `line ${start + 1}`;
}

/** Some names as people list them; of many the first few. */
export function listOf(names: readonly string[], write: (name: string) => string, most = MOST_NAMES): string {
  const all = [...new Set(names)];
  const shown = all.slice(0, all.length > most + 1 ? most : most + 1).map(write);
  const more = all.length - shown.length;
  const listed = more > 0 ? [...shown, `${more} more`] : shown;
  return listed.length < 2 ? listed.join('') : `${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`;
}

/** In Go, an import stands alone in a line, between parentheses. */
function importsIn(passage: Passage): string[] {
  const { file, start, end } = passage;
  const found = namesIn(passage, IMPORTS);
  if (file.language?.grammar !== 'go') return found;
  const rows = rowsOf(file, start, end);
  const open = rows.findIndex((line) => /^import\s*\($/.test(line.trim()));
  if (open < 0) return found;
  const close = rows.findIndex((line, at) => at > open && line.trim() === ')');
  const inside = rows.slice(open + 1, close < 0 ? undefined : close);
  return inside.flatMap((line) => /^\s*(?:[\w.]+\s+)?"([^"]{1,200})"/.exec(line)?.[1] ?? []);
}

/** @param except of lines that have one of these, no name is meant */
function namesIn({ file, start, end }: Passage, patterns: readonly RegExp[], except: readonly RegExp[] = []): string[] {
  return rowsOf(file, start, end).flatMap((line) => {
    if (except.some((pattern) => pattern.test(line))) return [];
    for (const pattern of patterns) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined) return [name];
    }
    return [];
  });
}

function rowsOf(file: SourceFile, start: number, end: number): string[] {
  return file.lines.slice(start, end + 1).map((line) => line.slice(0, MOST_COLUMNS));
}
