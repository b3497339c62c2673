import assert from 'node:assert/strict';
import type { NodeId } from '../../../../src/core/tree/tree-node.ts';
import { FailureStreak } from '../../../../src/engine/loop.ts';

const id = (n: number): NodeId => n as NodeId;

function add(streak: FailureStreak, ...reasons: string[]): (NodeId[] | undefined)[] {
  return reasons.map((reason, i) => streak.add(reason, [id(i)]));
}

describe('a streak of failures', () => {
  it('is five nodes in a row that failed for the same reason, and names them', () => {
    const told = add(new FailureStreak(), 'timed-out', 'timed-out', 'timed-out', 'timed-out', 'timed-out');
    assert.deepEqual(told, [undefined, undefined, undefined, undefined, [0, 1, 2, 3, 4].map(id)]);
  });

  it('is broken by another cause', () => {
    const told = add(new FailureStreak(), 'a', 'a', 'a', 'a', 'b', 'a', 'a', 'a', 'a');
    assert.ok(told.every((nodes) => nodes === undefined));
  });

  it('is broken by a success', () => {
    const streak = new FailureStreak();
    add(streak, 'a', 'a', 'a', 'a');
    streak.reset();
    assert.ok(add(streak, 'a', 'a', 'a', 'a').every((nodes) => nodes === undefined));
  });

  it('starts over once it was reported', () => {
    const streak = new FailureStreak();
    add(streak, 'a', 'a', 'a', 'a', 'a');
    assert.ok(add(streak, 'a', 'a', 'a', 'a').every((nodes) => nodes === undefined));
    assert.equal(streak.add('a', [id(9)])?.length, 5);
  });
});
