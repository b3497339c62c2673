import { readdir, readFile } from 'node:fs/promises';
import { MARK } from './command-line.ts';

/**
 * Ends what a command left running outside of its group, where no sandbox does that: whatever has its mark in its
 * environment. Only Linux shows that.
 */
export async function endLeftBehind(id: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const mark = `${MARK}=${id}`;
  // Once more after those found: one may have started another one meanwhile.
  for (let round = 0; round < 5; round++) {
    const found = await markedProcesses(mark);
    if (found.length === 0) return;
    for (const pid of found)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // already gone
      }
  }
}

async function markedProcesses(mark: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return environment.split('\0').includes(mark) ? [pid] : [];
    }),
  );
  return found.flat();
}
