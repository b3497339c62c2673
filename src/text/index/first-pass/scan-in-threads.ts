import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Columns } from './columns.ts';
import { type ScanJob, scanFiles } from './scan-files.ts';

/** More of them only wait for the disk. */
const MOST_THREADS = 4;
/** The number of files that are read at once: few enough that progress is seen. */
const AT_ONCE = 400;
/** Fewer files are read faster than a thread starts. */
const WORTH_THREADS = 300;
/** The part of a thread's memory for new objects: V8 would take 40 MB more each, and save a twentieth of the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/** A thread that reads files. */
export interface ScanThread {
  /** One job at a time. @throws the signal's reason, or the error in the thread */
  scan(job: ScanJob, signal: AbortSignal | undefined): Promise<Columns>;
  close(): Promise<unknown>;
}

interface Options {
  readonly signal?: AbortSignal | undefined;
  /** Told the number of files read so far. */
  readonly onDone?: ((files: number) => void) | undefined;
  readonly startThread?: (() => ScanThread) | undefined;
}

/** Reads files in threads of their own; the same whatever their number and timing. @throws the signal's reason */
export async function scanInThreads({ paths, ...job }: ScanJob, options: Options = {}): Promise<Columns[]> {
  const jobs: ScanJob[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE) jobs.push({ ...job, paths: paths.slice(at, at + AT_ONCE) });
  options.signal?.throwIfAborted();
  if (paths.length <= WORTH_THREADS) {
    const columns = scanFiles({ ...job, paths });
    options.onDone?.(paths.length);
    return [columns];
  }
  const threads = Math.min(MOST_THREADS, Math.max(1, availableParallelism()), jobs.length);
  const results: Columns[] = [];
  let [next, done] = [0, 0];
  const started = Array.from({ length: threads }, options.startThread ?? startThread);
  const work = async (thread: ScanThread): Promise<void> => {
    for (let at = next++; at < jobs.length; at = next++) {
      const one = jobs[at] as ScanJob;
      results[at] = await thread.scan(one, options.signal);
      done += one.paths.length;
      options.onDone?.(done);
    }
  };
  try {
    await Promise.all(started.map(work));
  } finally {
    await Promise.all(started.map((thread) => thread.close()));
  }
  return results;
}

function startThread(): ScanThread {
  // When bundled, the worker is a separate bundle next to the one that this is part of.
  const file = import.meta.url.endsWith('.ts') ? './scan-worker.ts' : './scan-worker.cjs';
  const worker = new Worker(new URL(file, import.meta.url), { execArgv: [], resourceLimits });
  return { scan: (job, signal) => scanIn(worker, job, signal), close: () => worker.terminate() };
}

function scanIn(worker: Worker, job: ScanJob, signal: AbortSignal | undefined): Promise<Columns> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      worker.off('message', take).off('error', fail).off('exit', fail);
      signal?.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      end();
      reject(signal?.reason);
    };
    const fail = (error: unknown): void => {
      end();
      reject(error instanceof Error ? error : new Error('a thread that reads files has ended'));
    };
    const take = (columns: Columns): void => {
      end();
      resolve(columns);
    };
    worker.on('message', take).on('error', fail).on('exit', fail);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    else worker.postMessage(job);
  });
}
