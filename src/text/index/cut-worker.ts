import { parentPort, workerData } from 'node:worker_threads';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { cutOne, dataOf, getReadyFor } from './cut-one.ts';
import type { CutOptions, ToCutThread } from './cut-thread.ts';

// A thread that reads and cuts files, one after the other.
const { folder, workspace, allowedFiles } = workerData as CutOptions;
const filter = new SecretFilter(workspace, allowedFiles);
let queue = Promise.resolve();

async function work(message: ToCutThread): Promise<void> {
  if ('ready' in message) return await getReadyFor(message.ready);
  const source = await cutOne(folder, message.cut, filter);
  parentPort?.postMessage(source ? dataOf(source) : null);
}

parentPort?.on('message', (message: ToCutThread) => {
  queue = queue.then(() => work(message));
});
