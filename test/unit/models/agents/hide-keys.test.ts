import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { hideKeys } from '../../../../src/models/keys.ts';

const KEY = 'sk-ant-1234567890abcdef';

describe('the keys of an agent', () => {
  it('are removed from an answer', () => {
    const answer = hideKeys([KEY], () => ({ text: `I was given ${KEY}.`, finish: 'stop' }));
    assert.ok(!answer.text.includes(KEY));
  });

  it('are removed from an error, even from one made by another bundle', () => {
    const made = Object.assign(new Error(`refused: ${KEY}`), {
      [Symbol.for('thought-tree.error')]: true,
      reason: 'key-refused',
      say: foreign({ text: `refused: ${KEY}` }),
      details: { charged: false },
    });
    assert.throws(
      () =>
        hideKeys([KEY], () => {
          throw made;
        }),
      (error: ThoughtTreeError) => {
        assert.ok(!error.message.includes(KEY), error.message);
        assert.ok(!JSON.stringify(error.say).includes(KEY));
        assert.equal(error.reason, 'key-refused');
        assert.deepEqual(error.details, { charged: false });
        return true;
      },
    );
  });
});
