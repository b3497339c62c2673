import { foreign, type Message } from '../../core/messages/message.ts';
import { isThoughtTreeError, type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';
import { LONGEST_FILE } from './files.ts';

/** The operation during which a system call failed. */
export type Doing = 'read' | 'write';

/** The code of an error of the operating system, such as `ENOENT`; empty if it is another error. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** Tells whether an error says that nothing exists at a path. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * Converts an error of the operating system to one of ours, saying which file and what to do; ours stay as they are.
 * @param file the absolute path, for the message
 */
export function toFileError(error: unknown, file: string, doing: Doing): ThoughtTreeError {
  if (isThoughtTreeError(error)) return error;
  const code = codeOf(error);
  const [reason, why] = explain(code, error);
  const cannot = doing === 'read' ? say.cannotRead : say.cannotWrite;
  return new ThoughtTreeError(reason, cannot({ file, why }), { file, cause: error });
}

function explain(code: string, error: unknown): [Reason, Message] {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return ['disk-full', say.diskFull()];
    case 'EROFS':
      return ['not-writable', say.readOnlyDisk()];
    case 'EACCES':
    case 'EPERM':
    case 'EBUSY':
      return ['not-writable', say.accessDenied({ code })];
    case 'ENOENT':
      return ['not-found', say.folderGone()];
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EEXIST':
    case 'ENOTEMPTY':
      return ['not-writable', say.placeTaken({ code })];
    case 'ENAMETOOLONG':
      return ['not-writable', say.pathTooLong()];
    case 'ELOOP':
      return ['outside', say.symbolicLink()];
    default:
      return ['internal', foreign({ text: error instanceof Error ? error.message : String(error) })];
  }
}

/** The error for a file that is too long to be one of ours. */
export function tooLong(file: string): ThoughtTreeError {
  return new ThoughtTreeError('damaged', say.fileTooLong({ file, bytes: LONGEST_FILE }), { file });
}
