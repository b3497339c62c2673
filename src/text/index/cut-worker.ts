import { parentPort, workerData } from 'node:worker_threads';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { take } from './cut-list.ts';
import { cutOne, dataOf } from './cut-one.ts';
import type { CutOptions, FromCutThread, ToCutThread } from './cut-thread.ts';

// A thread that reads and cuts files, one after the other.
const { folder, workspace, allowedFiles } = workerData as CutOptions;
const filter = new SecretFilter(workspace, allowedFiles);
let queue = Promise.resolve();

function send(message: FromCutThread): void {
  parentPort?.postMessage(message);
}

async function work({ paths, taken }: ToCutThread): Promise<void> {
  for (let at = paths.length - 1; at >= 0; at--) {
    if (!take(taken, at)) continue;
    const source = await cutOne(folder, paths[at] as string, filter);
    send({ at, data: source ? dataOf(source) : null });
  }
  send('end');
}

parentPort?.on('message', (message: ToCutThread) => {
  queue = queue.then(() => work(message));
});
