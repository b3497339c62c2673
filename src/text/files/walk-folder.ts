import fs from 'node:fs';
import { ignoredBy, type Repository, type Rules, rulesIn, rulesOfRepository } from './git-rules.ts';
import type { SkippedPath } from './skipped.ts';

/** Folders read between two looks at what else has to be done. */
const AT_ONCE = 200;

/** The content of a folder; all paths are relative to it, with `/`. */
export interface Walked {
  readonly files: string[];
  /** Paths that are neither a file nor a folder that could be read, and those that rules left out. */
  readonly skipped: SkippedPath[];
}

/**
 * The files below a folder, without those that the rules of its repository leave out, `.git`, `node_modules`, and the folders in
 * `without`. Links, pipes and the like are not files.
 * @param repository that the folder is in; where it is in none, `.gitignore` files count all the same
 */
export async function walkFolder(
  folder: string,
  without: readonly string[],
  repository?: Repository,
  signal?: AbortSignal,
): Promise<Walked> {
  const files: string[] = [];
  const skipped: SkippedPath[] = [];
  const ignoring = new Set<string>();
  const skip = new Set(without);
  const prefix = repository?.prefix ?? '';
  const open: { path: string; rules: Rules | undefined }[] = [{ path: '', rules: repository?.rules }];
  for (let read = 1; open.length > 0; read++) {
    const next = open.pop() as (typeof open)[number];
    if (read % AT_ONCE === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    const base = next.path === '' ? '' : `${next.path}/`;
    const entries = entriesOf(`${folder}/${next.path}`);
    if (!entries) {
      skipped.push({ path: base || '.', reason: 'closed' });
      continue;
    }
    let { rules } = next;
    const place = `${folder}/${next.path}`;
    if (base !== '' && entries.some(({ name }) => name === '.git'))
      rules = rulesOfRepository(place, prefix + base, rules);
    if (entries.some((entry) => entry.name === '.gitignore' && entry.isFile()))
      rules = rulesIn(place, prefix + base, rules, `${base}.gitignore`);
    for (const entry of entries) {
      const path = base + entry.name;
      const isFolder = entry.isDirectory();
      if (entry.name === '.git' || (isFolder && skip.has(path))) continue;
      const by =
        isFolder && entry.name === 'node_modules'
          ? `${path}/`
          : ignoredBy(`${prefix}${path}${isFolder ? '/' : ''}`, rules);
      if (by !== undefined) ignoring.add(by);
      else if (isFolder) open.push({ path, rules });
      else if (entry.isFile()) files.push(path);
      else skipped.push({ path, reason: entry.isSymbolicLink() ? 'link' : 'unreadable' });
    }
  }
  for (const path of ignoring) skipped.push({ path, reason: 'ignored' });
  return { files, skipped };
}

/** Undefined for a folder that cannot be read. */
function entriesOf(folder: string): fs.Dirent[] | undefined {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // One that is gone since it was listed has nothing to read.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : undefined;
  }
}
