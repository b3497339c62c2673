import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const LARGEST = 4 * 1024 * 1024;
const DEEPEST = 3;
const MOST_FOLDERS = 2000;

/**
 * Where a plugin of an agent's program is installed, for this user or for a workspace; undefined if it is found nowhere.
 * @param home where that program keeps what it installs
 */
export async function findProgram(name: string, workspace: string, home = programHome()): Promise<string | undefined> {
  const settings = [
    join(workspace, '.claude', 'settings.json'),
    join(workspace, '.claude', 'settings.local.json'),
    join(home, 'settings.json'),
    join(home, 'plugins', 'installed_plugins.json'),
  ];
  for (const file of settings) if (await names(file, name)) return file;
  return (
    (await folderNamed(name, join(workspace, '.claude', 'plugins'))) ?? (await folderNamed(name, join(home, 'plugins')))
  );
}

function programHome(): string {
  return process.env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude');
}

async function names(file: string, name: string): Promise<boolean> {
  const about = await stat(file).catch(() => undefined);
  if (!about?.isFile() || about.size > LARGEST) return false;
  return (await readFile(file, 'utf8').catch(() => '')).includes(name);
}

async function folderNamed(name: string, top: string): Promise<string | undefined> {
  let level = [top];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of level.slice(0, MOST_FOLDERS)) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.name.startsWith(name)) return path;
        if (entry.isDirectory()) below.push(path);
      }
    }
    level = below;
  }
  return undefined;
}
