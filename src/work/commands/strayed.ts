import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** The most files that are looked at; those are always the same ones, as long as nothing changes. */
const MOST = 50_000;
/** Folders that git itself writes all the time; its settings, hooks and references are looked at. */
const OF_GIT = new Set(['objects', 'logs', 'lfs', 'modules']);

/**
 * The state of all files of a folder, by size and times: where no sandbox holds commands, this tells whether one went astray.
 * @param own the search's own folder, which this process writes; relative, with `/`
 */
export async function lookAt(folder: string, own: string): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  const waiting = [''];
  for (let below = waiting.shift(); below !== undefined && seen.size < MOST; below = waiting.shift()) {
    const entries = await namesIn(join(folder, below));
    for (const { name, isFolder } of entries) {
      const path = below === '' ? name : `${below}/${name}`;
      if (path === own || (below === '.git' && OF_GIT.has(name))) continue;
      if (isFolder) waiting.push(path);
      else if (seen.size < MOST) seen.set(path, await stateOf(join(folder, path)));
    }
  }
  return seen;
}

/** Paths whose state is another one. */
export function changedBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  // Where not all could be looked at, one that is only on one side may have been left out on the other.
  const isWhole = before.size < MOST && after.size < MOST;
  return [...paths].filter((path) => {
    const [then, now] = [before.get(path), after.get(path)];
    return then !== now && (isWhole || (then !== undefined && now !== undefined));
  });
}

async function namesIn(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  try {
    const names = [];
    for await (const entry of await opendir(folder)) names.push({ name: entry.name, isFolder: entry.isDirectory() });
    return names.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

async function stateOf(file: string): Promise<string> {
  const about = await lstat(file, { bigint: true }).catch(() => undefined);
  return about ? `${about.ino} ${about.size} ${about.mtimeNs} ${about.ctimeNs} ${about.mode}` : '';
}
