import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The number of files and folders that are looked at. */
const MOST_LOOKED_AT = 100_000;
/** A folder with more files of secrets is hidden as a whole. */
const MOST_IN_FOLDER = 50;
/** Dot folders that tools need and that checkouts do not have: installed programs. Of `.git`, that at the top. */
const INSTALLED = new Set(['.venv', '.yarn']);

/** The places of the workspace that a command does not see. */
export interface SecretPlaces {
  /** Files, by their absolute paths: it sees them empty. */
  readonly files: readonly string[];
  /** Folders: it sees nothing of them. */
  readonly folders: readonly string[];
}

/**
 * Finds what of the workspace no command is to see: files whose names say that they hold secrets, at any depth, and dot folders, in
 * which programs keep settings and sessions. Whatever is not looked at is hidden, so that the bound hides more, never less;
 * only what is installed in `node_modules` is taken as it is. Looked up before each command, as such files come and go.
 * @param isSecret told the path of a file relative to the workspace
 */
export async function secretPlacesIn(
  workspace: string,
  isSecret: (path: string) => boolean,
  most = MOST_LOOKED_AT,
): Promise<SecretPlaces> {
  const files: string[] = [];
  const folders: string[] = [];
  const waiting = [''];
  let looked = 0;
  // Level by level: what is far down is hidden first.
  for (const below of waiting) {
    const entries =
      looked > most ? undefined : await readdir(join(workspace, below), { withFileTypes: true }).catch(() => []); // nor can a command read it
    looked += entries?.length ?? 0;
    const at = (name: string): string => (below === '' ? name : `${below}/${name}`);
    // In a dot folder that is shown, every file would count as hidden: there the name alone tells.
    const isInstalled = below.split('/').some((name) => INSTALLED.has(name));
    const secrets = (entries ?? []).filter(
      (entry) => !entry.isDirectory() && isSecret(isInstalled ? basename(entry.name) : at(entry.name)),
    );
    if (below !== '' && (!entries || looked > most || secrets.length > MOST_IN_FOLDER)) {
      folders.push(join(workspace, below));
      continue;
    }
    for (const { name } of secrets) {
      const file = await realFileAt(join(workspace, at(name)));
      if (file !== undefined) files.push(file);
    }
    for (const entry of entries ?? []) {
      const { name } = entry;
      if (!entry.isDirectory() || name === 'node_modules' || (below === '' && name === '.git')) continue;
      if (name.startsWith('.') && !INSTALLED.has(name)) folders.push(join(workspace, at(name)));
      else waiting.push(at(name));
    }
  }
  return { files, folders };
}

/** Returns the real path of a file, of a link the one that it leads to; undefined if there is none, or no longer. */
async function realFileAt(path: string): Promise<string | undefined> {
  const file = await realpath(path).catch(() => undefined);
  const about = file === undefined ? undefined : await stat(file).catch(() => undefined);
  return about?.isFile() ? file : undefined;
}

const MOST_MODULES = 200;

/**
 * The settings of the repository that a folder is in: addresses in them may hold passwords and tokens, which are none of a
 * command's business. They are found without git, which would read them.
 * @returns absolute paths of files that exist
 */
export async function gitSettingsOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    for (const dir of await repositoriesAt(join(at, '.git'))) {
      const modules = join(dir, 'modules');
      const names = (await readdir(modules).catch(() => [])).slice(0, MOST_MODULES);
      for (const place of [dir, ...names.map((name) => join(modules, name))])
        for (const name of ['config', 'config.worktree', 'FETCH_HEAD']) found.push(join(place, name));
    }
    if (at === dirname(at)) break;
  }
  const isFile = await Promise.all(found.map(async (file) => (await lstat(file).catch(() => undefined))?.isFile()));
  return [...new Set(found.filter((_, i) => isFile[i]))];
}

/** Returns the folder that `.git` is; or the ones that it names, of a further worktree and of the repository itself. */
export async function repositoriesAt(git: string): Promise<string[]> {
  const about = await lstat(git).catch(() => undefined);
  if (!about) return [];
  if (about.isDirectory()) return [git];
  const named = await firstLine(git);
  if (!named?.startsWith('gitdir: ')) return [];
  const dir = resolve(dirname(git), named.slice('gitdir: '.length));
  const common = await firstLine(join(dir, 'commondir'));
  return common ? [dir, resolve(dir, common)] : [dir];
}

async function firstLine(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text?.split('\n')[0]?.trim();
}
