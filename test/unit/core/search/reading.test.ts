import assert from 'node:assert/strict';
import {
  FORMER_READ,
  readingOf,
  readNamed,
  type SaidReading,
  USUAL_READ,
} from '../../../../src/core/search/reading.ts';

describe('what models may see of the workspace', () => {
  const named = (said: SaidReading, usual = USUAL_READ): string => {
    const reading = readingOf(said, usual);
    return `${readNamed(reading)}${reading.tools && !reading.context ? ' alone' : ''}`;
  };

  it('is said at once', () => {
    for (const read of ['nothing', 'quotes', 'tools'] as const) assert.equal(named({ read }), read);
    assert.equal(named({}), 'tools');
    assert.equal(named({}, FORMER_READ), 'quotes', 'a search from before there was a word for it');
  });

  it('means the same as ever where it is said by the two options from before', () => {
    for (const usual of ['quotes', 'tools'] as const) {
      assert.equal(named({ tools: true }, usual), 'tools');
      assert.equal(named({ tools: false }, usual), 'quotes');
      assert.equal(named({ context: false }, usual), 'nothing');
      assert.equal(named({ context: false, tools: true }, usual), 'tools alone');
      assert.equal(named({ context: false, tools: false }, usual), 'nothing');
    }
    assert.equal(named({ context: true }, FORMER_READ), 'quotes');
  });

  it('is never more than was said at once, whatever is said besides', () => {
    assert.equal(named({ read: 'nothing', tools: true, context: true }), 'nothing');
    assert.equal(named({ read: 'quotes', tools: true }), 'quotes');
    assert.equal(named({ read: 'tools', context: false }), 'tools alone');
    assert.equal(named({ read: 'tools', tools: false }), 'quotes');
  });
});
