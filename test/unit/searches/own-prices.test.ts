import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { priceIn } from '../../../src/models/prices.ts';
import { readPublicPrices } from '../../../src/models/public-prices.ts';
import { oldPrices, priceOf, pricesAsOf, updatePrices } from '../../../src/searches/models/own-prices.ts';
import { newFolder, removeFolders } from '../store/support/places.ts';

const LITELLM = {
  sample_spec: { input_cost_per_token: 0, litellm_provider: 'one of the providers' },
  'claude-opus-5-5': {
    litellm_provider: 'anthropic',
    input_cost_per_token: 0.000005,
    output_cost_per_token: 0.000022,
    cache_read_input_token_cost: 2.5e-7,
    cache_creation_input_token_cost: 0.00000625,
    max_tokens: 1e6,
    mode: 'chat',
    supports_anything: { deeply: [1, 2] },
  },
  'gemini/gemini-3.1-pro': {
    litellm_provider: 'gemini',
    input_cost_per_token: 0.000003,
    output_cost_per_token: 0.000013,
    input_cost_per_token_above_200k_tokens: 0.000006,
    output_cost_per_token_above_200k_tokens: 0.00002,
  },
  'gpt-9': { litellm_provider: 'openai', input_cost_per_token: 0.00002, output_cost_per_token: 0.0001 },
  'gpt-5.4': { litellm_provider: 'openai', input_cost_per_token: -0.000002, output_cost_per_token: 0.00001 },
  'gpt-5-mini': { litellm_provider: 'openai', input_cost_per_token: 2.5e-9, output_cost_per_token: 2e-8 },
  'bedrock/claude-opus-5': { litellm_provider: 'bedrock', input_cost_per_token: 1, output_cost_per_token: 1 },
};
const MODELS_DEV = {
  google: {
    id: 'google',
    models: {
      'gemini-9-pro': { id: 'x', cost: { input: 3, output: 15, context_over_200k: { input: 6, output: 22 } } },
    },
  },
  anthropic: {
    id: 'anthropic',
    models: {
      'claude-free': { cost: 'none' },
      'claude-sonnet-9': { cost: { input: 2, output: 9, cache_read: 0.2, cache_write: 2.5 } },
    },
  },
  mistral: { id: 'mistral', models: { large: { cost: { input: 1, output: 2 } } } },
};

describe('prices from public tables', () => {
  let before: string | undefined;
  let folder: string;
  beforeEach(async () => {
    before = process.env['XDG_STATE_HOME'];
    folder = await newFolder();
    process.env['XDG_STATE_HOME'] = folder;
  });
  afterEach(async () => {
    process.env['XDG_STATE_HOME'] = before;
    await removeFolders();
  });

  async function update(table: object, agrees = false): ReturnType<typeof updatePrices> {
    const file = join(folder, 'table.json');
    await writeFile(file, JSON.stringify(table));
    return await updatePrices(file, async () => agrees);
  }

  it("are taken over from LiteLLM's; what it does not say stays as known, and what cannot be is refused", async () => {
    const { taken, refused, left } = await update(LITELLM);
    assert.deepEqual([taken, refused, left], [3, ['openai/gpt-5.4'], ['openai/gpt-5-mini']]);
    const opus = { prompt: 5, cached: 0.25, completion: 22, cacheWrite: 6.25 };
    assert.deepEqual(priceOf('anthropic/claude-opus-5-5-20261001'), opus);
    assert.deepEqual(priceOf('google/gemini-3.1-pro')?.long, { above: 200_000, prompt: 6, cached: 6, completion: 20 });
    assert.deepEqual(priceOf('openai/gpt-9'), { prompt: 20, cached: 20, completion: 100 });
    for (const same of ['openai/gpt-5.4', 'openai/gpt-5-mini', 'anthropic/claude-opus-5'])
      assert.deepEqual(priceOf(same), priceIn(same), same);
    assert.ok(priceOf('anthropic/claude-opus-5-5')?.prompt !== priceIn('anthropic/claude-opus-5-5')?.prompt);
  });

  it('are taken over although ten times lower if the person agrees', async () => {
    assert.deepEqual((await update(LITELLM, true)).left, []);
    assert.equal(priceOf('openai/gpt-5-mini')?.prompt, 0.0025);
  });

  it('are taken over from models.dev, at an address, in US dollars per million', async () => {
    const server = createServer((_, response) => response.end(JSON.stringify(MODELS_DEV)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const { taken } = await updatePrices(`http://127.0.0.1:${port}/api.json`, async () => false);
      assert.equal(taken, 2);
      const long = { above: 200_000, prompt: 6, cached: 6, completion: 22 };
      assert.deepEqual(priceOf('google/gemini-9-pro'), { prompt: 3, cached: 3, completion: 15, long });
      assert.equal(priceOf('anthropic/claude-sonnet-9')?.cacheWrite, 2.5);
    } finally {
      server.close();
    }
  });

  it('are refused where there are none, and what was known stays', async () => {
    await assert.rejects(update({ hello: 'world' }), { reason: 'bad-input' });
    await assert.rejects(
      updatePrices(join(folder, 'missing.json'), async () => true),
      { reason: 'bad-input' },
    );
    assert.deepEqual(priceOf('openai/gpt-5'), priceIn('openai/gpt-5'));
  });

  it('are said to be old once for each table, after half a year', async () => {
    const later = Date.parse(pricesAsOf()) + 200 * 86_400_000;
    assert.equal(oldPrices(Date.parse(pricesAsOf()) + 100 * 86_400_000), undefined);
    assert.equal(oldPrices(later)?.key, 'searches.prices-are-old');
    assert.equal(oldPrices(later), undefined);
    await update(LITELLM);
    assert.equal(JSON.parse(await readFile(join(folder, 'thought-tree', 'prices.json'), 'utf8')).asOf, pricesAsOf());
    assert.ok(oldPrices(Date.parse(pricesAsOf()) + 200 * 86_400_000));
  });

  it('never make a table of anything throw, or a price below nothing', () => {
    const rates = fc.record(
      {
        litellm_provider: fc.constant('openai'),
        input_cost_per_token: fc.anything(),
        output_cost_per_token: fc.double(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.oneof(rates, fc.anything()))), (table) => {
        for (const { price } of readPublicPrices(table) ?? [])
          assert.ok(!price || (price.prompt >= 0 && price.cached >= 0 && price.completion >= 0));
      }),
    );
  });
});
