import assert from 'node:assert/strict';
import { filesOf } from '../../../../support/work-graph/fake-workshop.ts';
import { has, simulateWork, writes } from '../../../../support/work-graph/work-search.ts';

describe('a graph of commands', () => {
  it('is worked through until the base case holds', async () => {
    const work = await simulateWork({
      workspace: { 'README.md': 'x' },
      plan: {
        base_case: [{ item: 'both are there', check: { command: 'check all' } }],
        atoms: [
          {
            id: 'A1',
            title: 'One',
            run: 'make one',
            touches: ['one'],
            checks: [{ item: 'one', check: { file: 'one' } }],
          },
          {
            id: 'A2',
            title: 'Two',
            run: 'make two',
            touches: ['two'],
            depends_on: ['A1'],
            checks: [{ item: 'two', check: { command: 'check two' } }],
          },
        ],
      },
      commands: {
        'make one': writes({ one: '1' }),
        'make two': writes({ two: '2' }),
        'check two': has('two', '2'),
        'check all': (files) => ({ exitCode: files['one'] && files['two'] ? 0 : 1 }),
      },
    });
    const outcome = await work.run();
    assert.equal(outcome.state, 'finished');
    assert.deepEqual(filesOf(work.shop, work.shop.tip as string), { 'README.md': 'x', one: '1', two: '2' });
  });
});
