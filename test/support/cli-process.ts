import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { JournalEvent } from '../../src/core/search/events.ts';

const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** All that a program gets which starts without the environment of the tests; compiled code that is kept is no matter of it. */
export const BARE = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    ['PATH', 'XDG_STATE_HOME', 'NODE_COMPILE_CACHE'].includes(name) ? [[name, value ?? '']] : [],
  ),
);

/** How a command ended. */
export interface CliEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command as a process of its own, without a terminal. */
export class CliProcess {
  readonly pid: number;
  readonly end: Promise<CliEnd>;
  #stdout = '';
  #stderr = '';
  #lines = 0;
  #isOver = false;
  readonly #child: ChildProcess;
  readonly #watchers = new Set<() => void>();

  /** @param env what of the program's own variables is set; others of these names are taken out */
  constructor(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string) {
    const clean = Object.entries(process.env).filter(([name]) => !/^(THOUGHT_TREE_|FORCE_COLOR$)/.test(name));
    this.#child = spawn(process.execPath, [COMMAND, ...args], {
      cwd,
      env: { ...Object.fromEntries(clean), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (this.#child.pid === undefined) throw new Error('the command could not be started');
    this.pid = this.#child.pid;
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#lines += text.split('\n').length - 1;
      this.#changed();
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#changed();
    });
    this.end = this.#ended();
  }

  /** Whole lines printed so far. */
  get lines(): number {
    return this.#lines;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves once so many whole lines were printed, or the process is over. */
  printed(lines: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.#lines < lines && !this.#isOver) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Resolves once it said something on stderr; rejects if it ends before. */
  said(what: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const isSaid = what.test(this.#stderr);
        if (!isSaid && !this.#isOver) return;
        this.#watchers.delete(look);
        if (isSaid) resolve();
        else reject(new Error(`it ended without saying so: ${this.#stderr}`));
      };
      this.#watchers.add(look);
      look();
    });
  }

  async #ended(): Promise<CliEnd> {
    const [code, signal] = (await once(this.#child, 'close')) as [number | null, NodeJS.Signals | null];
    this.#isOver = true;
    this.#changed();
    return { code, signal, stdout: this.#stdout, stderr: this.#stderr };
  }

  #changed(): void {
    for (const look of [...this.#watchers]) look();
  }
}

/** Returns the events that `--json` printed, a torn last line left out. */
export function printedEvents({ stdout }: CliEnd): JournalEvent[] {
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalEvent);
}
