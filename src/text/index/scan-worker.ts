import { parentPort } from 'node:worker_threads';
import { type ScanJob, scanFiles } from './scan-files.ts';

// A thread that reads files: one job after the other, its result handed over without a copy.
parentPort?.on('message', (job: ScanJob) => {
  const columns = scanFiles(job);
  parentPort?.postMessage(
    columns,
    Object.values(columns).map((column) => column.buffer),
  );
});
