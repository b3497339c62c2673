import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

const made: string[] = [];

/** Returns a new folder that is taken away when this process ends. */
export function temporaryFolder(name: string): string {
  if (made.length === 0)
    atExit(() => {
      for (const folder of made) rmSync(folder, { recursive: true, force: true });
    });
  const folder = mkdtempSync(join(tmpdir(), `thought-tree-${name}-`));
  made.push(folder);
  return folder;
}
