// Installs the real Claude Agent SDK with its program for this machine, outside the repository, under a name that says
// what it was made from. It is not a part of our package: its licence and its 370 MB are its own.
//   node test/agents/install.ts    installs it where it is missing (about 20 seconds) and prints the folder
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, npm } from '../host/install.ts';

const PACKAGES = join(import.meta.dirname, 'sdk');
const FILES = ['package.json', 'package-lock.json'];

/** The folder whose `node_modules` hold the SDK. */
export async function installAgents(): Promise<string> {
  const home = join(cacheFolder(), 'thought-tree', `agents-${await inputsHash()}`);
  if (existsSync(home)) return home;
  const fresh = `${home}.${randomUUID()}`;
  await mkdir(fresh, { recursive: true });
  try {
    for (const file of FILES) await copyFile(join(PACKAGES, file), join(fresh, file));
    // Without what it names as its peers: that is for hosts that define tools of their own.
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

async function inputsHash(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}\n`);
  for (const file of FILES) hash.update(await readFile(join(PACKAGES, file)));
  return hash.digest('hex').slice(0, 12);
}

if (import.meta.main) process.stdout.write(`${await installAgents()}\n`);
