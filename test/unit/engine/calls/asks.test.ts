import assert from 'node:assert/strict';
import type { Model, ModelRequest } from '../../../../src/core/ports/model.ts';
import { ModelCaller } from '../../../../src/engine/budget/model-caller.ts';
import { Asks } from '../../../../src/engine/calls/asks.ts';
import { Patience } from '../../../../src/engine/calls/patience.ts';
import { History } from '../../../../src/engine/history.ts';
import { createMemoryStore } from '../../../../src/store/memory-store.ts';
import { simulatedModel } from '../../../support/models/simulated-model.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { simulateThoughts } from '../../../support/searches/simulated-thoughts.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { seededRandom, VirtualClock } from '../../../support/virtual-clock.ts';
import { heldText } from '../grounding/held-text.ts';

describe('asking a model', () => {
  it('keeps each answer with one write, also where a document could have been sent back', async () => {
    const store = await createMemoryStore(QUESTION);
    const writes = new Map<string, number>();
    const writeConversation = store.writeConversation.bind(store);
    store.writeConversation = async (conversation) => {
      writes.set(conversation.id, (writes.get(conversation.id) ?? 0) + 1);
      await writeConversation(conversation);
    };
    const { run, search } = await simulate({
      store,
      tree: { fanout: (_path, depth) => (depth === 0 ? 2 : 0) },
      search: { workspaceText: heldText({ 'a.ts': 'a' }), limits: { size: 'all', maxDepth: 2 } },
    });
    await run();
    for (const { sessionId = '' } of search.tree.root.children) assert.equal(writes.get(sessionId), 2);
  });

  it('tells a model, as plain data, which requests no other one continues from', async () => {
    const requests: ModelRequest[] = [];
    const instead = (request: ModelRequest): undefined => {
      requests.push(request);
    };
    const research = await simulate({ model: { instead }, search: { limits: { size: 'all', maxDepth: 2 } } });
    await research.run();
    const thoughts = await simulateThoughts({ strategy: 'breadth-first', model: { instead } });
    await thoughts.run();
    const last = new Set(requests.filter(({ isLast }) => isLast).map(({ purpose }) => purpose));
    const others = new Set(requests.filter(({ isLast }) => !isLast).map(({ purpose }) => purpose));
    assert.deepEqual([...last].sort(), ['evaluate', 'pick', 'synthesize']);
    assert.deepEqual([...others].sort(), ['children', 'decompose', 'document', 'generate']);
  });

  it('refuses a purpose that its kind says nothing of', async () => {
    const clock = new VirtualClock();
    const store = await createMemoryStore(QUESTION);
    const history = new History(store, clock, () => undefined);
    const random = seededRandom(1);
    const model = simulatedModel({ tree: scriptedTree(), clock });
    const modelFor = (): Model => model;
    const guards = { guards: () => ({}), keptForReport: () => undefined, timeoutMs: 1000 };
    const caller = new ModelCaller({ purposes: {}, modelFor, store, history, clock, random, ...guards });
    const patience = new Patience(clock, random, history, 1000);
    const asks = new Asks({ purposes: {}, caller, modelFor, patience, clock, random, store, history, system: '' });
    const words = () => ({ prompt: 'Sing.', data: { question: '' }, maxOutputTokens: 10 });
    const asked = asks.ask({ purpose: 'sing', words, check: (text) => text }, new AbortController().signal);
    await assert.rejects(clock.run(asked), /sing/);
    assert.equal(history.ledger.spend.calls, 0);
  });
});
