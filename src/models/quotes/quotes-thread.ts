import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Message } from '../../core/messages/message.ts';
import type { PromptData } from '../../core/ports/model.ts';
import type { OverviewRequest, QuotationRequest, WorkspaceQuotation } from '../../core/ports/workspace-text.ts';
import { type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import type { LeafReason } from '../../core/tree/node-file.ts';
import * as say from '../messages.ts';

interface Waiting {
  readonly onProgress: ((indexing: Indexing) => void) | undefined;
  resolve(reply: AnswerTo<Ask>): void;
  reject(error: Error): void;
}

/** The time after which it is ended if it does not end by itself, in milliseconds. */
const LATE_MS = 2000;
/** The part of its memory for new objects: V8 would take 50 MB more, and be no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 48 };

/** The worker thread with the workspace's index, started when first needed and restarted if it dies. */
export class QuotesThread {
  readonly #options: WorkerOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #next = 1;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Tells whether it has been asked anything yet, or was told to get ready. */
  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  /** Starts it, so that it has loaded its code when it is asked. */
  getReady(): void {
    if (!this.#worker) this.#start().unref();
  }

  /**
   * @param onProgress told how far the workspace is read, if that has to be done first
   * @throws ThoughtTreeError `aborted`, or the error in the thread
   */
  ask<Question extends Ask>(
    question: Question,
    signal: AbortSignal,
    onProgress?: (indexing: Indexing) => void,
  ): Promise<AnswerTo<Question>> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      const abort = (): void => {
        const message: ToWorker = { cancel: id };
        this.#worker?.postMessage(message);
        this.#settle(id)?.reject(aborted());
      };
      if (signal.aborted) {
        reject(aborted());
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      const settle = <Value>(then: (value: Value) => void): ((value: Value) => void) => {
        return (value) => {
          signal.removeEventListener('abort', abort);
          then(value);
        };
      };
      this.#waiting.set(id, { resolve: settle(resolve as Waiting['resolve']), reject: settle(reject), onProgress });
      const message: ToWorker = { id, ...question };
      const worker = this.#start();
      worker.ref();
      worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#failAll(aborted());
    if (!worker) return;
    const message: ToWorker = 'end';
    worker.postMessage(message);
    worker.ref();
    const late = setTimeout(() => void worker.terminate(), LATE_MS);
    await once(worker, 'exit').catch(() => undefined);
    clearTimeout(late);
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    // When bundled, the worker is a separate bundle next to this one.
    const file = import.meta.url.endsWith('.ts') ? './quotes-worker.ts' : './quotes-worker.cjs';
    const worker = new Worker(new URL(file, import.meta.url), {
      workerData: this.#options,
      execArgv: [],
      resourceLimits,
    });
    const died = (error: Error): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#failAll(new ThoughtTreeError('internal', say.searchFailed({ why: error.message }), { cause: error }));
    };
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', died);
    worker.on('exit', (code) => died(new Error(`its thread ended with code ${code}`)));
    this.#worker = worker;
    return worker;
  }

  #receive(message: FromWorker): void {
    if ('indexing' in message) {
      this.#waiting.get(message.id)?.onProgress?.(message.indexing);
      return;
    }
    const waiting = this.#settle(message.id);
    if (!waiting) return; // it was aborted
    if ('reply' in message) waiting.resolve(message.reply);
    else waiting.reject(new ThoughtTreeError(message.error.reason, message.error.say));
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    // An idle thread must not keep the process alive.
    if (this.#waiting.size === 0) this.#worker?.unref();
    return waiting;
  }

  #failAll(error: ThoughtTreeError): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(error);
  }
}

function aborted(): ThoughtTreeError {
  return new ThoughtTreeError('aborted', say.callStopped());
}

/** The worker's options. */
export interface WorkerOptions {
  /** An absolute path. */
  readonly workspace: string;
  /** As for `SecretFilter`. */
  readonly allowedFiles?: readonly string[] | undefined;
  /** Where the workspace's searches are kept, relative to it, with `/`; by default in the usual folder. */
  readonly searches?: string | undefined;
}

/** A request to the worker: an answer of the model; quotations or an overview for another one; a file as it was read. */
export type Ask =
  | { readonly data: PromptData }
  | { readonly find: QuotationRequest }
  | { readonly overview: OverviewRequest }
  | { readonly file: string };

/** The type of each answer. */
export type AnswerTo<Question extends Ask> = Question extends { readonly data: PromptData }
  ? Reply
  : Question extends { readonly find: QuotationRequest }
    ? readonly WorkspaceQuotation[]
    : { readonly text?: string };

/** A message to the worker: a request, the number of one that nobody waits for any more, or that it is to end. */
export type ToWorker = ({ readonly id: number } & Ask) | { readonly cancel: number } | 'end';

/** An answer's text. */
export interface Reply {
  readonly text: string;
  readonly leafReason?: LeafReason;
}

/** The progress of reading the workspace, in files. */
export interface Indexing {
  readonly done: number;
  readonly files: number;
}

/** A message from the worker. */
export type FromWorker =
  | { readonly id: number; readonly indexing: Indexing }
  | { readonly id: number; readonly reply: AnswerTo<Ask> }
  | { readonly id: number; readonly error: { readonly reason: Reason; readonly say: Message } };
