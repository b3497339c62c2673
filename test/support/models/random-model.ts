import { foreign } from '../../../src/core/messages/message.ts';
import { costOf } from '../../../src/core/money/price.ts';
import type { Model, ModelAnswer, ModelRequest, Price, Usage } from '../../../src/core/ports/model.ts';
import type { Clock } from '../../../src/core/ports/ports.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { countTokens, PrefixCache } from '../servers/server-tokens.ts';
import { candidatesIn } from '../servers/server-tree.ts';

/** What the answers of one model on one question are like. */
export interface Manner {
  /** Tokens of a document, on average. */
  readonly document: number;
  /** Children of a node, by its depth, on average. */
  readonly fanout: readonly number[];
  /** How much single documents differ: the deviation of their logarithm. */
  readonly spread: number;
  /** Milliseconds a token. */
  readonly pace: number;
}

export interface RandomModelOptions {
  readonly manner: Manner;
  readonly random: () => number;
  readonly clock: Clock;
  readonly price?: Price;
  /** What the server itself says that an answer cost, by a price that nobody here knows. */
  readonly reports?: Price;
  /** How often, from 0 to 1, an answer is senseless, cut off without a usage, or refused by a busy server. */
  readonly faults?: number;
}

/** What a model charged in truth. */
export interface RandomModel extends Model {
  readonly billed: { usd: number; tokens: number; calls: number };
}

/** A model whose answers are of random length and number, as real ones are, and which counts what they cost. */
export function randomModel(options: RandomModelOptions): RandomModel {
  const { clock, random, price, reports, faults = 0 } = options;
  const cache = new PrefixCache();
  const billed = { usd: 0, tokens: 0, calls: 0 };
  const bill = (usage: Usage): Usage => {
    const costs = reports ?? price;
    const usd = costs ? costOf(usage, costs) : 0;
    billed.usd += usd;
    billed.tokens += usage.prompt + usage.completion;
    billed.calls++;
    return reports ? { ...usage, usd } : usage;
  };
  const generate: Model['generate'] = async (request, { signal }) => {
    const luck = random();
    const text = luck < faults / 3 ? 'What?' : answerTo(request, options);
    const completion = Math.min(countTokens(text), request.maxOutputTokens);
    await clock.sleep(500 + options.manner.pace * completion * (0.5 + random()), signal);
    if (signal.aborted) throw new ThoughtTreeError('aborted', foreign({ text: 'Stopped.' }));
    if (luck > 1 - faults / 3)
      throw new ThoughtTreeError('rate-limited', foreign({ text: 'Busy.' }), { charged: false, retryAfterMs: 10 });
    const usage = bill({ ...cache.take(messagesOf(request)), completion });
    if (luck > 1 - (2 * faults) / 3)
      throw new ThoughtTreeError('cut-off', foreign({ text: 'It broke off.' }), { charged: true });
    return { text, finish: 'stop', usage } satisfies ModelAnswer;
  };
  return { name: 'random/model', label: 'Random', free: false, ...(price ? { price } : {}), generate, billed };
}

function messagesOf({ system, turns, prompt }: ModelRequest): { role: string; content: string }[] {
  const said = turns.map(({ role, text }) => ({ role, content: text }));
  return [{ role: 'system', content: system }, ...said, { role: 'user', content: prompt }];
}

function answerTo({ purpose, node, prompt }: ModelRequest, { manner, random }: RandomModelOptions): string {
  const depth = node === '' ? 0 : node.split('/').length;
  if (purpose === 'children') {
    const mean = manner.fanout[depth] ?? 0;
    const count = Math.round(mean * (0.5 + random()));
    const list = Array.from({ length: count }, (_, i) => ({
      title: `Topic ${Math.floor(random() * 1e6)} ${i}`,
      score: 5,
    }));
    return `<output>${JSON.stringify(list)}</output>`;
  }
  if (purpose === 'pick') {
    const candidates = candidatesIn(prompt).map((path) => ({ path, at: random() }));
    return `<output>\n${candidates
      .sort((a, b) => a.at - b.at)
      .map(({ path }) => path)
      .join('\n')}\n</output>`;
  }
  const words = Math.round(manner.document * Math.exp(manner.spread * normal(random)));
  return `---\ntitle: A topic\nsummary: What was found.\n---\n\n${'four'.repeat(Math.max(1, words))}\n`;
}

/** Returns a number of the normal distribution (Box and Muller). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
