import { lstatSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { oneLine } from '../core/text/text.ts';
import { childSlug } from '../core/tree/slug.ts';
import { fileInPlace, folderNeeded, linkedFolder } from './messages.ts';

/** The folder in a workspace that holds its searches, by default. */
export const SEARCHES = 'thought-trees';
const LONGEST_TITLE = 80;

/** Where a search is, as absolute paths. */
export interface Place {
  /** The search's own folder. */
  readonly folder: string;
  /** The folder it searches. */
  readonly workspace: string;
}

/** Returns a title for a question: its first sentence or first line, shortened. */
export function titleFrom(prompt: string): string {
  const line = prompt.split(/[\r\n]+/).find((each) => oneLine(each, LONGEST_TITLE) !== '') ?? '';
  const sentence = /^.*?(?:[.!?](?=\s|$)|[。！？])/u.exec(line.trim())?.[0] ?? line;
  return oneLine(sentence.replace(/(?<!\.)\.+$/, ''), LONGEST_TITLE) || 'Search';
}

/**
 * The folder in a workspace that holds its searches.
 * @param below its path below the workspace, with `/`
 * @throws ThoughtTreeError `bad-input` if the path goes through a link: it may have come with the workspace, and lead anywhere
 */
export function searchesIn(workspace: string, below = SEARCHES): string {
  const link = linkOnTheWay(workspace, below);
  if (link !== undefined) throw new ThoughtTreeError('bad-input', linkedFolder({ folder: link }));
  return join(workspace, below);
}

/** Returns the first link on the path from a workspace to a folder below it, if there is one. */
export function linkOnTheWay(workspace: string, below: string): string | undefined {
  const names = below.split('/');
  return names.map((_, i) => join(workspace, ...names.slice(0, i + 1))).find(isLink);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false; // whoever opens it gets the error
  }
}

/**
 * The place for a new search.
 * @param dir a folder for it that somebody named
 * @param searches the folder in the workspace that holds its searches
 * @param taken names in that folder that are taken
 * @throws ThoughtTreeError `bad-input` if its files would be mixed with the workspace's own, a link leads to them, or a file is
 *   in the place of a folder
 */
export function placeFor(
  workspace: string,
  title: string,
  dir: string | undefined,
  searches = SEARCHES,
  taken: ReadonlySet<string> = new Set(),
): Place {
  if (dir === undefined)
    return { workspace, folder: join(searchesIn(workspace, searches), childSlug(title, '', taken)) };
  const folder = resolve(dir);
  if (folder === workspace || isBelow(workspace, folder))
    throw new ThoughtTreeError('bad-input', folderNeeded({ folder }));
  const file = fileOnTheWay(folder);
  if (file !== undefined) throw new ThoughtTreeError('bad-input', fileInPlace({ file }));
  return { workspace, folder };
}

/** Finds a file on the path to a folder; undefined if there is none. */
function fileOnTheWay(folder: string): string | undefined {
  try {
    const there = statSync(folder, { throwIfNoEntry: false });
    if (there) return there.isDirectory() ? undefined : folder;
  } catch {
    // Something above it is none, or whoever opens it gets the error.
  }
  return dirname(folder) === folder ? undefined : fileOnTheWay(dirname(folder));
}

/** Returns the search's folder relative to its workspace, with `/`. */
export function folderInWorkspace({ folder, workspace }: Place): string {
  return relative(workspace, folder).split(sep).join('/');
}

/** The extension's name in links that an editor opens: its publisher's, a dot, and its own. */
const EXTENSION = 'thought-tree.thought-tree';

/**
 * Returns the link by which an editor opens a search, or a node of it, in the workspace that has it: it starts nothing. Undefined
 * for a search outside of its workspace.
 * @param path slug path of the node; empty for the search as a whole
 * @param scheme the editor's own; by default that of VS Code
 */
export function editorLink(place: Place, path: string, scheme = 'vscode'): string | undefined {
  const folder = folderInWorkspace(place);
  if (folder === '' || /^(?:\.\.(?:\/|$)|\/|[a-z]:)/i.test(folder)) return undefined;
  const node = path === '' ? '' : `&node=${inQuery(path)}`;
  return `${scheme}://${EXTENSION}/open?search=${inQuery(folder)}${node}`;
}

/** An editor decodes what it hands on once more than others do, so whatever is encoded is encoded twice. */
function inQuery(path: string): string {
  return encodeURIComponent(path.toWellFormed())
    .replaceAll('%2F', '/')
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '%25');
}

function isBelow(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between !== '' && !isAbsolute(between) && between !== '..' && !between.startsWith(`..${sep}`);
}
