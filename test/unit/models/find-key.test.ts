import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { findKey } from '../../../src/models/keys.ts';
import { HTTP_PROVIDERS, openModel } from '../../../src/models/open-model.ts';

const environment = {
  ANTHROPIC_API_KEY: 'key-a',
  OPENAI_API_KEY: 'key-o',
  GEMINI_API_KEY: 'key-g',
  OLLAMA_API_KEY: 'key-l',
  THOUGHT_TREE_API_KEY: 'key-t',
};
const GATEWAY = 'https://gateway.example/v1';

function keyFor(provider: string, sources: Parameters<typeof findKey>[1]) {
  const rules = HTTP_PROVIDERS.get(provider);
  ok(rules);
  const { apiKey, keyVariable } = findKey(rules, sources);
  return [apiKey, keyVariable];
}

describe('the key that is sent', () => {
  it("is the provider's own, at its own address", () => {
    deepEqual(keyFor('anthropic', { environment }), ['key-a', 'ANTHROPIC_API_KEY']);
    deepEqual(keyFor('openai', { environment }), ['key-o', 'OPENAI_API_KEY']);
    deepEqual(keyFor('openai', { environment, baseUrl: 'https://api.openai.com/v1/' }), ['key-o', 'OPENAI_API_KEY']);
    deepEqual(keyFor('google', { environment }), ['key-g', 'GEMINI_API_KEY']);
    const both = { ...environment, GOOGLE_GENERATIVE_AI_API_KEY: 'key-gg' };
    deepEqual(keyFor('google', { environment: both }), ['key-gg', 'GOOGLE_GENERATIVE_AI_API_KEY']);
  });

  it('is missing if nobody asks for one, and never one for another server', () => {
    deepEqual(keyFor('ollama', { environment }), [undefined, 'OLLAMA_API_KEY']);
    const ours = { THOUGHT_TREE_API_KEY: 'key-t' };
    deepEqual(keyFor('anthropic', { environment: ours }), [undefined, 'ANTHROPIC_API_KEY']);
    deepEqual(keyFor('openai-compatible', { environment: { OPENAI_API_KEY: 'key-o' }, baseUrl: GATEWAY }), [
      undefined,
      'THOUGHT_TREE_API_KEY',
    ]);
  });

  it('is ours first at any other address', () => {
    for (const provider of HTTP_PROVIDERS.keys())
      deepEqual(keyFor(provider, { environment, baseUrl: GATEWAY }), ['key-t', 'THOUGHT_TREE_API_KEY']);
    const { THOUGHT_TREE_API_KEY: _, ...others } = environment;
    deepEqual(keyFor('anthropic', { environment: others, baseUrl: GATEWAY }), ['key-a', 'ANTHROPIC_API_KEY']);
    deepEqual(keyFor('anthropic', { baseUrl: GATEWAY }), [undefined, 'THOUGHT_TREE_API_KEY']);
  });

  it('is the given one, before all others', () => {
    deepEqual(keyFor('anthropic', { environment, apiKey: 'given' })[0], 'given');
    deepEqual(keyFor('anthropic', { environment, apiKey: ' ' })[0], 'key-a');
  });

  it('is never looked up by a library', async () => {
    process.env['ANTHROPIC_API_KEY'] = 'from-the-process';
    try {
      await rejects(openModel('anthropic/claude-tiny', { workspace: '.' }), /need a key\. Set ANTHROPIC_API_KEY/);
    } finally {
      delete process.env['ANTHROPIC_API_KEY'];
    }
  });

  for (const [name, variable] of [
    ['openai/gpt-tiny', 'OPENAI_API_KEY'],
    ['google/gemini-tiny', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ] as const)
    it(`is asked for where ${name} has none`, async () => {
      await rejects(openModel(name, { workspace: '.', environment: {} }), (error: Error) => {
        ok(error.message.includes(`Set ${variable}`), error.message);
        return true;
      });
      const model = await openModel(name, { workspace: '.', environment: { [variable]: 'sk-hidden-secret' } });
      equal(JSON.stringify(model).includes('hidden'), false);
    });
});
