import { isThoughtTreeError, type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import { LONGEST_FILE } from './files.ts';

/** What was being done when a system call failed. */
export type Doing = 'read' | 'write';

/** The code of an error of the operating system, as `ENOENT`; empty where it is none. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** Whether an error says that nothing stands at a path. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * An error of the operating system as one of ours, saying which file and what to do; ours are left as they are.
 * @param file the whole path, for the message
 */
export function toFileError(error: unknown, file: string, doing: Doing): ThoughtTreeError {
  if (isThoughtTreeError(error)) return error;
  const code = codeOf(error);
  const [reason, what] = explain(code, error);
  return new ThoughtTreeError(reason, `Cannot ${doing} ${file}: ${what}`, { file, cause: error });
}

function explain(code: string, error: unknown): [Reason, string] {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return ['disk-full', 'the disk is full. Free some space, then resume the search.'];
    case 'EROFS':
      return ['not-writable', 'the disk is mounted read-only. Make it writable, or use another folder.'];
    case 'EACCES':
    case 'EPERM':
    case 'EBUSY':
      return ['not-writable', `access is denied (${code}). Check its permissions, and whether a program has it open.`];
    case 'ENOENT':
      return ['not-found', 'its folder is not there any more.'];
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EEXIST':
    case 'ENOTEMPTY':
      return ['not-writable', `something else stands in its place (${code}). Move that away.`];
    case 'ENAMETOOLONG':
      return ['not-writable', 'its path is too long for this system. Use a folder with a shorter path.'];
    case 'ELOOP':
      return ['outside', 'it is a symbolic link, which is not followed.'];
    default:
      return ['internal', error instanceof Error ? error.message : String(error)];
  }
}

/** The error for a file that is too long to be one of ours. */
export function tooLong(file: string): ThoughtTreeError {
  return new ThoughtTreeError('damaged', `${file} is longer than ${LONGEST_FILE} bytes and is not read.`, { file });
}
