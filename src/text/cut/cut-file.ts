import { posix } from 'node:path';
import type { SourceFile } from '../files/source-file.ts';
import { type CutCode, cutCode } from './cut-code.ts';
import { cutProse } from './cut-prose.ts';
import { cutRest } from './cut-rest.ts';
import { openParser } from './parser.ts';
import { Silence } from './silence.ts';

/** The result of cutting a file; its pieces ordered by first line. */
export type CutFile = CutCode;

/** Cuts a file into passages: code by symbol, prose by heading, anything else by its paragraphs. Never throws. */
export async function cutFile(file: SourceFile): Promise<CutFile> {
  let cut: CutCode = { pieces: [], silent: new Silence(), imports: [] };
  if (file.language) {
    try {
      const parse = await openParser(file.language);
      cut = cutCode(parse(file.lines.join('\n')), file.language, file.lines, posix.basename(file.path).split('.')[0]);
    } catch {
      // A file that the parser cannot read is still text.
    }
  } else if (file.role === 'docs') cut = { ...cut, pieces: cutProse(file.lines) };
  const rest = cutRest(file.lines, cut.pieces, posix.basename(file.path).replaceAll('`', ''));
  return { ...cut, pieces: [...cut.pieces, ...rest].sort((a, b) => a.start - b.start || b.end - a.end) };
}
