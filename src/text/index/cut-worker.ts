import { parentPort, workerData } from 'node:worker_threads';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { type CutData, cutOne, dataOf } from './cut-one.ts';
import type { CutOptions } from './cut-thread.ts';

// A thread that reads and cuts files, a few at a time.
const { folder, workspace, allowedFiles } = workerData as CutOptions;
const filter = new SecretFilter(workspace, allowedFiles);

async function cut(paths: readonly string[]): Promise<(CutData | undefined)[]> {
  const all: (CutData | undefined)[] = [];
  for (const path of paths) {
    const source = await cutOne(folder, path, filter);
    all.push(source && dataOf(source));
  }
  return all;
}

parentPort?.on('message', (paths: readonly string[]) => {
  void cut(paths).then((all) => parentPort?.postMessage(all));
});
