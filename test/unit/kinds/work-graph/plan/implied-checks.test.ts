import assert from 'node:assert/strict';
import type { PlannedAtom } from '../../../../../src/kinds/work-graph/plan/plan.ts';
import { checksOf } from '../../../../../src/kinds/work-graph/plan/plan.ts';

const ATOM: PlannedAtom = { id: 'A1', title: 'Write it', depends_on: [], uses: [], probe: false, checks: [] };

describe('an atom without checks', () => {
  it('is not simply believed: votes, or a person, say whether it is done', () => {
    const [item] = checksOf({ ...ATOM, does: 'Write a page about it.' });
    assert.ok(item?.check && 'quality' in item.check);
    assert.deepEqual(item.check.quality.rubric, [{ criterion: 'Write a page about it.', weight: 1 }]);
    assert.equal(item.item, 'Write it');
  });

  it('of a person is for that person to say', () => {
    assert.deepEqual(checksOf({ ...ATOM, by: 'person' }), [{ item: 'Write it', check: { assertion: 'Write it' } }]);
  });

  it('with a command needs none: how that ends is seen here', () => {
    assert.deepEqual(checksOf({ ...ATOM, run: 'make' }), []);
  });

  it('keeps those that it has', () => {
    const checks = [{ item: 'there', check: { file: 'x' } }];
    assert.deepEqual(checksOf({ ...ATOM, checks }), checks);
  });
});
