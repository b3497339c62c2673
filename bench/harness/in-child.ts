import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a file in a separate process with its own heap; its output is the result. */
export async function inChild<T>(file: URL, ...words: readonly (string | number)[]): Promise<T> {
  const path = fileURLToPath(file);
  const { stdout } = await run(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=6000', path, ...words.map(String)],
    {
      maxBuffer: 1e8,
    },
  );
  return JSON.parse(stdout) as T;
}

/** Bytes of the heap in use after garbage collection. */
export function heapInUse(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
