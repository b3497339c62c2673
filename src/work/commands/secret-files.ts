import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The number of files and folders that are looked at. */
const MOST = 100_000;
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
  most = MOST,
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
      const file = await realpath(join(workspace, at(name))).catch(() => undefined); // of a link, what it leads to
      if (file !== undefined && (await stat(file)).isFile()) files.push(file);
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
