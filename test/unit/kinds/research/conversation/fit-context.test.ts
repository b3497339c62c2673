import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelRequest } from '../../../../../src/core/ports/model.ts';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { Tree, type TreeNode } from '../../../../../src/core/tree/tree.ts';
import { type Above, type Fitting, fitContext } from '../../../../../src/kinds/research/node-conversation.ts';
import { simulatedModel } from '../../../../support/models/simulated-model.ts';
import { simulate } from '../../../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../../../support/servers/server-tree.ts';
import { VirtualClock } from '../../../../support/virtual-clock.ts';

const BYTES = (bytes: number): number => bytes;

/** Nodes one below the other, each with a document and a list of so many bytes. */
function lineOf(lengths: readonly number[]): { above: Above[]; node: TreeNode } {
  const tree = new Tree('Q');
  let node = tree.root;
  const above: Above[] = [];
  for (const [index, length] of lengths.entries()) {
    node = tree.add(node, `topic-${index}`, { title: `Topic ${index}` });
    tree.update(node, { summary: `Summary ${index}.` });
    const turn = (role: 'user' | 'assistant', purpose: string, text: string) => ({ role, purpose, text });
    const turns = [
      turn('user', 'document', `Write ${index}.`),
      turn('assistant', 'document', 'd'.repeat(length)),
      turn('user', 'children', 'List.'),
      turn('assistant', 'children', 'l'.repeat(200)),
    ];
    above.push({ node, conversation: { id: `c${index}`, turns }, isStored: true });
  }
  return { above, node: tree.add(node, 'here', { title: 'Here' }) };
}

function fitting(lengths: readonly number[], contextTokens: number | undefined): Fitting {
  const model = { name: 'a/b', contextTokens };
  return { model, ...lineOf(lengths), own: [], system: 'S', prompt: 'P', maxOutputTokens: 1000, tokensOf: BYTES };
}

describe('a conversation that is too long for its model', () => {
  it('gives way from the farthest document to the nearest, then list by list, and fits; or says what to do', () => {
    const lengths = fc.array(fc.integer({ min: 300, max: 3000 }), { maxLength: 6 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1000, max: 20_000 }), (documents, room) => {
        try {
          const { turns, shared, maxOutputTokens, shortened } = fitContext(fitting(documents, room));
          const bytes = turns.reduce((sum, { text }) => sum + text.length, 2);
          assert.ok(bytes + maxOutputTokens <= room);
          assert.equal(shared, turns.length);
          const whole = documents.map((length) => turns.some(({ text }) => text === 'd'.repeat(length)));
          const firstWhole = whole.indexOf(true);
          assert.ok(firstWhole < 0 || whole.slice(firstWhole).every(Boolean), 'what is nearer is longer');
          assert.equal(shortened?.documents.length ?? 0, firstWhole < 0 ? documents.length : firstWhole);
          if (shortened && shortened.lists.length > 0) assert.equal(firstWhole, -1, 'documents give way before lists');
        } catch (error) {
          assert.ok(isThoughtTreeError(error, 'bad-request'));
          assert.match(error.message, /longer context/);
        }
      }),
    );
  });

  it('stands alone in a context that has no room for anything above it, however deep it is', () => {
    const { turns, shared, maxOutputTokens, shortened } = fitContext(fitting([900, 900, 900, 900], 200));
    assert.deepEqual([turns, shared, maxOutputTokens], [[], 0, 50]);
    assert.equal(shortened?.lists.length, 4);
  });

  it('is sent as it is where it fits, or nobody knows how long it may be', () => {
    const known = fitContext(fitting([400, 400], 100_000));
    const unknown = fitContext(fitting([400, 400], undefined));
    assert.deepEqual(known, unknown);
    assert.equal(known.shortened, undefined);
    assert.equal(known.maxOutputTokens, 1000);
  });

  it('is met before the call in a whole search, which says so and keeps the words that were sent', async () => {
    const requests: ModelRequest[] = [];
    const clock = new VirtualClock();
    const tree = { fanout: () => 1, documentWords: 400 };
    const plain = simulatedModel({ tree: scriptedTree(tree), clock });
    const model = {
      ...plain,
      contextTokens: 6000,
      generate: ((request, call) => {
        requests.push(request);
        return plain.generate(request, call);
      }) satisfies typeof plain.generate,
    };
    const { search, events, store } = await simulate({ tree, search: { model, clock, limits: { maxDepth: 8 } } });
    const outcome = await clock.run(search.run());
    assert.equal(outcome.state, 'finished');
    assert.equal(outcome.results.failed, 0);
    const shortened = events.filter((event) => event.type === 'context-shortened');
    assert.ok(shortened.length > 0);
    const last = shortened.at(-1);
    assert.ok(last?.type === 'context-shortened' && last.documents.length > 0);
    const sent = requests.find(({ node, purpose }) => node === last.node && purpose === last.purpose);
    assert.ok(sent?.turns.some(({ text }) => text.includes('left out here to save room')));
    const call = events.find(
      (event) => event.type === 'call-started' && event.node === last.node && event.purpose === last.purpose,
    );
    const kept = call?.type === 'call-started' ? await store.readCall(call.call) : undefined;
    assert.deepEqual(kept?.turns, sent?.turns);
  });
});
