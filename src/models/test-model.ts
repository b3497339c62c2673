import type { Model, ModelRequest, Usage } from '../core/ports/model.ts';
import { type ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';

/** The result of a test: whether a model answers, and how long that took in milliseconds. */
export type ModelTest =
  | { readonly works: true; readonly ms: number; readonly usage?: Usage }
  | { readonly works: false; readonly ms: number; readonly error: ThoughtTreeError };

// Room for a model that thinks before it answers; a truncated answer is an answer all the same.
const REQUEST: ModelRequest = {
  purpose: 'document',
  node: '',
  system: '',
  turns: [],
  prompt: 'Answer with the one word "yes".',
  data: { question: 'Does it answer?', rule: { by: 'quotations', folder: '', lineage: [] } },
  maxOutputTokens: 64,
};

/** Makes one tiny real call. It costs a few tokens, and counts in no budget; never rejects. */
export async function testModel(model: Model, signal = new AbortController().signal): Promise<ModelTest> {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  const ask = () => model.generate(REQUEST, { question: 'test', call: 'test', signal });
  try {
    const { usage } = await ask().catch((error: unknown) => {
      if (toThoughtTreeError(error).details.asksOtherwise) return ask();
      throw error;
    });
    return { works: true, ms: since(), ...(usage ? { usage } : {}) };
  } catch (error) {
    return { works: false, ms: since(), error: toThoughtTreeError(error) };
  }
}
