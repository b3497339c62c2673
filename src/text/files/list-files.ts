import { join, posix } from 'node:path';
import { isOddPath } from '../../core/text/text.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { exclusionOf } from './excluded-files.ts';
import { repositoryOf } from './git-rules.ts';
import { listByGit } from './list-by-git.ts';
import { ownFolders, searchFolders } from './search-folders.ts';
import type { SkippedPath } from './skipped.ts';
import { type Walked, walkFolder } from './walk-folder.ts';

/** The files of a workspace. */
export interface FolderFiles {
  /** Those worth quoting, sorted by code unit, relative, with `/`. */
  readonly paths: readonly string[];
  /** The paths left out, with the reason: files and folders, and by which rules others are not even listed. */
  readonly skipped: readonly SkippedPath[];
  /** True if some may lie behind a link: git still lists what it tracks below a folder that has become one since. */
  readonly mayPassLinks: boolean;
}

/**
 * The files of a workspace worth quoting: those that git would list, except lock files, changelogs, fixtures, generated
 * files, secrets, binaries and every folder that holds a search of ours. Sorted by code unit, relative, with `/`.
 * @param searches where this workspace's searches are kept; see `ownFolders`
 */
export async function listFiles(workspace: string, secrets: SecretFilter, searches?: string): Promise<string[]> {
  return [...(await surveyFiles(workspace, secrets, searches)).paths];
}

/** Lists them with all that is not worth quoting, and why. @throws the signal's reason */
export async function surveyFiles(
  workspace: string,
  secrets: SecretFilter,
  searches?: string,
  signal?: AbortSignal,
): Promise<FolderFiles> {
  const { files: all, skipped: notListed, isByGit } = await list(workspace, searches, signal);
  const folders = searchFolders(workspace, all);
  const inSearch = (path: string): boolean =>
    folders.some((folder) => folder === '.' || path === folder || path.startsWith(`${folder}/`));
  const paths: string[] = [];
  const skipped: SkippedPath[] = [];
  for (const path of [...new Set(all)].sort()) {
    if (folders.length > 0 && inSearch(path)) continue;
    const reason = exclusionOf(path) ?? secrets.whyLeftOut(path) ?? (isOddPath(path) ? 'odd-name' : undefined);
    if (reason === undefined) paths.push(path);
    else skipped.push({ path, reason });
  }
  for (const one of notListed) if (!inSearch(one.path.replace(/\/$/, ''))) skipped.push(one);
  return { paths, skipped, mayPassLinks: isByGit };
}

/** Every file of a workspace that is not ignored: what may be cited. */
export async function listAll(workspace: string, searches?: string): Promise<ReadonlySet<string>> {
  return new Set((await list(workspace, searches)).files);
}

type Listed = Walked & { readonly isByGit: boolean };

async function list(workspace: string, searches: string | undefined, signal?: AbortSignal): Promise<Listed> {
  return listFolder(workspace, await ownFolders(workspace, searches), signal);
}

async function listFolder(folder: string, own: readonly string[], signal: AbortSignal | undefined): Promise<Listed> {
  const repository = repositoryOf(folder);
  // Git does not list what is in a folder that it ignores as a whole, except files that are tracked there all the same.
  const isAsked = repository !== undefined && !repository.leavesOut;
  const byGit = isAsked ? await listByGit(folder, own, repository, signal) : undefined;
  if (!byGit || byGit.files.length + byGit.modules.length === 0) {
    const walked = await walkFolder(folder, own, repository, signal);
    if (isAsked && !byGit) walked.skipped.push({ path: '.git', reason: 'unasked' });
    return { ...walked, isByGit: false };
  }
  const { files, skipped, modules } = byGit;
  for (const module of modules) {
    const within = own.flatMap((path) => (path.startsWith(`${module}/`) ? path.slice(module.length + 1) : []));
    const inner = await listFolder(join(folder, module), within, signal);
    for (const path of inner.files) files.push(`${module}/${path}`);
    for (const { path, reason } of inner.skipped) skipped.push({ path: posix.join(module, path), reason });
  }
  return { files, skipped, isByGit: true };
}
