import type { Language } from './languages.ts';

/** What a file is there for. Each role has its own place in a document, so that tests and docs do not drown source. */
export type FileRole = 'source' | 'test' | 'docs' | 'config';

/** A text file of the workspace, read once. */
export interface SourceFile {
  /** Relative to the workspace folder, with `/`. */
  readonly path: string;
  readonly role: FileRole;
  readonly language: Language | undefined;
  /** Without their line ends; the lines that editors count. */
  readonly lines: readonly string[];
  /** How many secrets were left out of them. */
  readonly secrets: number;
}
