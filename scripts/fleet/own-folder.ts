import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How long the processes that ended with us may still write there, in seconds. */
const LAST_WRITES_SECONDS = 2;

/** A folder that is gone when this process is. */
export interface OwnFolder {
  readonly path: string;
  remove(): void;
}

/** Makes it. A shell that reads from this process removes it where this process cannot any more. */
export function ownFolder(): OwnFolder {
  const path = mkdtempSync(join(tmpdir(), 'thought-tree-trying-'));
  const sweeper = `read -r word; if [ -z "$word" ]; then sleep ${LAST_WRITES_SECONDS}; rm -rf "$0"; fi`;
  const child = spawn('sh', ['-c', sweeper, path], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
      child.stdin.end('end\n');
    },
  };
}
