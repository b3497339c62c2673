import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../file-error.ts';

const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 100;
const LONGEST_TOTAL_MS = 10_000;

/**
 * Renames a file; if Windows refuses because somebody (an indexer, a virus scanner, a reader) has the file open, retries
 * for about 10 seconds.
 * @param rename must throw what the system call throws, and is repeated as a whole
 * @param platform `process.platform`; a refusal is final except on Windows
 * @param wait for tests
 */
export async function renameWithRetry(
  rename: () => void,
  platform: string,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  let waited = 0;
  for (let pause = FIRST_WAIT_MS; ; pause = Math.min(pause * 2, LONGEST_WAIT_MS)) {
    try {
      rename();
      return;
    } catch (error) {
      if (platform !== 'win32' || !isTransient(error) || waited >= LONGEST_TOTAL_MS) throw error;
    }
    await wait(pause);
    waited += pause;
  }
}

function isTransient(error: unknown): boolean {
  return ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
}
