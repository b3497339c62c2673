import type { Model, ModelAnswer, ModelCall, ModelRequest, Usage } from '../../core/ports/model.ts';
import { QuotesThread } from './quotes-thread.ts';
import { tellsIndexing } from './tells-indexing.ts';
import type { WorkerOptions } from './worker-messages.ts';

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

async function generate(
  thread: QuotesThread,
  { data }: ModelRequest,
  { signal, onText, onProgress }: ModelCall,
): Promise<ModelAnswer> {
  const { text, leafReason } = await thread.ask({ data }, signal, onProgress && tellsIndexing(onProgress));
  onText?.(text);
  return { text, finish: 'stop', usage: NOTHING_USED, ...(leafReason ? { leafReason } : {}) };
}
