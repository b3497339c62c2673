import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, npm } from '../host/install.ts';

const FILES = ['package.json', 'package-lock.json'];

/**
 * Installs packages that some tests alone need, outside the repository, under a name that says what they were made from.
 * @param packages the folder with their package.json and package-lock.json
 * @param name the beginning of that name
 * @returns the folder whose `node_modules` hold them
 */
export async function installPackages(packages: string, name: string): Promise<string> {
  const home = join(cacheFolder(), 'thought-tree', `${name}-${await inputsHash(packages)}`);
  if (existsSync(home)) return home;
  const fresh = `${home}.${randomUUID()}`;
  await mkdir(fresh, { recursive: true });
  try {
    for (const file of FILES) await copyFile(join(packages, file), join(fresh, file));
    // Without what they name as their peers: that is for hosts that define tools of their own.
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await npm(fresh, ['ci', '--legacy-peer-deps', ...quiet]);
    // Only what is whole gets the name, and another process may have been first.
    await rename(fresh, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return home;
}

async function inputsHash(packages: string): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}\n`);
  for (const file of FILES) hash.update(await readFile(join(packages, file)));
  return hash.digest('hex').slice(0, 12);
}
