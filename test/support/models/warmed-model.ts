import { foreign } from '../../../src/core/messages/message.ts';
import type { Model, ModelRequest } from '../../../src/core/ports/model.ts';
import type { Clock } from '../../../src/core/ports/ports.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { chance } from '../servers/server-random.ts';
import { countTokens } from '../servers/server-tokens.ts';
import { type ScriptedTreeOptions, scriptedTree } from '../servers/server-tree.ts';

export interface WarmedModelOptions {
  readonly tree: ScriptedTreeOptions;
  readonly clock: Clock;
  readonly warmsCache: boolean;
}

/**
 * A model whose provider keeps a prefix only once a first answer with it has begun: a sixth of an answer's time after
 * its request, which takes 4 to 12 seconds. Everything before the last message is cached, and the whole request.
 */
export function warmedModel({ tree, clock, warmsCache }: WarmedModelOptions): {
  model: Model;
  counted: { prompt: number; cached: number };
} {
  const scripted = scriptedTree(tree);
  const kept = new Set<string>();
  const counted = { prompt: 0, cached: 0 };
  const generate: Model['generate'] = async (request, { signal, onText }) => {
    const prefixes = prefixesOf(request);
    counted.prompt += prefixes.at(-1)?.tokens ?? 0;
    counted.cached += prefixes.findLast(({ text }) => kept.has(text))?.tokens ?? 0;
    const { purpose, node, prompt } = request;
    const ms = 4000 + 8000 * chance('warmed', purpose, node, purpose === 'pick' ? prompt.length : 0);
    await clock.sleep(ms / 6, signal);
    for (const { text } of prefixes) kept.add(text);
    onText?.('…');
    await clock.sleep((ms * 5) / 6, signal);
    if (signal.aborted) throw new ThoughtTreeError('aborted', foreign({ text: 'Stopped.' }));
    const call = { n: 0, attempt: 1, model: '', messages: [], maxTokens: undefined };
    const text = scripted.answer({ ...call, purpose, node, prompt });
    return { text, finish: 'stop' };
  };
  return { model: { name: 'warmed/model', label: 'Warmed', free: true, warmsCache, generate }, counted };
}

function prefixesOf({ system, turns, prompt }: ModelRequest): { text: string; tokens: number }[] {
  let text = '';
  let tokens = 0;
  return [system, ...turns.map((turn) => turn.text), prompt].map((part) => {
    text += `${part}\0`;
    tokens += countTokens(part);
    return { text, tokens };
  });
}
