import assert from 'node:assert/strict';
import { hookReads, mirrorAsks } from '../../../../../src/kinds/work-graph/exchange/formats.ts';
import { withState } from '../../../../../src/kinds/work-graph/exchange/write-state.ts';
import { stateFile } from '../../../../support/work-graph/state-files.ts';

const OURS = stateFile('good', 'template.md');
const NOTHING = { stop: false, redirect: false, changes: [], notes: [] };

/** What is asked for by one replacement in the file. */
function asked(before: string, after: string) {
  assert.ok(OURS.includes(before), before);
  const { notes, ...ask } = mirrorAsks(OURS, OURS.replace(before, after));
  return { ...ask, notes: notes.map(({ key }) => key) };
}

describe('a state file that others changed while we kept it', () => {
  it('asks for nothing if nobody changed it', () => {
    assert.deepEqual(mirrorAsks(OURS, OURS), NOTHING);
  });

  it('asks for a stop alone', () => {
    assert.deepEqual(asked('stop_requested: false', 'stop_requested: true'), { ...NOTHING, stop: true });
  });

  it('asks for a redirect', () => {
    const found = asked('redirect_requested: false', 'redirect_requested: true');
    assert.deepEqual(found, { ...NOTHING, redirect: true });
  });

  const changes: [name: string, before: string, after: string, type: string, change: object][] = [
    ['another goal', 'goal: "Add sign-in to the API"', 'goal: "Add sign-out"', 'objective', { goal: 'Add sign-out' }],
    [
      'another limit',
      'max_iterations: 20',
      'max_iterations: 5',
      'constraint',
      { limits: { iterations: 5, parallel: 3, stall: 3 } },
    ],
    [
      'another dependency',
      'depends_on: [A4_jwt]',
      'depends_on: [A2]',
      'graph',
      { change: { A5: { depends_on: ['A2'] } } },
    ],
    [
      'another text of an atom',
      'description: "Guard"',
      'description: "Guards"',
      'graph',
      { change: { A5: { title: 'Guards', does: null } } },
    ],
    [
      'one more atom',
      '\nor_groups:',
      '  - {id: A7, description: More, status: pending, depends_on: [A5]}\n\nor_groups:',
      'graph',
      { add: [{ id: 'A7', title: 'More', depends_on: ['A5'] }] },
    ],
    [
      'one atom less',
      '  - id: A5\n    description: "Guard"\n    status: pending\n    depends_on: [A4_jwt]\n',
      '',
      'graph',
      { drop: ['A5'] },
    ],
    [
      'what came of an atom',
      'artifacts: ["notes.md"]',
      'artifacts: [other.md]',
      'binding',
      { atom: 'A1', summary: 'Read; it is "express"', artifacts: ['other.md'] },
    ],
  ];
  for (const [name, before, after, type, change] of changes)
    it(`proposes ${name} as a redirect`, () => {
      assert.deepEqual(asked(before, after), { ...NOTHING, redirect: true, changes: [{ type, change }] });
    });

  it('takes no word for it that an atom is resolved', () => {
    const found = asked('status: in_progress', 'status: resolved');
    assert.deepEqual(found, { ...NOTHING, redirect: true, notes: ['work.mirror.statuses'] });
  });

  it('says so if it cannot be read any more, or something else was changed', () => {
    assert.deepEqual(asked('atoms:', 'atoms: ['), { ...NOTHING, redirect: true, notes: ['work.mirror.unreadable'] });
    assert.deepEqual(asked('# one sentence', '# two'), { ...NOTHING, redirect: true, notes: ['work.mirror.others'] });
  });

  it('says that the run was stopped without losing what they changed', () => {
    const found = OURS.replace('stop_requested: false', 'stop_requested: true   # by me');
    const text = withState(found, 'stopped');
    assert.equal(hookReads(text).status, 'stopped');
    assert.equal(text, found.replace(/status: running.*/, 'status: stopped'));
  });
});
