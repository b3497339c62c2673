import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameContent } from '../same-content.ts';
import type { GitRepository } from './git-repository.ts';

import { zeroSeparated } from './run-git.ts';
import type { UserRepository } from './user-repository.ts';

/** The number of files that are compared in full; of more, every one that git names counts. */
const MOST_COMPARED = 2000;
/** Larger ones are not read for that. */
const LARGEST = 256 * 1024 * 1024;

export interface StoreSource {
  /** The workspace's folder, with no link in it. */
  readonly workspace: string;
  /** The repository it is in. */
  readonly user: UserRepository;
  /** The search's own folder relative to the workspace; nothing in it is ever changed by work. */
  readonly ownFolder: string;
  /** Tells whether a file is one that keeps secrets: it is not taken along unless it is tracked. */
  readonly isSecret: (path: string) => boolean;
}

/**
 * Lists what differs between the workspace and its last commit, as our own git sees it: with an index of ours, so that
 * the person's is not even read, and without looking into submodules, whose settings could name programs. Files that
 * keep secrets are named only if they are tracked: no others are ever taken along.
 * @returns paths relative to the workspace
 */
export async function uncommittedPaths(own: GitRepository, source: StoreSource): Promise<string[]> {
  const { user } = source;
  return own.withIndexOf(user, async (index) => {
    const at = { index, workTree: user.top, folder: source.workspace, alsoObjects: user.objects };
    await own.run({ ...at, codes: [1] }, 'update-index', '-q', '--refresh', '--ignore-submodules');
    const changed = await own.run(at, 'diff-files', '-z', '--raw', '--relative', '--ignore-submodules=all');
    const untracked = await own.run(at, 'ls-files', '-z', '--others', '--exclude-standard', '--', '.');
    const isTaken = (path: string): boolean => !path.endsWith('/') && !isOwn(source, path) && !source.isSecret(path);
    const ofPerson = zeroSeparated(untracked.output).filter(isTaken);
    return [...(await reallyChanged(own, source, zeroSeparated(changed.output))), ...ofPerson].sort();
  });
}

function isOwn({ ownFolder }: StoreSource, path: string): boolean {
  return path === ownFolder || path.startsWith(`${ownFolder}/`);
}

/** Without those that only have other line ends, or are files of Git LFS in place of their pointers. */
async function reallyChanged(own: GitRepository, source: StoreSource, parts: string[]): Promise<string[]> {
  const paths: string[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', newMode, id = '', , status] = (parts[at] as string).slice(1).split(' ');
    const path = parts[at + 1] as string;
    if (isOwn(source, path) || (status === 'D' && source.user.isSparse)) continue;
    const isPlain = status === 'M' && oldMode === newMode && oldMode !== '120000';
    if (isPlain && at / 2 < MOST_COMPARED && (await isSame(own, source, id, path))) continue;
    paths.push(path);
  }
  return paths;
}

async function isSame(
  own: GitRepository,
  { workspace, user }: StoreSource,
  id: string,
  path: string,
): Promise<boolean> {
  const file = join(workspace, path);
  const about = await lstat(file).catch(() => undefined);
  if (!about?.isFile() || about.size > LARGEST) return false;
  const { output } = await own.run({ alsoObjects: user.objects }, 'cat-file', 'blob', id);
  return isSameContent(output, await readFile(file));
}
