import type { Model, ModelRequest } from '../../src/core/ports/model.ts';
import type { Clock } from '../../src/core/ports/ports.ts';
import type { ScriptedTree } from '../../test/support/servers/server-tree.ts';

export interface LeanModel extends Model {
  /** Milliseconds of answers so far, except picks: the least that the slots have to wait. */
  readonly work: number;
  /** Milliseconds of this thread's processor time spent on answering. */
  readonly own: number;
}

/** Returns a model that is almost free, so that everything around it is measured. */
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
      const before = process.threadCpuUsage();
      const text = answerTo(tree, request);
      const { user, system } = process.threadCpuUsage(before);
      own += (user + system) / 1000;
      return { text, finish: 'stop', usage: { prompt: 1, cached: 0, completion: 1 } };
    },
  };
}

/** Returns what the tree answers to a request. */
export function answerTo(
  tree: Pick<ScriptedTree, 'answer'>,
  { purpose, node, prompt }: Pick<ModelRequest, 'purpose' | 'node' | 'prompt'>,
): string {
  const call = { n: 0, attempt: 1, model: '', messages: [], maxTokens: undefined };
  return tree.answer({ ...call, purpose, node, prompt });
}
