import assert from 'node:assert/strict';
import { has, simulateWork, writes } from '../../../../support/work-graph/work-search.ts';

describe('work that brings what it is judged by', () => {
  const workWith = (touches: string[]) =>
    simulateWork({
      plan: {
        base_case: [{ item: 'it is there', check: { file: 'a.txt' } }],
        atoms: [
          {
            id: 'A1',
            title: 'Write it',
            run: 'cheat',
            touches,
            checks: [{ item: 'it is right', check: { command: 'node verify.js' } }],
          },
        ],
      },
      commands: { cheat: writes({ 'a.txt': 'x', 'verify.js': '' }), 'node verify.js': has('verify.js') },
    });

  it('is not verified by it: a person looks at it', async () => {
    const work = await workWith(['a.txt']);
    const outcome = await work.run();
    assert.equal(outcome.state, 'paused');
    const own = work.own('A1');
    assert.ok(own.type === 'atom');
    assert.deepEqual(
      own.evidence?.map(({ word }) => word),
      ['uncheckable'],
    );
    assert.match(own.evidence?.[0]?.seen ?? '', /verify\.js/);
  });

  it('is verified where the plan says that it makes that', async () => {
    const work = await workWith(['a.txt', 'verify.js']);
    assert.equal((await work.run()).state, 'finished');
  });
});
