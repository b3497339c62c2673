import assert from 'node:assert/strict';
import fc from 'fast-check';
import { costOf, worstCostOf } from '../../../../src/core/money/price.ts';
import type { Price, Rates } from '../../../../src/core/ports/model.ts';
import { priceIn } from '../../../../src/models/prices.ts';
import { growsLinearly } from '../../../support/grows-linearly.ts';

const rate = fc.double({ min: 0, max: 100, noNaN: true });
const rates = fc
  .record({ prompt: rate, cached: rate, completion: rate })
  .chain((given) =>
    fc
      .option(rate, { nil: undefined })
      .map((cacheWrite): Rates => (cacheWrite === undefined ? given : { ...given, cacheWrite })),
  );
const price = fc
  .tuple(rates, fc.option(rates, { nil: undefined }))
  .map(([short, long]): Price => (long ? { ...short, long: { ...long, above: 1000 } } : short));

describe('a price', () => {
  it('never lets an answer cost more than its request could at most', () => {
    const tokens = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(
        price,
        tokens,
        tokens,
        tokens,
        tokens,
        fc.boolean(),
        (of, prompt, cached, completion, written, told) => {
          const usage = { prompt, cached: Math.min(cached, prompt), completion, ...(told ? { written } : {}) };
          assert.ok(costOf(usage, of) <= worstCostOf(prompt + 50, completion + 50, of) + 1e-9);
        },
      ),
    );
  });

  it('counts tokens written to the cache, or all of them if the provider does not say how many', () => {
    const of = { prompt: 4, cached: 0.4, completion: 20, cacheWrite: 5 };
    assert.equal(costOf({ prompt: 1_000_000, cached: 0, completion: 0 }, of), 5);
    assert.equal(costOf({ prompt: 1_000_000, cached: 0, completion: 0, written: 0 }, of), 4);
    assert.equal(costOf({ prompt: 1_000_000, cached: 1_000_000, completion: 100_000 }, of), 2.4);
  });

  it('is that of long prompts for all of a request that is long', () => {
    const haiku = priceIn('anthropic/claude-haiku-5-5') as Price;
    assert.equal(costOf({ prompt: 100_000, cached: 0, completion: 0, written: 0 }, haiku), 0.01);
    assert.equal(costOf({ prompt: 200_000, cached: 0, completion: 100_000, written: 0 }, haiku), 0.35);
  });

  it('is known by name, whatever the date after it, and unknown for models not in the table', () => {
    assert.deepEqual(priceIn('anthropic/claude-haiku-4-5-20251001'), priceIn('anthropic/claude-haiku-4-5'));
    assert.deepEqual(priceIn('openai/gpt-5-mini-2025-08-07')?.completion, 2);
    assert.equal(priceIn('google/gemini-3.1-pro-preview')?.prompt, 2);
    const unknown = [
      'openai/gpt-5.4-pro',
      'openai/gpt-50',
      'ollama/qwen3',
      'openai-compatible/gpt-5',
      'x',
      'constructor/x',
    ];
    for (const name of unknown) assert.equal(priceIn(name), undefined, name);
  });

  it('is looked up in a time in proportion to a name, however it goes on', async () => {
    for (const rest of ['1', '111-', '2024-05-13-', '-05-13', '20240513', 'latest', '-exp', '@'])
      for (const end of ['x', '1x', '-']) {
        const made = (size: number) => `anthropic/claude-opus-5${rest.repeat(size / rest.length)}${end}`;
        const name = made(40 * rest.length);
        assert.equal(priceIn(name), undefined);
        assert.equal(priceIn(name.slice(0, 199)), undefined);
        await growsLinearly(name, 20_000, made, priceIn);
      }
    assert.ok(priceIn('openai/gpt-5-mini-2025-08-07-preview@latest'));
  });
});
