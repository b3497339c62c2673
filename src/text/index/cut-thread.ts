import { Worker } from 'node:worker_threads';
import type { CutList } from './cut-list.ts';
import { cutFound, type FoundFile } from './cut-one.ts';

export interface CutOptions {
  /** The real, absolute path. */
  readonly folder: string;
  /** As for `SecretFilter`. */
  readonly workspace: string;
  readonly allowedFiles: readonly string[];
}

/** What the thread is asked: to cut what nobody has taken of some files, from the last on. */
export interface ToCutThread {
  readonly paths: readonly string[];
  /** As in `CutList`. */
  readonly taken: Int32Array;
}

/** What the thread says: one file can be cut, null if it is not for quoting; or all can that it could take. */
export type FromCutThread = { readonly at: number; readonly found: FoundFile | null } | 'end';

/** Cuts files beside this thread. */
export interface CutsBeside {
  /** Cuts what it can take of a list, from the last on, and adds it there. @throws the error in the thread */
  cut(list: CutList): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly list: CutList;
  resolve(): void;
  reject(error: unknown): void;
}

/** A thread that cuts files beside this one. */
export class CutThread implements CutsBeside {
  readonly #worker: Worker;
  /** In the order in which they were asked for, which is that of the answers. */
  readonly #waiting: Waiting[] = [];
  #failure: unknown;

  constructor(options: CutOptions) {
    // When bundled, the worker is a separate bundle next to the one that this is part of.
    const file = import.meta.url.endsWith('.ts') ? './cut-worker.ts' : './cut-worker.cjs';
    this.#worker = new Worker(new URL(file, import.meta.url), { workerData: options, execArgv: [] });
    this.#worker.on('message', (message: FromCutThread) => this.#take(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('a thread that cuts files has ended')));
  }

  cut(list: CutList): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ list, resolve, reject });
      const message: ToCutThread = { paths: list.places.map(({ path }) => path), taken: list.taken };
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(message: FromCutThread): void {
    if (message === 'end') this.#waiting.shift()?.resolve();
    else this.#waiting[0]?.list.add(message.at, message.found ? cutFound(message.found) : undefined);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
