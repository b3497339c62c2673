import { Worker } from 'node:worker_threads';
import { type CutData, type CutSource, fromData } from './cut-one.ts';

export interface CutOptions {
  /** The real, absolute path. */
  readonly folder: string;
  /** As for `SecretFilter`. */
  readonly workspace: string;
  readonly allowedFiles: readonly string[];
}

/** A thread that cuts files beside this one. */
export class CutThread {
  readonly #worker: Worker;

  constructor(options: CutOptions) {
    // When bundled, the worker is a separate bundle next to the one that this is part of.
    const file = import.meta.url.endsWith('.ts') ? './cut-worker.ts' : './cut-worker.cjs';
    this.#worker = new Worker(new URL(file, import.meta.url), { workerData: options, execArgv: [] });
  }

  /** One call at a time. @throws the error in the thread */
  cut(paths: readonly string[]): Promise<(CutSource | undefined)[]> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker;
      const end = (): void => {
        worker.off('message', take).off('error', fail).off('exit', fail);
      };
      const take = (all: readonly (CutData | undefined)[]): void => {
        end();
        resolve(all.map((one) => one && fromData(one)));
      };
      const fail = (error: unknown): void => {
        end();
        reject(error instanceof Error ? error : new Error('a thread that cuts files has ended'));
      };
      worker.on('message', take).on('error', fail).on('exit', fail);
      worker.postMessage(paths);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
