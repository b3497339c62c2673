import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isOddPath, oneLine } from '../../core/text/text.ts';
import { type FoundSearch, findSearches } from '../../store/open-store.ts';
import { momentIn } from '../../store/past/moment.ts';
import type { Place } from '../place.ts';
import type { AgentFolder, AgentHost } from './agent-host.ts';
import { noSuchSearch } from './messages.ts';

/** Between the name of a folder and that of a search, where there are several folders. */
const BETWEEN = '~';

/** Returns the name of a search for agents: that of its folder, with its workspace where there are several. */
export function nameOf({ folders }: Pick<AgentHost, 'folders'>, { folder }: Pick<Place, 'folder'>): string {
  const at = folders.findIndex(({ searches }) => searches === dirname(folder));
  return folders.length < 2 ? basename(folder) : `${labelOf(folders, at)}${BETWEEN}${basename(folder)}`;
}

/**
 * The search of a name: a folder directly in one of the host's, and no link to elsewhere.
 * @throws ThoughtTreeError `not-found`
 */
export async function placeNamed({ folders }: Pick<AgentHost, 'folders'>, name: string): Promise<Place> {
  for (const [at, { searches, workspace }] of folders.entries()) {
    const label = folders.length < 2 ? '' : `${labelOf(folders, at)}${BETWEEN}`;
    const own = name.startsWith(label) ? name.slice(label.length) : '';
    if (own === '' || /[/\\]|^\.{1,2}$/.test(own) || isOddPath(own)) continue;
    const folder = join(searches, own);
    const past = momentIn(folder);
    if ((await lstat(past?.folder ?? folder).catch(() => undefined))?.isDirectory()) return { folder, workspace };
  }
  throw new ThoughtTreeError('not-found', noSuchSearch({ name: oneLine(name, 200) }));
}

/** Returns the searches of all folders; those whose names no client could give are left out. */
export async function foundSearches({ folders }: Pick<AgentHost, 'folders'>): Promise<FoundSearch[]> {
  const found = await Promise.all(folders.map(({ searches }) => findSearches(searches)));
  return found.flat().filter(({ folder }) => !isOddPath(basename(folder)));
}

function labelOf(folders: readonly AgentFolder[], at: number): string {
  const name = basename(folders[at]?.workspace ?? '');
  const isAlone = folders.filter(({ workspace }) => basename(workspace) === name).length === 1;
  return isAlone ? name : `${name}-${at + 1}`;
}
