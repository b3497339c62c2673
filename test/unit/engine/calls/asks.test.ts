import assert from 'node:assert/strict';
import { createMemoryStore } from '../../../../src/store/memory-store.ts';
import { QUESTION, simulate } from '../../../support/simulated-search.ts';
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
});
