import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { Store } from '../../../../src/core/ports/store.ts';
import { isAnswer } from '../../../../src/core/search/conversation.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { ROOT_SESSION } from '../../../../src/engine-parts/transcripts/conversations.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import {
  simulateThoughts,
  type ThoughtSimulationOptions,
  thoughtFile,
} from '../../../support/searches/simulated-thoughts.ts';
import { thoughtData } from '../../../support/searches/thought-data.ts';

const ALIKE =
  'Write the sum of all numbers on the left, then the product of all others on the right, and compare both of them, '.repeat(
    2,
  );

const given: ThoughtSimulationOptions = {
  strategy: 'breadth-first',
  options: { candidates: 3, beam: 1, maxDepth: 2, threshold: 0 },
  model: {
    thoughts: (path) => ['first', 'second', 'third'].map((end) => ({ content: `${ALIKE}${path.length} ${end}` })),
  },
};

/** Runs a search, and opens it again after its documents were lost with the power. */
async function withoutDocuments(
  simulated: ThoughtSimulationOptions,
  spoil: (store: Store) => Promise<void> = async () => undefined,
): Promise<void> {
  const files = new MemoryFiles();
  const store = await createMemoryStore(thoughtFile(simulated), files);
  const { run, search } = await simulateThoughts({ ...simulated, store });
  await run();
  await spoil(store);
  await search.close();
  const whole = await snapshotOf(files);
  const documents = Object.keys(whole).filter((path) => path.endsWith('document.md'));
  assert.ok(documents.length >= 6);
  for (const path of documents) files.put(path, '');
  const right = { check: () => undefined, release: async () => undefined, lastEnd: 'power-loss' as const };
  await simulateThoughts({ ...simulated, store: new SearchStore(files, right), seed: 2 });
  assert.deepEqual(await snapshotOf(files), whole);
}

describe('thoughts that begin alike', () => {
  it('get their own documents back after a loss of power', () => withoutDocuments(given));

  it('get them back where they were drawn one by one, and the first draws failed', () =>
    withoutDocuments({
      ...given,
      options: { ...given.options, generation: 'independent_sampling' },
      model: {
        instead: ({ data: sent }) => {
          const data = thoughtData(sent);
          if (data.purpose !== 'generate' || data.message.payload.num_candidates > 1) return undefined;
          const { context } = data.message.payload;
          if (data.draw === 0 && context.earlier.length === 0)
            return new ThoughtTreeError('refused', foreign({ text: 'I cannot.' }));
          return JSON.stringify([{ content: `${ALIKE}${context.path.length} ${data.draw} ${context.earlier.length}` }]);
        },
      },
    }));

  it('get them back where an answer beside theirs cannot be read any more', () =>
    withoutDocuments(given, async (store) => {
      const conversation = await store.readConversation(ROOT_SESSION);
      assert.ok(conversation);
      const [turn] = conversation.turns.filter(isAnswer);
      assert.ok(turn);
      await store.writeConversation({
        ...conversation,
        turns: [{ ...turn, text: 'No thoughts.' }, ...conversation.turns],
      });
    }));
});
