import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { atExit } from '../support/at-exit.ts';

/** A process with all that it starts: its group ends with it, whatever happens to this one. */
export class ServerProcess {
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  #output = '';
  readonly #child: ChildProcess;
  readonly #watchers = new Set<() => void>();
  readonly #callOff: () => void;

  constructor(args: readonly string[], options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    this.#child = spawn(process.execPath, args, {
      ...options,
      detached: process.platform !== 'win32', // a group of its own
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        for (const watcher of this.#watchers) watcher();
      });
    this.#callOff = atExit(() => this.#signal('SIGKILL'));
    this.ended = once(this.#child, 'close').then(() => undefined);
    void this.ended.then(() => {
      for (const watcher of this.#watchers) watcher();
    });
  }

  get output(): string {
    return this.#output;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /**
   * Waits for what the process prints.
   * @throws Error when it ends, or when `within` milliseconds are over
   */
  async printed(pattern: RegExp, within: number): Promise<RegExpExecArray> {
    return await new Promise((resolve, reject) => {
      const end = (result: RegExpExecArray | Error) => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      const look = () => {
        const found = pattern.exec(this.#output);
        if (found) end(found);
        else if (this.#isOver) end(new Error(`The server ended too early:\n${this.#output}`));
      };
      const timer = setTimeout(
        () => end(new Error(`The server did not print ${pattern} in ${within} ms:\n${this.#output}`)),
        within,
      );
      this.#watchers.add(look);
      look();
    });
  }

  async stop(): Promise<void> {
    this.#callOff();
    if (!this.#isOver) this.#signal('SIGTERM');
    const impatience = setTimeout(() => this.#signal('SIGKILL'), 3000);
    await this.ended;
    clearTimeout(impatience);
    this.#signal('SIGKILL'); // what the server left behind
  }

  get #isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (process.platform === 'win32') {
      if (!this.#isOver) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
      return;
    }
    try {
      process.kill(-pid, signal);
    } catch {
      // the whole group is gone
    }
  }
}
