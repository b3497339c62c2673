import assert from 'node:assert/strict';
import { simulateWork, writes } from '../../../../support/work-graph/work-search.ts';

describe('a group of alternatives', () => {
  it('is a finished node for everybody who reads its files, with a document of its own', async () => {
    const work = await simulateWork({
      plan: {
        base_case: [{ item: 'it is there', check: { file: 'x' } }],
        groups: [{ name: 'way', title: 'How to get there' }],
        atoms: [
          { id: 'A1', title: 'The short way', group: 'way', run: 'fail' },
          { id: 'A2', title: 'The long way', group: 'way', run: 'walk' },
        ],
      },
      commands: { fail: () => ({ exitCode: 1 }), walk: writes({ x: '1' }) },
    });
    await work.run();
    const foreign = work.events.filter(({ type }) => type === 'reconciled');
    assert.deepEqual(foreign, [], 'nobody but the search changed anything');
    const group = work.node('way');
    assert.equal(group.status, 'expanded');
    const document = await work.store.readDocument(group.slug);
    assert.match(
      document ?? '',
      /# How to get there\n\nOne of these 2 ways has to lead there:\n\n- The short way\n- The long way/,
    );
  });
});
