import { posix } from 'node:path';
import type { Language } from '../files/languages.ts';
import type { SourceFile } from '../files/source-file.ts';
import { type CutCode, cutCode } from './cut-code.ts';
import { cutProse } from './cut-prose.ts';
import { cutRest } from './cut-rest.ts';
import { arePlausible, type Mark } from './marks.ts';
import { matchesOf } from './match.ts';
import { parse } from './parse/parser.ts';
import { Silence } from './silence.ts';

/** The result of cutting a file; its pieces ordered by first line. */
export type CutFile = CutCode;

/** What its grammar finds in a text; nothing without one, or if the parser cannot read it: it is still text. */
export async function findMarks(text: string, language: Language | undefined): Promise<readonly Mark[]> {
  if (!language) return [];
  try {
    const marks = await parse(text, language);
    return arePlausible(marks, text.length) ? marks : [];
  } catch {
    return [];
  }
}

/** Cuts a file into passages: code by symbol, prose by heading, anything else by its paragraphs. */
export async function cutFile(file: SourceFile): Promise<CutFile> {
  return cutByMarks(file, await findMarks(file.lines.join('\n'), file.language));
}

/** The same for a file whose marks are known. @param text the file's lines */
export function cutByMarks(file: SourceFile, marks: readonly Mark[], text = file.lines.join('\n')): CutFile {
  const name = posix.basename(file.path);
  let cut: CutCode = { pieces: [], silent: new Silence(), imports: [] };
  if (file.language) cut = cutCode(matchesOf(marks, text), file.language, file.lines, name.split('.')[0]);
  else if (file.role === 'docs') cut = { ...cut, pieces: cutProse(file.lines) };
  const rest = cutRest(file.lines, cut.pieces, name.replaceAll('`', ''));
  return { ...cut, pieces: [...cut.pieces, ...rest].sort((a, b) => a.start - b.start || b.end - a.end) };
}
