import { cutFile } from '../../text/cut/cut-file.ts';
import type { PassageKind, Piece } from '../../text/cut/passage.ts';
import { sourceFile } from '../../text/files/read-source.ts';
import { signatureEnd } from '../../text/find/signature.ts';
import { linesOf } from './file-texts.ts';

/** The longest signature, in characters. */
const LONGEST = 240;
const NAMED: ReadonlySet<PassageKind> = new Set([
  'class',
  'function',
  'member',
  'constant',
  'type',
  'block',
  'section',
]);

/** A named piece of a file. */
export interface FileSymbol extends Pick<Piece, 'kind' | 'name' | 'identifier'> {
  /** Its first and last line, from 1. */
  readonly from: number;
  readonly to: number;
  /** As the file has it, in one line. */
  readonly signature: string;
}

/** The parts of a file. */
export interface FileSymbols {
  readonly lines: readonly string[];
  /** By their first lines. */
  readonly symbols: readonly FileSymbol[];
  /** Tells whether a place is in a comment or in a string. @param row from 0 */
  isSilent(row: number, column: number): boolean;
}

/** Cuts a file by its symbols, or prose by its headings. @param text without its secrets */
export async function symbolsOf(path: string, text: string): Promise<FileSymbols> {
  const file = sourceFile(path, linesOf(text).join('\n'), 0);
  const { pieces, silent } = await cutFile(file);
  const symbols = pieces
    .filter(({ kind }) => NAMED.has(kind))
    .map((piece) => {
      const last = signatureEnd({ ...piece, file });
      const words = file.lines.slice(piece.head, last + 1).map((line, at) => (at === 0 ? line.trimEnd() : line.trim()));
      const { kind, name, identifier } = piece;
      const signature = shortened(words.join(' '));
      return {
        kind,
        name,
        ...(identifier !== undefined && { identifier }),
        from: piece.head + 1,
        to: piece.end + 1,
        signature,
      };
    });
  return {
    lines: file.lines,
    symbols,
    isSilent: (row, column) => silent.isComment(row) || silent.isString(row, column),
  };
}

function shortened(line: string): string {
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).toWellFormed()}…`;
}
