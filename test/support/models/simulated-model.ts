import { foreign } from '../../../src/core/messages/message.ts';
import type { Model, ModelAnswer, ModelCall, ModelRequest, Price } from '../../../src/core/ports/model.ts';
import type { Clock } from '../../../src/core/ports/ports.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { countTokens, PrefixCache } from '../servers/server-tokens.ts';
import type { ScriptedTree } from '../servers/server-tree.ts';

export interface SimulatedModelOptions {
  readonly tree: ScriptedTree;
  readonly clock: Clock;
  /** Milliseconds an answer takes; none by default. */
  readonly latencyMs?: (request: ModelRequest) => number;
  /** An error to throw, or another answer, instead of the usual one. */
  readonly instead?: (request: ModelRequest, attempt: number) => Error | string | undefined;
  readonly price?: Price;
  readonly free?: boolean;
  readonly metered?: boolean;
}

/** What a simulated model was asked and what it charged. */
export interface SimulatedModel extends Model {
  readonly log: { purpose: string; node: string; prompt: number; cached: number; completion: number }[];
  /** The most requests under way at once: all, and all but picks. */
  readonly peak: { all: number; others: number };
}

/** Returns a model in this process that answers from a scripted tree, and counts as a server would. */
export function simulatedModel(options: SimulatedModelOptions): SimulatedModel {
  const cache = new PrefixCache();
  const attempts = new Map<string, number>();
  const log: SimulatedModel['log'] = [];
  const peak = { all: 0, others: 0 };
  const now = { all: 0, others: 0 };

  const answer = (request: ModelRequest): ModelAnswer => {
    const key = `${request.purpose} ${request.node}`;
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    const instead = options.instead?.(request, attempt);
    if (instead instanceof Error) throw instead;
    const text = instead ?? answerOf(options.tree, request);
    const messages = [
      { role: 'system', content: request.system },
      ...request.turns.map(({ role, text: content }) => ({ role, content })),
      { role: 'user', content: request.prompt },
    ];
    const usage = { ...cache.take(messages), completion: countTokens(text) };
    log.push({ purpose: request.purpose, node: request.node, ...usage });
    return { text, finish: 'stop', usage };
  };

  const generate = async (request: ModelRequest, { signal }: ModelCall): Promise<ModelAnswer> => {
    const kind = request.purpose === 'pick' ? 0 : 1;
    peak.all = Math.max(peak.all, ++now.all);
    now.others += kind;
    peak.others = Math.max(peak.others, now.others);
    try {
      await options.clock.sleep(options.latencyMs?.(request) ?? 0, signal);
      if (signal.aborted) throw new ThoughtTreeError('aborted', foreign({ text: 'The call was stopped.' }));
      return answer(request);
    } finally {
      now.all--;
      now.others -= kind;
    }
  };
  const { free = false, metered = false, price } = options;
  return {
    name: 'simulated/tree',
    label: 'Simulated',
    free,
    metered,
    ...(price ? { price } : {}),
    generate,
    log,
    peak,
  };
}

function answerOf(tree: ScriptedTree, { purpose, node, prompt }: ModelRequest): string {
  return tree.answer({ n: 0, purpose, node, attempt: 1, model: '', messages: [], prompt, maxTokens: undefined });
}
