import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { pathOf, walk } from '../../core/tree/tree.ts';
import { openTree } from '../../engine-parts/opening/open-tree.ts';
import { openForReading } from '../../store/open-store.ts';
import { momentIn } from '../../store/past/moment.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';
import { moreNodes, nearNodes, noNode, severalNodes } from '../messages.ts';
import { ownKey } from '../trust/state-folder.ts';

/** Candidates that are named at most. */
const MOST_NAMED = 20;

/** Nodes that are named at most where only a part of their title or path was given. */
const MOST_NEAR = 5;

/**
 * The slug path of a node that a person named: by slug path, by the path of its folder or of a file in it, by its title,
 * by the name that its kind keeps of it, or by the end of its slug path, if these are unique. `.`, `/` and an empty name mean the search itself.
 * @param folder the search's folder
 * @returns the slug path, empty for the search itself
 * @throws ThoughtTreeError `bad-input` if there is none, with those whose title or slug holds what was named; or if there are several
 */
export async function findNode(folder: string, named: string): Promise<string> {
  if (/^[\s./\\]*$/.test(named) && !named.includes('..')) return '';
  const store = await openForReading(folder, ownKey());
  const slugs = withSlashes(named)
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .normalize('NFC');
  if (await isNode(store, slugs)) return slugs;
  const onDisk = await pathInSearch(folder, named);
  if (onDisk === '' || (onDisk !== undefined && (await isNode(store, onDisk)))) return onDisk;
  return await findInTree(store, named, slugs);
}

function withSlashes(path: string): string {
  return sep === '\\' ? path.replaceAll('\\', '/') : path;
}

async function isNode(store: SearchReadStore, path: string): Promise<boolean> {
  try {
    return path !== '' && (await store.readNodeFile(path)) !== undefined;
  } catch {
    return false; // not a valid slug path
  }
}

/** Returns a path on disk as a slug path; undefined if it does not exist, or is not in the search. */
async function pathInSearch(folder: string, named: string): Promise<string | undefined> {
  const real = async (path: string): Promise<string | undefined> => await realpath(path).catch(() => undefined);
  const [root, whole] = await Promise.all([real(momentIn(folder)?.folder ?? folder), real(resolve(named))]);
  const below = whole === undefined || root === undefined ? '..' : relative(root, whole);
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return undefined;
  return withSlashes(below)
    .replace(/(^|\/)(document\.md|node\.json|children\.json)$/, '')
    .normalize('NFC');
}

async function findInTree(store: SearchReadStore, named: string, slugs: string): Promise<string> {
  const tree = await openTree(store, '', 'follower');
  const nodes = [...walk(tree.root)].filter(({ parent }) => parent !== undefined);
  const title = folded(named);
  const byTitle = nodes.filter((node) => folded(node.title) === title);
  const byName = byTitle.length > 0 ? byTitle : nodes.filter(({ file }) => file?.own?.['name'] === named.trim());
  const found = byName.length > 0 ? byName : nodes.filter((node) => `/${pathOf(node)}`.endsWith(`/${slugs}`));
  const shown = oneLine(named, 200);
  if (found.length === 0) {
    // They are named and not taken: what a person prunes must be what was meant.
    const isNear = (text: string): boolean => title !== '' && folded(text).includes(title);
    const near = nodes.filter((node) => isNear(node.title) || isNear(node.slug)).slice(0, MOST_NEAR);
    const paths = near.map(pathOf).join(', ');
    throw new ThoughtTreeError('bad-input', paths ? nearNodes({ node: shown, nodes: paths }) : noNode({ node: shown }));
  }
  if (found.length === 1) return pathOf(found[0] as (typeof found)[0]);
  const names = found.slice(0, MOST_NAMED).map(pathOf);
  const several = { node: shown, nodes: names.join(', ') };
  const more = found.length - names.length;
  throw new ThoughtTreeError('bad-input', more > 0 ? moreNodes({ ...several, more }) : severalNodes(several));
}

function folded(title: string): string {
  return oneLine(title, 1000).normalize('NFC').toLowerCase();
}

/** Returns the absolute path of a node's folder. */
export function folderOfNode(folder: string, path: string): string {
  return path === '' ? folder : join(folder, ...path.split('/'));
}
