import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Users that own nothing, as which PostgreSQL runs where this process is root: it refuses to be that. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** A user, by the numbers that `spawn` takes. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/**
 * As whom it runs: an existing user without rights where this process is root, else as this user (undefined). Makes none.
 * @throws Error if there is nobody
 */
export async function unprivileged(): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of UNPRIVILEGED) {
    const of = async (what: string): Promise<number> => Number((await run('id', [what, name])).stdout);
    const user = await Promise.all([of('-u'), of('-g')]).catch(() => undefined);
    if (user) return { uid: user[0], gid: user[1] };
  }
  throw new Error(`PostgreSQL cannot run as root, and there is no user ${UNPRIVILEGED.join(' or ')} here.`);
}

/** Tells whether that user can run a program where it lies. */
export async function canRun(program: string, user: RunAs): Promise<boolean> {
  return await run(program, ['--version'], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );
}
