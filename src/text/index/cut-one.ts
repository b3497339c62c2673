import { createHash } from 'node:crypto';
import { type CutFile, cutByMarks } from '../cut/cut-file.ts';
import { unpackMarks } from '../cut/marks.ts';
import { parser } from '../cut/parse/parser.ts';
import { readWritten, sourceFile, type Written } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import { leaveOut } from '../secrets/leave-out.ts';
import type { FoundSecrets, SecretFilter } from '../secrets/secret-filter.ts';

/**
 * The findings in a file that are needed before it can be cut, which take most of the time. Numbers only: with the
 * file's text they give its pieces, and without it they say nothing of it.
 */
export interface Findings {
  /** The hash of the file's bytes. */
  readonly content: string;
  readonly secrets: FoundSecrets;
  /** The marks that its grammar finds in the text without secrets, packed. */
  readonly marks: Uint8Array;
}

/** A file that can be cut. */
interface FoundFile {
  readonly path: string;
  /** Without its secrets. */
  readonly text: string;
  readonly findings: Findings;
}

/** A file, without its secrets, and its pieces. */
export interface CutSource {
  readonly file: SourceFile;
  readonly cut: CutFile;
  /** Undefined if there may be more to find, another time. */
  readonly findings: Findings | undefined;
}

/** Finds marks in the text of a file, packed; rejects if it cannot, whatever the text. */
export type FindMarks = (path: string, text: string) => Promise<Uint8Array>;

const NO_MARKS = new Uint8Array();

/** Reads and cuts a file; undefined if it is not for quoting. @param folder the real, absolute path */
export async function cutOne(
  folder: string,
  path: string,
  filter: SecretFilter,
  findMarks: FindMarks = (...file) => parser.findMarks(...file),
): Promise<CutSource | undefined> {
  const written = readWritten(folder, path, filter);
  if (!written) return undefined;
  try {
    const secrets = await filter.find(path, written.text);
    const text = leaveOut(written.text, secrets.spans);
    // Without marks it is still text.
    const marks = await findMarks(path, text).catch(() => undefined);
    const findings = { content: contentOf(written), secrets, marks: marks ?? NO_MARKS };
    return { ...cutFound({ path, text, findings }), ...(marks ? {} : { findings: undefined }) };
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
