import assert from 'node:assert/strict';
import type { AtomFields } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import type { FakeOptions } from '../../../../support/work-graph/fake-workshop.ts';
import { has, simulateWork, type WorkSimulation, writes } from '../../../../support/work-graph/work-search.ts';

const runs = (line: string) => ({ item: `it is so: ${line}`, check: { command: line } });
/** Holds if a file is there, and it or another one says two. */
const nested = () => ({
  item: 'all is well',
  all_of: [runs('has one'), { item: 'one of both says it', any_of: [runs('one says two'), runs('other says two')] }],
});
const COMMANDS: FakeOptions['commands'] = {
  'make one': writes({ text: 'just one' }),
  'spoil one': writes({ text: 'spoiled' }),
  'has one': has('text'),
  'has one as it was': has('text', 'just'),
  'one says two': has('text', 'two'),
  'other says two': has('other', 'two'),
};
const triesOf = (work: WorkSimulation, name: string): string[] =>
  ((work.own(name) as AtomFields).tries ?? []).flatMap(({ seen }) => seen ?? []);

describe('checks within checks', () => {
  it('tell the worker which of them does not hold, and what was seen', async () => {
    const plan = { base_case: [nested()], atoms: [{ id: 'A1', title: 'One', run: 'make one', checks: [nested()] }] };
    const work = await simulateWork({ plan, commands: COMMANDS });
    await work.run();
    assert.equal(
      triesOf(work, 'A1')[0],
      'all is well: one of both says it: it is so: one says two: exit code 1. text: just one',
    );
  });

  it('tell it of what was joined before, too', async () => {
    const earlier = { item: 'as it was', all_of: [runs('has one as it was')] };
    const atoms = [
      { id: 'A1', title: 'One', run: 'make one', checks: [earlier] },
      { id: 'A2', title: 'Two', run: 'spoil one', depends_on: ['A1'], checks: [runs('has one')] },
    ];
    const work = await simulateWork({ plan: { base_case: [runs('has one')], atoms }, commands: COMMANDS });
    await work.run();
    assert.equal(triesOf(work, 'A2')[0], 'A1: as it was: it is so: has one as it was: exit code 1. text: spoiled');
  });

  it('tell what is missing where the goal is not reached', async () => {
    const atoms = [{ id: 'A1', title: 'One', run: 'make one', checks: [runs('has one')] }];
    const work = await simulateWork({ plan: { base_case: [nested()], atoms }, commands: COMMANDS });
    await work.run();
    const all = work.search.tree.root.children.map(({ file }) => file?.own);
    assert.match(JSON.stringify(all), /does not hold: all is well\. text: just one/);
  });
});
