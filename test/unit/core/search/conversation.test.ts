import assert from 'node:assert/strict';
import { answerFor, Conversation, withExchange } from '../../../../src/core/search/conversation.ts';

const empty: Conversation = { id: 'c1', parentId: 'c0', turns: [] };

describe('a conversation', () => {
  it('grows by whole exchanges, and the one before stays as it was', () => {
    const one = withExchange(empty, 'document', 'Write.', 'Text.');
    const two = withExchange(one, 'children', 'List.', '[]', { leafReason: 'no-sources' });
    assert.deepEqual(empty.turns, []);
    assert.equal(one.turns.length, 2);
    assert.deepEqual(two, {
      id: 'c1',
      parentId: 'c0',
      turns: [
        { role: 'user', text: 'Write.', purpose: 'document' },
        { role: 'assistant', text: 'Text.', purpose: 'document' },
        { role: 'user', text: 'List.', purpose: 'children' },
        { role: 'assistant', text: '[]', purpose: 'children', leafReason: 'no-sources' },
      ],
    });
    assert.deepEqual(Conversation.parse(JSON.parse(JSON.stringify(two))), two);
  });

  it('knows its last answer for a purpose, and mistakes no question for one', () => {
    const twice = withExchange(withExchange(empty, 'document', 'Write.', 'One.'), 'document', 'Again.', 'Two.');
    assert.equal(answerFor(twice, 'document')?.text, 'Two.');
    assert.equal(answerFor(twice, 'children'), undefined);
    const asked = { ...empty, turns: [{ role: 'user' as const, text: 'List.', purpose: 'children' }] };
    assert.equal(answerFor(asked, 'children'), undefined);
  });

  for (const id of ['', '../x', 'a/b', 'a.json', 'a b', 'x'.repeat(101), 'é'])
    it(`cannot be named ${JSON.stringify(id).slice(0, 20)}`, () => {
      assert.ok(!Conversation.safeParse({ id, turns: [] }).success);
    });
});
