import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isNodeName } from '../../store/files/node-name.ts';

/** A page of a search that a person reads: the document of a node, or the report, whose path is empty. */
export interface Page {
  readonly folder: string;
  readonly path: string;
}

/** More levels than any search has. */
const DEEPEST = 130;

/**
 * Which page of ours a file is, by the files around it; undefined for any other file, a person's own Markdown above all.
 * Whether searches were looked for, and where the workspace keeps them, does not matter.
 */
export function pageOf(file: string): Page | undefined {
  const folder = dirname(file);
  if (basename(file) === 'report.md') return isFile(join(folder, 'search.json')) ? { folder, path: '' } : undefined;
  if (basename(file) !== 'document.md' || !isFile(join(folder, 'node.json'))) return undefined;
  const names: string[] = [];
  for (let at = folder; names.length < DEEPEST; at = dirname(at)) {
    if (dirname(at) === at) return undefined;
    if (isFile(join(at, 'search.json'))) return names.length > 0 ? pageAt(at, names.reverse()) : undefined;
    names.push(basename(at));
  }
  return undefined;
}

function pageAt(folder: string, names: readonly string[]): Page | undefined {
  const isNode = names.every((name, i) => isNodeName(name, names.slice(0, i).join('/')));
  return isNode ? { folder, path: names.join('/') } : undefined;
}

/** Neither a link nor a pipe: a folder of a search may have come with a clone. */
export function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
