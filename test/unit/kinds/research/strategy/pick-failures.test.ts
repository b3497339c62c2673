import assert from 'node:assert/strict';
import { PickFailures } from '../../../../../src/kinds/research/strategy.ts';

const PAUSE = 3;

function failedTwice(): PickFailures {
  const failures = new PickFailures();
  for (let n = 0; n < 2; n++) failures.add();
  return failures;
}

describe('failed picks', () => {
  it('are too many when two fail in a row', () => {
    const failures = new PickFailures();
    failures.add();
    failures.forget();
    failures.add();
    assert.deepEqual([failures.areTooMany, failures.mayPick(PAUSE)], [false, true]);
    failures.add();
    assert.deepEqual([failures.areTooMany, failures.mayPick(PAUSE)], [true, false]);
  });

  it('are forgotten with the next attempt, after a pause', () => {
    const failures = failedTwice();
    for (let n = 0; n < PAUSE - 1; n++) failures.expanded();
    assert.equal(failures.mayPick(PAUSE), false);
    failures.expanded();
    assert.deepEqual([failures.mayPick(PAUSE), failures.areTooMany], [true, false]);
  });

  it('begin the pause again with each', () => {
    const failures = failedTwice();
    for (let n = 0; n < PAUSE; n++) failures.expanded();
    failures.add();
    assert.equal(failures.mayPick(PAUSE), false);
  });
});
