import type { Message } from '../../core/messages/message.ts';
import type { Model, ModelAnswer, ModelCall, ModelRequest, Usage } from '../../core/ports/model.ts';
import { type Lookup, lookupIn } from '../../core/ports/workspace-text.ts';
import * as say from '../messages.ts';
import { type Indexing, QuotesThread, type WorkerOptions } from './quotes-thread.ts';

/** The name of the built-in model. */
const QUOTES_MODEL = 'workspace/quotes';

const NOTHING_USED: Usage = { prompt: 0, cached: 0, completion: 0, usd: 0 };

/**
 * Opens the built-in model, which is not a language model: it searches the text of a folder and answers with quotations.
 * It needs no network and costs nothing. The files are read on first use, in a worker thread that starts at once, while its
 * user still looks at the forecast; `close` ends that.
 *
 * @param options the folder to search, and what of it is shown as it is
 */
export function openQuotesModel(options: WorkerOptions): Model {
  const thread = new QuotesThread(options);
  thread.getReady();
  return {
    name: QUOTES_MODEL,
    label: 'No model: quotes from this workspace',
    free: true,
    prose: false,
    generate: (request, call) => generate(thread, request, call),
    close: () => thread.close(),
  };
}

/** Finds the places in a folder that answer questions, without a search and without a model. */
export interface PlaceFinder {
  /**
   * The places, the best with their lines; links are relative to the folder.
   * @throws ThoughtTreeError `aborted`, `not-found` if there is no such folder, or what its thread failed of
   */
  find(question: string, call: Pick<ModelCall, 'signal' | 'onProgress'>): Promise<Lookup>;
  close(): Promise<void>;
}

/** Opens a finder: its thread reads the folder with the first question, and knows it with the next. */
export function openFinder(options: WorkerOptions): PlaceFinder {
  const thread = new QuotesThread(options);
  thread.getReady();
  return {
    async find(question, { signal, onProgress }) {
      const rule = { by: 'passages', lineage: [], most: MOST_PLACES } as const;
      const tell = onProgress && tellsIndexing(onProgress);
      const { text } = await thread.ask({ data: { question, rule } }, signal, tell);
      const lookup = lookupIn(text);
      if (!lookup) throw new Error('no lookup in an answer of our own');
      return lookup;
    },
    close: () => thread.close(),
  };
}

/** As many as a search has on its first level. */
const MOST_PLACES = 10;

async function generate(
  thread: QuotesThread,
  { data }: ModelRequest,
  { signal, onText, onProgress }: ModelCall,
): Promise<ModelAnswer> {
  const { text, leafReason } = await thread.ask({ data }, signal, onProgress && tellsIndexing(onProgress));
  onText?.(text);
  return { text, finish: 'stop', usage: NOTHING_USED, ...(leafReason ? { leafReason } : {}) };
}

/** Between two messages, in milliseconds: who reads them is a person. */
const OFTEN = 1000;

/** Says how far the reading of a workspace is, as long as it takes a while: nothing if it is done within a second. */
export function tellsIndexing(
  tell: (progress: Message) => void,
  now: () => number = () => performance.now(),
): (indexing: Indexing) => void {
  let last = now();
  return (indexing) => {
    const at = now();
    if (at - last < OFTEN) return;
    last = at;
    tell(say.indexing({ done: indexing.done, files: indexing.files }));
  };
}
