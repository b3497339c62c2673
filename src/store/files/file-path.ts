import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isOddPath } from '../../core/text/text.ts';
import { isSlug } from '../../core/tree/slug.ts';
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

/** Returns the error for a path that leads out of a search's folder. */
export function outside(path: string): ThoughtTreeError {
  return new ThoughtTreeError('outside', pathOutside({ path: JSON.stringify(path) }), { file: path });
}

/** Names that a search's own files have in nodes' folders. */
const TAKEN = new Set(['node.json', 'document.md', 'children.json']);
const TAKEN_AT_ROOT = new Set(['search.json', 'report.md', 'notes.md', 'prompts']);

/**
 * Tells whether a name can be the folder of a node.
 * @param parent slug path of the node above, empty for the root
 */
export function isNodeName(name: string, parent: string): boolean {
  const lower = name.toLowerCase();
  return isSlug(name) && !TAKEN.has(lower) && !(parent === '' && TAKEN_AT_ROOT.has(lower));
}

/**
 * Checks a slug path.
 * @throws ThoughtTreeError `outside`
 */
export function checkNodePath(path: string): void {
  if (path === '') return;
  let parent = '';
  for (const segment of path.split('/')) {
    if (!isNodeName(segment, parent)) throw outside(path);
    parent = segment;
  }
}
