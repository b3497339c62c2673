import { cutFile } from '../cut/cut-file.ts';
import type { Piece } from '../cut/passage.ts';
import { Silence, type SilentPlaces } from '../cut/silence.ts';
import { roleOf } from '../files/file-role.ts';
import { languageOf } from '../files/languages.ts';
import { readSource } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';

/** A file, without its secrets, and its pieces. */
export interface CutSource {
  readonly file: SourceFile;
  readonly cut: { readonly pieces: Piece[]; readonly silent: Silence; readonly imports: readonly string[] };
}

/** The same as plain data, to travel between threads. */
export interface CutData extends Pick<SourceFile, 'path' | 'lines' | 'secrets'> {
  readonly pieces: Piece[];
  readonly silent: SilentPlaces;
  readonly imports: readonly string[];
}

/** Reads and cuts a file; undefined if it is not for quoting. @param folder the real, absolute path */
export async function cutOne(folder: string, path: string, filter: SecretFilter): Promise<CutSource | undefined> {
  const file = await readSource(folder, path, filter);
  return file && { file, cut: await cutFile(file) };
}

export function dataOf({ file, cut }: CutSource): CutData {
  const { path, lines, secrets } = file;
  return { path, lines, secrets, pieces: cut.pieces, silent: cut.silent.places, imports: cut.imports };
}

export function fromData({ path, lines, secrets, pieces, silent, imports }: CutData): CutSource {
  const file = { path, role: roleOf(path), language: languageOf(path), lines, secrets };
  return { file, cut: { pieces, silent: Silence.at(silent), imports } };
}
