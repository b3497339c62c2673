import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languageOf } from '../files/languages.ts';

/** A request to the process: the marks of a text, for which it may take so much processor time, in milliseconds. */
export interface ToParser {
  readonly path: string;
  readonly text: string;
  readonly most: number;
}

export interface FromParser {
  /** Packed; none if tree-sitter failed at it. Undefined if its language could not be loaded, whatever the text. */
  readonly marks?: Uint8Array;
  /** True if the process ends now: tree-sitter is of no more use. */
  readonly isLast: boolean;
}

interface Waiting {
  readonly message: ToParser;
  resolve(marks: Uint8Array): void;
  reject(error: unknown): void;
}

const NO_MARKS = new Uint8Array();
/** The time that a process without work waits for more, in milliseconds. */
const IDLE_MS = 5000;
/** The processor time that a text may take, and each of its characters: people's code took 0.0005, and tables up to 0.004. */
const [MOST_MS, MOST_MS_FOR_EACH] = [1000, 0.01];

/** Parses texts in a process of its own, started when it is first needed. One that a text has ended is followed by another. */
export class Parser {
  readonly #most: (length: number) => number;
  /** In the order in which they were sent, which is that of the answers. */
  readonly #waiting: Waiting[] = [];
  #process: ChildProcess | undefined;
  #isReady = false;
  #failure: unknown;
  #idle: NodeJS.Timeout | undefined;

  /** @param most the processor time in milliseconds that a text of a length may take */
  constructor(most = (length: number): number => MOST_MS + MOST_MS_FOR_EACH * length) {
    this.#most = most;
  }

  /**
   * Finds in a text what its language's query looks for, or what looks like it by its lines; nothing if it has no language, or
   * if it took tree-sitter too much time, or its life. Rejects where no process can be started.
   * @param path of the file, which tells its language
   * @returns packed marks
   */
  findMarks(path: string, text: string): Promise<Uint8Array> {
    if (!languageOf(path, text)) return Promise.resolve(NO_MARKS);
    return new Promise((resolve, reject) => {
      const waiting = { message: { path, text, most: this.#most(text.length) }, resolve, reject };
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push(waiting);
      if (this.#process) this.#send(waiting);
      else this.#start();
    });
  }

  /** Ends the process, and resolves when it is gone: who ends before leaves its remains to the system. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const child = this.#process;
    this.#process = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the process that parses was ended'));
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    child.kill('SIGKILL');
    await once(child, 'exit').catch(() => undefined);
  }

  #start(): void {
    const child = startProcess();
    this.#process = child;
    this.#isReady = false;
    child.on('message', (message: FromParser | 'ready') => this.#process === child && this.#take(message));
    child.on('error', (error) => this.#process === child && this.#fail(error));
    child.on('exit', () => this.#process === child && this.#restart());
    for (const waiting of this.#waiting) this.#send(waiting);
  }

  #send({ message }: Waiting): void {
    clearTimeout(this.#idle);
    this.#process?.ref();
    this.#process?.channel?.ref();
    // If it has ended, that is told once more.
    this.#process?.send(message, () => undefined);
  }

  #take(message: FromParser | 'ready'): void {
    if (message === 'ready') {
      this.#isReady = true;
      return;
    }
    const { marks, isLast } = message;
    const waiting = this.#waiting.shift();
    if (marks) waiting?.resolve(marks);
    else waiting?.reject(new Error('a language could not be loaded'));
    if (isLast) this.#startAgain();
    if (this.#waiting.length === 0) this.#rest();
  }

  /** The first text that waits has ended the process. */
  #restart(): void {
    if (!this.#isReady) {
      this.#fail(new Error('the process that parses has ended at once'));
      return;
    }
    this.#waiting.shift()?.resolve(NO_MARKS);
    this.#startAgain();
  }

  #startAgain(): void {
    this.#process = undefined;
    if (this.#waiting.length > 0) this.#start();
  }

  /** Where no process can be started, the next one cannot either. */
  #fail(error: unknown): void {
    this.#process = undefined;
    this.#failure = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** An idle process must not keep this one alive, and ends after a while. */
  #rest(): void {
    const child = this.#process;
    child?.unref();
    child?.channel?.unref();
    this.#idle = setTimeout(() => {
      if (this.#process === child) this.#process = undefined;
      child?.disconnect();
    }, IDLE_MS);
    this.#idle.unref();
  }
}

/** The one that all share. */
export const parser = new Parser();

function startProcess(): ChildProcess {
  // When bundled, the process is a separate bundle next to the one that this is part of.
  const name = import.meta.url.endsWith('.ts') ? './parse-process.ts' : './parse-process.cjs';
  const file = fileURLToPath(new URL(name, import.meta.url));
  const { SystemRoot } = process.env;
  return spawn(process.execPath, [file], {
    // It is not in the folder that is searched, which could not be removed meanwhile on some systems.
    cwd: dirname(file),
    // Inside the editor, the executable is the editor's, which acts as Node only with this variable.
    env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot === undefined ? {} : { SystemRoot }) },
    // A signal from the terminal to our group is not about it: it ends with its channel.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
}
