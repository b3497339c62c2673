import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Suspends a process at a moment at which it does not hold the purse: all others would wait for it in vain, and say so,
 * however short the step was in which it was stopped.
 */
export async function suspend(pid: number): Promise<void> {
  for (;;) {
    process.kill(pid, 'SIGSTOP');
    while (stateOf(pid) !== 'T') await new Promise(setImmediate); // a signal takes effect a little later
    if (!isPurseHeld()) return;
    process.kill(pid, 'SIGCONT');
    await new Promise(setImmediate);
  }
}

function isPurseHeld(): boolean {
  const file = join(process.env['XDG_STATE_HOME'] ?? '', 'thought-tree', 'purse.db');
  if (!existsSync(file)) return false;
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 500; BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

/** The first letter of a process's state, as Linux or else `ps` tells it. */
function stateOf(pid: number): string | undefined {
  const file = `/proc/${pid}/stat`;
  if (existsSync(file)) return /\) (\w) /.exec(readFileSync(file, 'utf8'))?.[1];
  return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).trim()[0];
}
