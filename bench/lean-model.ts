import type { Model, ModelRequest } from '../src/core/ports/model.ts';
import type { Clock } from '../src/core/ports/ports.ts';
import type { ScriptedTree } from '../test/support/servers/server-tree.ts';

export interface LeanModel extends Model {
  /** Milliseconds of answers so far, except picks: the least that the slots have to wait. */
  readonly work: number;
  /** Milliseconds of this process spent on answering. */
  readonly own: number;
}

/** A model that is almost free, so that everything around it is measured. */
export function leanModel(
  tree: Pick<ScriptedTree, 'answer'>,
  clock?: Clock,
  latencyMs?: (request: ModelRequest) => number,
): LeanModel {
  let work = 0;
  let own = 0;
  return {
    name: 'simulated/tree',
    label: 'Simulated',
    free: true,
    get work(): number {
      return work;
    },
    get own(): number {
      return own;
    },
    generate: async (request, { signal }) => {
      if (clock && latencyMs) {
        const ms = latencyMs(request);
        if (request.purpose !== 'pick') work += ms;
        await clock.sleep(ms, signal);
      }
      const begun = performance.now();
      const { purpose, node, prompt } = request;
      const call = { n: 0, attempt: 1, model: '', messages: [], maxTokens: undefined };
      const text = tree.answer({ ...call, purpose, node, prompt });
      own += performance.now() - begun;
      return { text, finish: 'stop', usage: { prompt: 1, cached: 0, completion: 1 } };
    },
  };
}
