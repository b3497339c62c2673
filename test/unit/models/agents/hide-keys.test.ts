import assert from 'node:assert/strict';
import { hideKeys } from '../../../../src/models/agents/hide-keys.ts';

const KEY = 'sk-ant-1234567890abcdef';

describe('the keys of an agent', () => {
  it('are taken out of an answer', () => {
    const answer = hideKeys([KEY], () => ({ text: `I was given ${KEY}.`, finish: 'stop' }));
    assert.ok(!answer.text.includes(KEY));
  });

  it('are taken out of an error, also of one that another bundle made', () => {
    const foreign = Object.assign(new Error(`refused: ${KEY}`), {
      [Symbol.for('thought-tree.error')]: true,
      reason: 'key-refused',
      details: { charged: false },
    });
    assert.throws(
      () =>
        hideKeys([KEY], () => {
          throw foreign;
        }),
      (error: Error & { reason?: string; details?: object }) => {
        assert.ok(!error.message.includes(KEY), error.message);
        assert.equal(error.reason, 'key-refused');
        assert.deepEqual(error.details, { charged: false });
        return true;
      },
    );
  });
});
