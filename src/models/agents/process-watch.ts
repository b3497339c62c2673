import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends processes when this one is gone, however it went: a killed process runs no code of its own any more, and an
 * agent that waits for its server does not notice that nobody listens. A small process holds the other end of a pipe,
 * knows the ids, and ends them when the pipe breaks.
 */
export class ProcessWatch {
  #watcher: ChildProcess | undefined;

  /** Watches over a process, and its group where it leads one, until it ends; what is left of its group ends then. */
  add(child: ChildProcess): void {
    const { pid } = child;
    if (pid === undefined) return;
    this.#watcher ??= startWatcher();
    this.#tell(`+${pid}`);
    child.once('exit', () => {
      endRest(pid);
      this.#tell(`-${pid}`);
    });
  }

  /** Ends what is still watched over, and the watching. */
  close(): void {
    this.#watcher?.stdin?.end();
    this.#watcher = undefined;
  }

  #tell(line: string): void {
    this.#watcher?.stdin?.write(`${line}\n`);
  }
}

/** Ends a process with its whole group; one that is gone already is no error. */
export function endGroup(pid: number): void {
  for (const target of process.platform === 'win32' ? [pid] : [-pid, pid])
    try {
      process.kill(target, 'SIGKILL');
      return;
    } catch {
      // no such group, or gone
    }
}

/** Ends what a process that is gone has left in its group. The id alone may be another process's by now. */
function endRest(pid: number): void {
  if (process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // nothing is left
  }
}

/** What the watcher runs: text, since a bundle has no file for it. */
const WATCHER = `
const held = new Set();
let rest = '';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) line[0] === '+' ? held.add(Number(line.slice(1))) : held.delete(Number(line.slice(1)));
});
const end = () => {
  for (const pid of held)
    for (const target of process.platform === 'win32' ? [pid] : [-pid, pid])
      try { process.kill(target, 'SIGKILL'); break; } catch {}
  process.exit();
};
process.stdin.on('end', end).on('error', end);
`;

function startWatcher(): ChildProcess {
  const { SystemRoot } = process.env;
  // Inside the editor the program at hand is the editor's, which is a Node with this variable only.
  const env = { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot === undefined ? {} : { SystemRoot }) };
  const watcher = spawn(process.execPath, ['-e', WATCHER], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Not of our group: what a terminal sends to that must not end it before us.
    detached: true,
    windowsHide: true,
    env,
  });
  // Where it cannot be had, agents still end with the search.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  (watcher.stdin as typeof watcher.stdin & { unref?: () => void }).unref?.();
  return watcher;
}
