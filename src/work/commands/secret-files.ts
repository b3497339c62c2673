import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** How many files and folders are looked at, and how deep. */
const MOST = 5000;
const DEEPEST = 4;

/**
 * Files of the workspace whose names say that they hold secrets, near its top. They are looked up before each command, as
 * such files come and go.
 * @returns absolute paths
 */
export async function secretFilesIn(workspace: string, isSecret: (path: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  let looked = 0;
  const look = async (below: string, depth: number): Promise<void> => {
    const entries = await readdir(join(workspace, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (++looked > MOST) return;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile() && isSecret(path)) found.push(join(workspace, path));
      const isLeftOut = entry.name.startsWith('.') || entry.name === 'node_modules';
      if (entry.isDirectory() && !isLeftOut && depth < DEEPEST) await look(path, depth + 1);
    }
  };
  await look('', 1);
  return found;
}
