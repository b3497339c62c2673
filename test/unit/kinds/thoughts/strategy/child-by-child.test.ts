import assert from 'node:assert/strict';
import { drive, RefinementTree } from '../../../../../bench/strategies/refinement-trees.ts';
import type { Move, Strategy } from '../../../../../src/core/kind/strategy.ts';
import type { SearchOptions } from '../../../../../src/core/search/search-file.ts';
import { settingsFor } from '../../../../../src/kinds/thoughts/settings.ts';
import { NEW_STRATEGY } from '../../../../../src/kinds/thoughts/strategy/strategies.ts';
import { thoughts } from '../../../../../src/kinds/thoughts/thoughts.ts';

const PLAIN = { judge: 'layer', beamFollowsScores: false, samples: 1, size: 'all', hasGoalTest: false } as const;
type Name = 'adaptive' | 'uct';

/** Drives a strategy; tells what it asked for, and the most moves that made thoughts of one node at once. */
function driven(name: Name, seed: number, slots: number): { asked: string[]; most: number; below: number } {
  const world = new RefinementTree('mixed', 11);
  const strategy: Strategy = NEW_STRATEGY[name]({ ...PLAIN, beam: 3, tries: 1000, seed });
  const ask = strategy.ask.bind(strategy);
  const tell = strategy.tell.bind(strategy);
  const running = new Map<string, Move>();
  const asked: string[] = [];
  let most = 0;
  strategy.ask = (room) => {
    const moves = ask(room);
    for (const move of moves) {
      asked.push(`${move.kind} ${move.nodes.join(' ')}`);
      running.set(move.id, move);
    }
    const again = [...running.values()].filter(({ kind }) => kind === 'try-again');
    for (const { nodes } of again) most = Math.max(most, again.filter((each) => each.nodes[0] === nodes[0]).length);
    return moves;
  };
  strategy.tell = (move, result) => {
    running.delete(move.id);
    tell(move, result);
  };
  drive(world, strategy, { slots, budget: 80, candidates: 1, seed: 3 });
  return { asked, most, below: world.tree.size - world.tree.root.children.length };
}

describe('strategies that judge child by child', () => {
  it('draw the same of the same seed, and otherwise of another', () => {
    assert.deepEqual(driven('adaptive', 5, 1), driven('adaptive', 5, 1));
    assert.notDeepEqual(driven('adaptive', 5, 1).asked, driven('adaptive', 6, 1).asked);
    assert.deepEqual(driven('uct', 5, 1), driven('uct', 6, 1));
  });

  for (const name of ['adaptive', 'uct'] as const)
    it(`${name} asks one node several times at once, with no more than half of the slots, and others meanwhile`, () => {
      const { most, below } = driven(name, 5, 16);
      assert.ok(most > 1 && most <= 8, `${most} at once`);
      assert.ok(below > 20, `${below} thoughts below the first level`);
    });

  it('have a seed in search.json that follows from the problem, unless somebody names one', () => {
    const begun = (prompt: string, options: SearchOptions, strategy: string): unknown =>
      thoughts.begin({ prompt, options, strategy, findHooks: undefined }).options['seed'];
    const seed = begun('Why?', {}, 'adaptive');
    assert.ok(Number.isInteger(seed));
    assert.equal(begun('Why?', {}, 'adaptive'), seed);
    assert.notEqual(begun('How?', {}, 'adaptive'), seed);
    assert.equal(begun('Why?', { seed: 4 }, 'adaptive'), 4);
    assert.equal(begun('Why?', {}, 'breadth-first'), undefined);
  });

  it('leave the beam that follows scores to its own option, whose former name is still read', () => {
    const of = (options: SearchOptions) => settingsFor({ options }, () => undefined).beamFollowsScores;
    assert.deepEqual([of({}), of({ adaptive: true }), of({ beamFollowsScores: true })], [false, true, true]);
    assert.equal(of({ adaptive: true, beamFollowsScores: false }), false);
    const { options } = thoughts.begin({
      prompt: 'Why?',
      options: { adaptive: true },
      strategy: undefined,
      findHooks: undefined,
    });
    assert.deepEqual([options['beamFollowsScores'], options['adaptive']], [true, undefined]);
  });
});
