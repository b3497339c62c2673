import { posix } from 'node:path';
import type { SourceFile } from '../files/source-file.ts';
import { type CutCode, cutCode } from './cut-code.ts';
import { cutProse } from './cut-prose.ts';
import { cutRest } from './cut-rest.ts';
import { type Mark, unpackMarks } from './marks.ts';
import { matchesOf } from './match.ts';
import { parser } from './parse/parser.ts';
import { Silence } from './silence.ts';

/** The result of cutting a file; its pieces ordered by first line. */
export type CutFile = CutCode;

/** Cuts a file into passages: code by symbol, prose by heading, anything else by its paragraphs. */
export async function cutFile(file: SourceFile): Promise<CutFile> {
  const text = file.lines.join('\n');
  // Without marks it is still text.
  const marks = await parser.findMarks(file.path, text).catch(() => new Uint8Array());
  return cutByMarks(file, unpackMarks(marks, text.length), text);
}

/** Cuts a file whose marks are known. @param text the file's lines */
export function cutByMarks(file: SourceFile, marks: readonly Mark[], text = file.lines.join('\n')): CutFile {
  const name = posix.basename(file.path);
  let cut: CutCode = { pieces: [], silent: new Silence(), imports: [] };
  if (file.language) cut = cutCode(matchesOf(marks, text), file.language, file.lines, name.split('.')[0]);
  else if (file.role === 'docs') cut = { ...cut, pieces: cutProse(file.lines) };
  const rest = cutRest(file.lines, cut.pieces, name.replaceAll('`', ''));
  return { ...cut, pieces: [...cut.pieces, ...rest].sort((a, b) => a.start - b.start || b.end - a.end) };
}
