import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { roleOf } from './file-role.ts';
import { languageOf } from './languages.ts';
import { readTextBytes, splitLines } from './read-text.ts';
import { isGenerated } from './skipped-files.ts';
import type { SourceFile } from './source-file.ts';

/** A file as it is written, with its secrets. */
export interface Written {
  readonly bytes: Uint8Array;
  /** Its lines, as editors count them, each but the last with `\n` at its end. */
  readonly text: string;
}

/**
 * Reads a file of the workspace as it is written; undefined if it is not for quoting: gone, a link (its target is listed
 * separately, or is outside), behind a folder that is a link, too large, binary, generated, left out by its name.
 */
export function readWritten(workspace: string, path: string, filter: SecretFilter): Written | undefined {
  try {
    const file = join(realpathSync(workspace), path);
    // Git continues to list what it tracks below a folder that has become a link since.
    if (realpathSync(file) !== file) return undefined;
    const bytes = readTextBytes(file);
    if (typeof bytes === 'string' || bytes.length === 0) return undefined;
    const text = splitLines(bytes.toString('utf8')).join('\n');
    return filter.leavesOut(path) || isGenerated(text) ? undefined : { bytes, text };
  } catch {
    return undefined; // gone or not readable
  }
}

/** Reads a file of the workspace without its secrets; undefined if it is not for quoting. */
export async function readSource(
  workspace: string,
  path: string,
  filter: SecretFilter,
): Promise<SourceFile | undefined> {
  const written = readWritten(workspace, path, filter);
  if (!written) return undefined;
  try {
    const { text, secrets } = await filter.hide(path, written.text);
    return sourceFile(path, text, secrets);
  } catch {
    return undefined; // one file must not end a search
  }
}

/** @param text without the secrets, as many as there were */
export function sourceFile(path: string, text: string, secrets: number): SourceFile {
  return { path, role: roleOf(path), language: languageOf(path, text), lines: text.split('\n'), secrets };
}

/**
 * Tells whether a line can be quoted word for word and still be read: not endless, no control characters, valid in the
 * file's encoding.
 */
export function isQuotable(line: string): boolean {
  return line.length <= 300 && !/[[\p{Cc}--[\t\n]]\uFFFD]/v.test(line);
}
