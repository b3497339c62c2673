import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');
const MOST_KEPT = 4000;

export interface CommandOptions {
  /** Where it works, and where whatever it leaves behind belongs. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Gets each line that it prints. */
  readonly onLine?: (line: string) => void;
}

/** Our command from its sources, as a process that ends with this one; Ctrl-C in a terminal does not reach it. */
export class CommandChild {
  /** Resolves when it is over. */
  readonly over: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();
  #said = '';
  #isOver = false;

  constructor(args: readonly string[], { folder, env, onLine }: CommandOptions) {
    const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('THOUGHT_TREE_'));
    const node = ['--import', join(import.meta.dirname, 'end-with-parent.ts'), `--diagnostic-dir=${folder}`];
    this.#child = spawn(process.execPath, [...node, join(ROOT, 'src/cli/cli.ts'), ...args], {
      cwd: folder,
      env: { ...Object.fromEntries(clean), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    if (this.#child.stdout) createInterface(this.#child.stdout).on('line', (line) => onLine?.(line));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-MOST_KEPT);
      for (const listener of this.#listeners) listener();
    });
    this.over = once(this.#child, 'close').then(([code]) => {
      this.#isOver = true;
      for (const listener of this.#listeners) listener();
      return code as number | null;
    });
  }

  /** The end of what it said on stderr. */
  get said(): string {
    return this.#said;
  }

  /** Resolves once it said something; rejects if it ends before. */
  async until(what: RegExp): Promise<void> {
    while (!what.test(this.#said)) {
      if (this.#isOver) throw new Error(`it ended: ${this.#said}`);
      await new Promise<void>((resolve) => {
        const listener = (): void => {
          this.#listeners.delete(listener);
          resolve();
        };
        this.#listeners.add(listener);
      });
    }
  }

  /** Asks it to end: once in order, twice at once. */
  stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): void {
    if (!this.#isOver) this.#child.kill(signal);
  }
}
