import assert from 'node:assert/strict';
import type { MoveResult } from '../../../../../src/core/kind/strategy.ts';
import type { AtomName } from '../../../../../src/kinds/work-graph/graph/graph.ts';
import { type GraphMoveKind, MovesUnderWay } from '../../../../../src/kinds/work-graph/run/moves-under-way.ts';

const A = 'a' as AtomName;
const DROPPED: MoveResult = { outcome: 'dropped' };
const DONE: MoveResult = { outcome: 'done' };

function carryOut(moves: MovesUnderWay, kind: GraphMoveKind, ...results: MoveResult[]): void {
  for (const result of results) moves.end(moves.begin({ kind, nodes: [], about: A }), result);
}

describe('the moves of a work graph', () => {
  it('are under way from begin to end, and keep others from what they are about', () => {
    const moves = new MovesUnderWay();
    const move = moves.begin({ kind: 'work', nodes: [], about: A });
    assert.deepEqual([[...moves], moves.has('work'), moves.mayAsk('join', A)], [[move], true, false]);
    assert.equal(moves.mayAsk('verify'), true);
    moves.end(move, DONE);
    assert.deepEqual([[...moves], moves.has('work'), moves.mayAsk('join', A)], [[], false, true]);
  });

  it('are outside where they are offered, and nowhere where a person is asked for', () => {
    const moves = new MovesUnderWay();
    for (const kind of ['offer-work', 'rest'] as const) moves.begin({ kind, nodes: [] });
    assert.equal(moves.areHere, false);
    moves.begin({ kind: 'join', nodes: [], about: A });
    assert.equal(moves.areHere, true);
  });

  it('are not asked for again once they were dropped three times in a row', () => {
    const moves = new MovesUnderWay();
    carryOut(moves, 'work', DROPPED, DROPPED, DONE, DROPPED, DROPPED);
    assert.deepEqual([moves.mayAsk('work', A), moves.refused], [true, []]);
    carryOut(moves, 'work', DROPPED);
    assert.deepEqual([moves.mayAsk('work', A), moves.mayAsk('probe', A), moves.refused], [false, true, [A]]);
  });

  it('are asked for again after a person was asked for', () => {
    const moves = new MovesUnderWay();
    carryOut(moves, 'work', DROPPED, DROPPED, DROPPED);
    moves.end(moves.begin({ kind: 'rest', nodes: [] }), DONE);
    assert.deepEqual([moves.mayAsk('work', A), moves.refused], [true, []]);
  });
});
