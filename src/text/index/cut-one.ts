import { createHash } from 'node:crypto';
import { type CutFile, cutByMarks, findMarks } from '../cut/cut-file.ts';
import { packMarks, unpackMarks } from '../cut/marks.ts';
import { languageOf } from '../files/languages.ts';
import { readWritten, sourceFile, type Written } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import { leaveOut } from '../secrets/leave-out.ts';
import type { FoundSecrets, SecretFilter } from '../secrets/secret-filter.ts';

/**
 * What has to be found out of a file before it can be cut, which takes most of the time. Numbers only: with the file's text
 * they give its pieces, and without it they say nothing of it.
 */
export interface Findings {
  /** The hash of the file's bytes. */
  readonly content: string;
  readonly secrets: FoundSecrets;
  /** What its grammar finds in the text without secrets, packed. */
  readonly marks: Uint8Array;
}

/** A file that can be cut: as plain data, to travel between threads. */
export interface FoundFile {
  readonly path: string;
  /** Without its secrets. */
  readonly text: string;
  readonly findings: Findings;
}

/** A file, without its secrets, and its pieces. */
export interface CutSource {
  readonly file: SourceFile;
  readonly cut: CutFile;
  readonly findings: Findings;
}

/** Reads and cuts a file; undefined if it is not for quoting. @param folder the real, absolute path */
export async function cutOne(folder: string, path: string, filter: SecretFilter): Promise<CutSource | undefined> {
  const found = await findOne(folder, path, filter);
  return found && cutFound(found);
}

/** Reads a file and finds out what it takes to cut it; undefined if it is not for quoting. @param folder as for `cutOne` */
export async function findOne(folder: string, path: string, filter: SecretFilter): Promise<FoundFile | undefined> {
  const written = readWritten(folder, path, filter);
  if (!written) return undefined;
  try {
    const secrets = await filter.find(path, written.text);
    const text = leaveOut(written.text, secrets.spans);
    const marks = packMarks(await findMarks(text, languageOf(path, text)));
    return { path, text, findings: { content: contentOf(written), secrets, marks } };
  } catch {
    return undefined; // one file must not end a search
  }
}

/** Cuts a file for which that was found. @throws RangeError if it was found of another text */
export function cutFound({ path, text, findings }: FoundFile): CutSource {
  const file = sourceFile(path, text, findings.secrets.count);
  return { file, cut: cutByMarks(file, unpackMarks(findings.marks, text.length), text), findings };
}

/** Tells a file's content from any other. */
export function contentOf({ bytes }: Written): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
