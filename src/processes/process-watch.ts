import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends processes when this one is gone, even if it was killed and could not clean up: an agent that waits for its server
 * does not notice that nobody is listening. A small process holds the other end of a pipe, knows the ids, and ends them
 * when the pipe breaks.
 */
export class ProcessWatch {
  #watcher: ChildProcess | undefined;

  /** Starts the small process ahead, so that no time passes between the start of a process and its being watched. */
  begin(): void {
    this.#watcher ??= startWatcher();
  }

  /** Watches a process, and its group if it leads one, until it ends; ends the rest of its group then. */
  add(child: ChildProcess): void {
    const { pid } = child;
    if (pid === undefined) return;
    this.begin();
    this.#tell(`+${pid}`);
    child.once('exit', () => {
      endRest(pid);
      this.#tell(`-${pid}`);
    });
  }

  /** Ends everything still watched, and the watcher. */
  close(): void {
    this.#watcher?.stdin?.end();
    this.#watcher = undefined;
  }

  #tell(line: string): void {
    this.#watcher?.stdin?.write(`${line}\n`);
  }
}

/** The time that the watcher stays for the next one, in milliseconds. */
const IDLE_MS = 5000;

/** Watches processes that come and go; the watcher itself is there only while it is needed. */
export class WatchedProcesses {
  readonly #watch = new ProcessWatch();
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  /** Is ready for a process that is about to be started. */
  begin(): void {
    this.#watch.begin();
    if (this.#running === 0) this.#closeLater();
  }

  /** Watches a process until it ends. */
  add(child: ChildProcess): void {
    if (child.pid === undefined) return;
    clearTimeout(this.#idle);
    this.#running++;
    this.#watch.add(child);
    child.once('exit', () => {
      if (--this.#running === 0) this.#closeLater();
    });
  }

  #closeLater(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#watch.close(), IDLE_MS);
    this.#idle.unref();
  }
}

/** Ends a process with its whole group; it is no error if it is already gone. */
export function endGroup(pid: number): void {
  for (const target of process.platform === 'win32' ? [pid] : [-pid, pid])
    try {
      process.kill(target, 'SIGKILL');
      return;
    } catch {
      // no such group, or gone
    }
}

/** Ends what is left in the group of a process that is gone. The id alone may already belong to another process. */
function endRest(pid: number): void {
  if (process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // already gone
  }
}

/** The watcher's code: text, since a bundle has no file for it. */
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
  // Inside the editor, the executable is the editor's, which acts as Node only with this variable.
  const env = { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot === undefined ? {} : { SystemRoot }) };
  const watcher = spawn(process.execPath, ['-e', WATCHER], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Not in our group: a signal from the terminal to that group must not end it before us.
    detached: true,
    windowsHide: true,
    env,
  });
  // If it cannot be started, agents still end with the search.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  (watcher.stdin as typeof watcher.stdin & { unref?: () => void }).unref?.();
  return watcher;
}
