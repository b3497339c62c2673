import type { FileRole } from './file-role.ts';
import type { Language } from './languages.ts';

/** The largest file that is searched or cited, in bytes: larger ones are data or bundles more often than something a person wrote. */
export const LARGEST_SOURCE = 2 * 1024 * 1024;

/** A text file of the workspace, read once. */
export interface SourceFile {
  /** Relative to the workspace folder, with `/`. */
  readonly path: string;
  readonly role: FileRole;
  readonly language: Language | undefined;
  /** Without line ends, as editors count them. */
  readonly lines: readonly string[];
  /** The number of secrets that were left out of them. */
  readonly secrets: number;
}

/** The sign between lines of a notebook's cell that are on one line of the file. */
export const BETWEEN = ' ⏎ ';
