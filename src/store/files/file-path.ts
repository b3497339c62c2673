import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isOddPath } from '../../core/text/text.ts';
import { pathOutside } from '../messages.ts';

/**
 * Checks that a path can only mean a place below the folder it is relative to, on any system.
 * @param path segments joined by `/`; empty for the folder itself
 * @throws ThoughtTreeError `outside`
 */
export function checkPath(path: string): void {
  if (path === '' || PLAIN.test(path)) return;
  if (isOddPath(path) || path.includes(':') || NO_NAME.test(path)) throw outside(path);
}

/** Segments of ASCII that begin with no dot: nearly all paths. */
const PLAIN = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

/** An empty segment, or one that means a folder by its place. On Windows, backslashes separate and colons name drives. */
const NO_NAME = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** The error for a path that leads out of a search's folder. */
export function outside(path: string): ThoughtTreeError {
  return new ThoughtTreeError('outside', pathOutside({ path: JSON.stringify(path) }), { file: path });
}

/** The folder part of a path; empty at the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
