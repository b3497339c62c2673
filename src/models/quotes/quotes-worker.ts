import { parentPort, workerData } from 'node:worker_threads';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { parser } from '../../text/chunk/parser.ts';
import { answersTo } from './answer-request.ts';
import type { FromWorker, Indexing, ToWorker, WorkerOptions } from './quotes-thread.ts';

// The worker thread's entry point: one request after the other, so that answers stay cheap to reason about; a request that
// was aborted while waiting is skipped, and one that reads the workspace stops.
const answer = answersTo(workerData as WorkerOptions);
const cancelled = new Set<number>();
let current: { readonly id: number; readonly stop: AbortController } | undefined;
let queue = Promise.resolve();

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

async function work({ id, ...question }: Extract<ToWorker, { id: number }>): Promise<void> {
  // Lets pending messages in, such as a cancellation.
  await new Promise((resolve) => setImmediate(resolve));
  if (cancelled.delete(id)) return;
  const stop = new AbortController();
  current = { id, stop };
  try {
    const onProgress = (indexing: Indexing): void => send({ id, indexing });
    send({ id, reply: await answer(question, { signal: stop.signal, onProgress }) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const { reason, say } = toThoughtTreeError(error);
    send({ id, error: { reason: code === 'ENOENT' || code === 'ENOTDIR' ? 'not-found' : reason, say } });
  }
  current = undefined;
  cancelled.delete(id);
}

parentPort?.on('message', (message: ToWorker) => {
  if (message === 'end') void parser.close().finally(() => process.exit());
  else if ('cancel' in message) {
    cancelled.add(message.cancel);
    if (current?.id === message.cancel) current.stop.abort();
  } else queue = queue.then(() => work(message));
});
