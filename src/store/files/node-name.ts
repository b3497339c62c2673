import { isSlug } from '../../core/tree/slug.ts';
import { outside } from './file-path.ts';

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
