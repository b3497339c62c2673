import { parentPort, workerData } from 'node:worker_threads';
import { openLanguage } from '../cut/parse/parser.ts';
import { languageOf } from '../files/languages.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { take } from './cut-list.ts';
import { findOne } from './cut-one.ts';
import type { CutOptions, FromCutThread, ToCutThread } from './cut-thread.ts';

// A thread that reads and cuts files, one after the other.
const { folder, workspace, allowedFiles } = workerData as CutOptions;
const filter = new SecretFilter(workspace, allowedFiles);
let queue = Promise.resolve();

function send(message: FromCutThread): void {
  parentPort?.postMessage(message);
}

/** Lets grammars load while the first files are read: those that will be needed first. */
function openAhead(paths: readonly string[]): void {
  const languages = new Set(paths.toReversed().map((path) => languageOf(path)));
  // Whoever needs it is told.
  for (const language of [...languages].filter((one) => one !== undefined).slice(0, 2))
    openLanguage(language).catch(() => undefined);
}

async function work({ paths, taken }: ToCutThread): Promise<void> {
  openAhead(paths);
  for (let at = paths.length - 1; at >= 0; at--) {
    if (!take(taken, at)) continue;
    send({ at, found: (await findOne(folder, paths[at] as string, filter)) ?? null });
  }
  send('end');
}

parentPort?.on('message', (message: ToCutThread) => {
  queue = queue.then(() => work(message));
});
