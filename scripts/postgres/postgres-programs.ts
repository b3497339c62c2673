import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installPostgres } from './install-postgres.ts';

/** Where systems put it, besides the search path. */
const INSTALLED = ['/usr/lib/postgresql', '/usr/pgsql', '/opt/homebrew/opt/postgresql@17', '/usr/local/opt/postgresql'];

/**
 * The folder that holds PostgreSQL's `bin`: of an installed one, the newest version first, or else of one that is installed
 * for this alone. `POSTGRES=embedded` in the environment leaves the installed one out.
 * @throws Error with what to do where there is none for this machine
 */
export async function postgresPrograms(): Promise<string> {
  const installed = process.env['POSTGRES'] === 'embedded' ? undefined : await installedAt();
  const found = installed ?? (await installPostgres());
  if (found === undefined)
    throw new Error('There is no PostgreSQL, and none to install for this machine alone: install it, and try again.');
  return found;
}

async function installedAt(): Promise<string | undefined> {
  const found: string[] = [];
  for (const parent of INSTALLED) {
    const versions = await readdir(parent).catch(() => []);
    const newest = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a));
    found.push(...newest.map((version) => join(parent, version)), parent);
  }
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, '..'));
  for (const folder of [...found, ...onPath]) {
    const names = await readdir(join(folder, 'bin')).catch((): string[] => []);
    if (names.includes('initdb') && names.includes('postgres')) return folder;
  }
  return undefined;
}
