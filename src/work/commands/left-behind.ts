import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { MARK } from './command-line.ts';

/** The number of further looks, and the wait between them, in milliseconds: the last ones may take a moment to go. */
const ROUNDS = 50;
const WAIT_MS = 40;

/**
 * Ends what a command left running outside of its group, and waits until it is gone: whatever has its mark in its
 * environment. Only Linux shows that.
 * @param mark how the mark begins
 */
export async function endLeftBehind(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < ROUNDS; round++) {
    const found = await markedProcesses(`${MARK}=${mark}`);
    if (found.length === 0) return;
    for (const pid of found)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // already gone
      }
    await setTimeout(WAIT_MS);
  }
}

async function markedProcesses(mark: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return environment.split('\0').some((each) => each.startsWith(mark)) ? [pid] : [];
    }),
  );
  return found.flat();
}
