import { cp, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runProcess } from '../processes/run-process.ts';
import { throwIfStopped } from './stopped.ts';

const TIMEOUT_MS = 10 * 60_000;

/**
 * Copies a folder with its links as they are. Copies share their content with the original where the file system can do that,
 * never the file itself.
 * @param to must not exist
 */
export async function copyFolder(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if (process.platform === 'win32') return cp(from, to, { recursive: true, verbatimSymlinks: true });
  // The system's own program is many times faster than Node, and copies pipes and the like as well.
  const flags = process.platform === 'darwin' ? ['-a', '-c'] : ['-a'];
  let wrong = '';
  const { exitCode } = await runProcess({
    program: '/bin/cp',
    args: [...flags, '--', from, to],
    folder: dirname(to),
    env: { LC_ALL: 'C' },
    timeoutMs: TIMEOUT_MS,
    signal,
    onOutput: (piece) => {
      if (wrong.length < 500) wrong += piece.toString('utf8');
      return true;
    },
  });
  throwIfStopped(signal);
  if (exitCode !== 0) throw new Error(`cannot copy ${from}: ${wrong}`);
}
