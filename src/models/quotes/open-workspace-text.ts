import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import { CitedFiles } from '../../text/files/cited-files.ts';
import { QuotesThread, type WorkerOptions } from './quotes-thread.ts';

/**
 * Opens the text of a folder for models that cannot read it themselves, and for checking quotations. Nothing is read
 * before the first request; the index is built in a worker thread, which `close` ends.
 *
 * @param options.workspace the folder, an absolute path
 */
export function openWorkspaceText(options: WorkerOptions): WorkspaceText {
  const thread = new QuotesThread(options);
  const files = new CitedFiles(options.workspace, options.allowedFiles, options.searches);
  const never = new AbortController().signal;
  return {
    find: (find, signal) => thread.ask({ find }, signal),
    overview: async (overview, signal) => (await thread.ask({ overview }, signal)).text ?? '',
    read: (path) => files.read(path),
    named: (name) => files.named(name),
    async asSearched(file) {
      if (!thread.isStarted) return undefined;
      return (await thread.ask({ file }, never).catch(() => undefined))?.text;
    },
    close: () => thread.close(),
  };
}
