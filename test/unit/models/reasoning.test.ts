import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import type { SpendLimits } from '../../../src/core/search/limits.ts';
import type { Outcome } from '../../../src/engine/loop.ts';
import { openHeldSearch } from '../../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { takesEffort, thinkingOf } from '../../../src/models/known-models.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { prepareModel } from '../../../src/searches/models/prepare-model.ts';
import { systemClock } from '../../../src/store/system-ports.ts';
import { createMemoryStore } from '../../support/memory-store.ts';
import { QUESTION } from '../../support/searches/simulated-search.ts';
import { type ReasonedRequest, startReasoningServer } from '../../support/servers/reasoning-server.ts';
import { seededRandom } from '../../support/virtual-clock.ts';

interface Run {
  readonly outcome: Outcome;
  readonly log: readonly ReasonedRequest[];
  readonly events: readonly JournalEvent[];
}

async function searchWith(
  name: string,
  reasons: (effort: string | undefined) => number,
  more: { thinking?: number; guards?: SpendLimits; context?: number } = {},
): Promise<Run> {
  const server = await startReasoningServer(reasons, more.context);
  try {
    const opened = await openModel(name, { workspace: '.', baseUrl: server.baseUrl, apiKey: 'key-1234567890' });
    const model = prepareModel(opened, { thinking: more.thinking });
    const ports = { clock: systemClock, random: seededRandom(1), folder: 'thought-trees/build', kinds: KINDS };
    const limits = { size: 'all', guards: { calls: 300, tokens: 5_000_000, ...more.guards } } as const;
    const store = createMemoryStore(QUESTION);
    const search = await openHeldSearch({ ...ports, model, store, limits, retryMs: 1, context: false });
    const events: JournalEvent[] = [];
    search.listen((event) => events.push(event));
    return { outcome: await search.run(), log: server.log, events };
  } finally {
    await server.close();
  }
}

const NODES = 6 + 12;

describe('a model that reasons before it answers', () => {
  it('has room for that with the Responses API, and is asked for little effort for lists and picks', async () => {
    const { outcome, log } = await searchWith('openai/gpt-6-sol', (effort) => (effort === 'low' ? 2500 : 7000));
    assert.deepEqual([outcome.state, outcome.results.expanded + outcome.results.leaves], ['finished', NODES]);
    assert.deepEqual(
      log.filter(({ isCut }) => isCut),
      [],
    );
    for (const { purpose, effort } of log)
      assert.equal(effort, ['children', 'pick'].includes(purpose) ? 'low' : undefined, purpose);
  });

  it('has room for that with chat completions, by its name', async () => {
    for (const name of ['deepseek/deepseek-r1', 'qwen/qwen3-32b', 'openai/gpt-oss-120b']) {
      const { outcome, log } = await searchWith(`openai-compatible/${name}`, () => 3800);
      assert.deepEqual([outcome.state, outcome.results.expanded + outcome.results.leaves], ['finished', NODES]);
      assert.deepEqual(
        log.filter(({ isCut }) => isCut),
        [],
      );
    }
  });

  it('gets more room once a question where its name says nothing, and from the start after that', async () => {
    for (const name of ['openai/unheard-of', 'openai-compatible/unheard-of']) {
      const { outcome, log } = await searchWith(name, () => 5000);
      assert.deepEqual([outcome.state, outcome.results.expanded + outcome.results.leaves], ['finished', NODES], name);
      assert.equal(log.filter(({ isCut }) => isCut).length, 1, 'learnt from the first answer');
    }
  });

  it('has a quarter of a context that is too short for it, which its server tells once, and its answers another', async () => {
    const { outcome, log, events } = await searchWith('openai-compatible/qwen3-8b', () => 200, { context: 16_384 });
    assert.deepEqual([outcome.state, outcome.results.expanded + outcome.results.leaves], ['finished', NODES]);
    assert.ok(log.every(({ maxTokens }) => maxTokens <= 16_384 / 2));
    const refused = events.filter((event) => event.type === 'call-ended' && event.outcome === 'bad-request');
    assert.ok(refused.length > 0 && refused.length <= 4, `${refused.length} refused`);
  });

  it('costs nothing where its context is too short for anything, and people hear what helps', async () => {
    const { outcome, events } = await searchWith('openai-compatible/qwen3-8b', () => 200, { context: 1100 });
    assert.ok(outcome.state === 'paused');
    assert.match(outcome.message, /qwen3-8b .*choose one with a longer context/);
    const ended = events.filter((event) => event.type === 'call-ended');
    assert.ok(ended.filter(({ outcome: how }) => how === 'bad-request').every(({ charged }) => !charged));
  });

  it('says to people, not to itself, what can be done where all room is used up', async () => {
    const { outcome, log } = await searchWith('openai/unheard-of', () => 100_000);
    assert.ok(outcome.state === 'paused' && outcome.reason === 'person');
    assert.match(outcome.message, /unheard-of used all 8,000 tokens .* before it wrote an answer.*--thinking/);
    assert.doesNotMatch(outcome.message, /Give a shorter one/);
    assert.equal(log.length, 2, 'asked again once');
  });

  it('gets the room that a person gives it', async () => {
    const { outcome, log } = await searchWith('openai/unheard-of', () => 30_000, { thinking: 40_000 });
    assert.deepEqual([outcome.state, outcome.results.expanded + outcome.results.leaves], ['finished', NODES]);
    assert.deepEqual(
      log.filter(({ isCut }) => isCut),
      [],
    );
    const none = await searchWith('openai/gpt-6-sol', () => 0, { thinking: 0 });
    assert.ok(none.log.every(({ maxTokens }) => maxTokens <= 8000));
  });

  it('passes no limit for more room', async () => {
    const { outcome, log } = await searchWith('openai/unheard-of', () => 5000, { guards: { tokens: 11_000 } });
    assert.ok(outcome.state === 'paused' && outcome.reason === 'budget');
    assert.equal(log.length, 1);
  });
});

describe('the room for reasoning', () => {
  it('is known by the family of a model', () => {
    for (const name of ['gpt-5', 'gpt-5-mini', 'gpt-6-sol', 'gpt-6.1-terra', 'o3', 'o4-mini', 'gemini-3.5-flash'])
      assert.deepEqual([thinkingOf(name) !== undefined, takesEffort(name)], [true, true], name);
    for (const name of ['gpt-5.2', 'gpt-5-pro', 'deepseek-reasoner', 'qwen3:32b', 'x-ai/grok-4', 'kimi-k2-thinking'])
      assert.deepEqual([thinkingOf(name) !== undefined, takesEffort(name)], [true, false], name);
    for (const name of ['gpt-4.1', 'gpt-4o', 'gpt-5-chat-latest', 'claude-sonnet-5', 'gemini-2.0-flash', 'llama3', 'm'])
      assert.deepEqual([thinkingOf(name), takesEffort(name)], [undefined, false], name);
  });
});
