import type { Commit, Files, ReadTexts } from '../files/files.ts';
import { parseJson } from './json-file.ts';
import type { ProblemList } from './problem-list.ts';
import type { RecentTexts } from './recent-texts.ts';

/** The result of reading a file. `damaged`: it exists but is unusable; noted as a problem. */
export type Look<T> =
  | { readonly state: 'ok'; readonly value: T }
  | { readonly state: 'missing' }
  | { readonly state: 'damaged' };

/**
 * Reads a JSON file so that damage to it stops nothing else.
 * @param check turns the parsed value into the wanted one; may throw `damaged`
 * @param recent what it was turned into before
 */
export async function lookAtJson<T>(
  files: ReadTexts,
  file: string,
  problems: ProblemList,
  check: (value: unknown) => T,
  recent?: RecentTexts<T>,
): Promise<Look<T>> {
  try {
    const text = await files.read(file);
    if (text === undefined) return { state: 'missing' };
    const known = recent?.get(file, text);
    if (known !== undefined) return { state: 'ok', value: known };
    const value = check(parseJson(text, file));
    recent?.set(file, text, value);
    return { state: 'ok', value };
  } catch (error) {
    problems.addError(error, file);
    return { state: 'damaged' };
  }
}

/** Copies a damaged file to `<file>.damaged-<n>`, so that whoever wrote it can repair it after it is overwritten. */
export async function keepDamaged(files: Files, file: string, commit: Commit): Promise<void> {
  for (let n = 1; !(await files.copy(file, `${file}.damaged-${n}`, commit)); ) n++;
}
