import { Worker } from 'node:worker_threads';
import { type CutData, type CutSource, fromData } from './cut-one.ts';

export interface CutOptions {
  /** The real, absolute path. */
  readonly folder: string;
  /** As for `SecretFilter`. */
  readonly workspace: string;
  readonly allowedFiles: readonly string[];
}

/** What the thread is asked: to cut a file, or to load what it will need for such a one. */
export type ToCutThread = { readonly cut: string } | { readonly ready: string };

/** Cuts files beside this thread. */
export interface CutsBeside {
  /** Lets it load what files like this one need, before the first is to be cut. */
  getReady(path: string): void;
  /** Several calls at a time. @throws the error in the thread */
  cut(path: string): Promise<CutSource | undefined>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(source: CutSource | undefined): void;
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
    this.#worker.on('message', (data: CutData | null) =>
      this.#waiting.shift()?.resolve(data ? fromData(data) : undefined),
    );
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('a thread that cuts files has ended')));
  }

  getReady(path: string): void {
    this.#post({ ready: path });
  }

  cut(path: string): Promise<CutSource | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#post({ cut: path });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(message: ToCutThread): void {
    this.#worker.postMessage(message);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
