import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { linkOnTheWay, type Place, SEARCHES } from '../../searches/place.ts';
import { linkedFolder, noFolder, notAFolder } from '../messages.ts';

/**
 * A folder that somebody named, as an absolute path.
 * @throws ThoughtTreeError `bad-input` if it does not exist, or is not a folder
 */
export async function existingFolder(path: string): Promise<string> {
  const whole = resolve(path);
  const found = await stat(whole).catch(() => undefined);
  if (!found) throw new ThoughtTreeError('bad-input', noFolder({ folder: whole }));
  if (!found.isDirectory()) throw new ThoughtTreeError('bad-input', notAFolder({ folder: whole }));
  return whole;
}

/**
 * The folder that agents keep searches in: the named one, else that of the workspace, which may have come with a link in its place.
 * @throws ThoughtTreeError `bad-input` if it leads elsewhere, and nobody named it
 */
export function folderForAgents(workspace: string, named: string | undefined): string {
  if (named !== undefined) return resolve(named);
  const folder = linkOnTheWay(workspace, SEARCHES);
  if (folder === undefined) return join(workspace, SEARCHES);
  throw new ThoughtTreeError('bad-input', linkedFolder({ folder }));
}

/** The workspace of an existing search: the named one, else the folder that holds its `thought-trees`, else this one. */
export async function placeOf(dir: string, named: string | undefined): Promise<Place> {
  const folder = await existingFolder(dir);
  if (named !== undefined) return { folder, workspace: await existingFolder(named) };
  const parent = dirname(folder);
  return { folder, workspace: basename(parent) === SEARCHES ? dirname(parent) : process.cwd() };
}

/** A path as a person would type it here: relative if that is shorter. */
export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' ? '.' : near.startsWith('..') || isAbsolute(near) ? path : near;
}
