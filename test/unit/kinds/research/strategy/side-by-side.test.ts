import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Move } from '../../../../../src/core/kind/strategy.ts';
import type { NodeId } from '../../../../../src/core/tree/tree-node.ts';
import { effort } from '../../../../support/effort.ts';
import { type Chance, SimulatedResearch, type Weather } from './simulated-research.ts';

const fair: Weather = { failures: false, person: false, picks: 'good', children: 4, depth: 4 };
const SLOTS = 1000;

/** A search with a thousand slots whose first level is worked on: a hundred branches of so many open leaves each. */
function guided(leaves: number): SimulatedResearch {
  const search = new SimulatedResearch({ size: 'all', concurrency: SLOTS, picker: 'ranked' }, fair, () => 1);
  const { tree } = search;
  for (let i = 0; i < 100; i++) {
    const top = tree.add(tree.root, `b${i}`, { title: `b${i}`, status: 'expanded', listed: true });
    for (let j = 0; j < leaves; j++) tree.add(top, `l${j}`, { title: `l${j}` });
  }
  tree.update(tree.root, { listed: true });
  search.strategy.open(tree);
  return search;
}

const worked = (moves: readonly Move[]): NodeId[] =>
  moves.filter(({ kind }) => kind === 'expand').flatMap(({ nodes }) => [...nodes]);
const picksIn = (moves: readonly Move[]): Move[] => moves.filter(({ kind }) => kind === 'pick');

/** Ends expansions that are under way, the oldest first. */
function finish(search: SimulatedResearch, count: number): void {
  for (const move of search.expansions().slice(0, count)) {
    search.tree.update(search.tree.get(move.nodes[0] as NodeId) as never, { status: 'leaf', listed: true });
    search.tell(move, { outcome: 'done' });
  }
}

describe('rankings side by side', () => {
  it('are asked for together, each about leaves that are in no other one', () => {
    const search = guided(100);
    const moves = search.ask(); // which checks that
    assert.equal(worked(moves).length, SLOTS);
    assert.equal(picksIn(moves).length, 7);
    for (const { nodes } of picksIn(moves)) assert.equal(nodes.length, 1024);
    assert.deepEqual(search.ask(), []);
  });

  it('are worked off by place, whichever comes first', () => {
    const orders = [false, true].map((isReversed) => {
      const search = guided(100);
      const picks = picksIn(search.ask());
      for (const pick of isReversed ? picks.toReversed() : picks)
        search.tell(pick, { outcome: 'ranked', ranking: pick.nodes.slice(0, 512) });
      finish(search, 30);
      const order = worked(search.ask());
      const latestFirst = picks.toReversed();
      assert.deepEqual(
        order.slice(0, 14),
        [0, 1].flatMap((place) => latestFirst.map(({ nodes }) => nodes[place])),
      );
      return order;
    });
    assert.equal(orders[0]?.length, 30);
    assert.deepEqual(orders[1], orders[0]);
  });

  it('come without one that fails, and without one that never comes', () => {
    const search = guided(100);
    const [failing, never, ...others] = picksIn(search.ask()) as [Move, Move, ...Move[]];
    search.tell(failing, { outcome: 'failed' });
    for (const pick of others) search.tell(pick, { outcome: 'ranked', ranking: pick.nodes.slice(0, 512) });
    const ranked = new Set(others.flatMap(({ nodes }) => nodes.slice(0, 512)));
    let next = 0;
    for (let done = 0; done < 2500; done += 250) {
      finish(search, 250);
      const moves = search.ask();
      assert.equal(worked(moves).length, 250);
      if (done < 2000) assert.ok(worked(moves).every((id) => ranked.has(id)));
      next += picksIn(moves).length;
    }
    assert.ok(next > 0, 'none is asked for while one does not come');
    assert.ok(search.running.includes(never));
  });

  it('pause after failures in a row, for as many expansions as there are slots', () => {
    const search = guided(100);
    for (const pick of picksIn(search.ask())) search.tell(pick, { outcome: 'failed' });
    let expansions = 0;
    for (let moves = search.ask(); picksIn(moves).length === 0; moves = search.ask()) {
      finish(search, 100);
      expansions += 100;
      assert.ok(expansions <= 2 * SLOTS, 'they are never asked for again');
    }
    assert.ok(expansions >= SLOTS, `asked for again after ${expansions}`);
  });

  it('leave out what was worked on, pruned or removed since', () => {
    const search = guided(100);
    const picks = picksIn(search.ask());
    const [pick] = picks as [Move, ...Move[]];
    for (const each of picks.slice(1)) search.tell(each, { outcome: 'failed' });
    const [gone, pruned, good] = pick.nodes as [NodeId, NodeId, NodeId];
    search.strategy.changed(search.tree.remove(search.tree.get(gone) as never).map(({ id }) => id));
    search.tree.update(search.tree.get(pruned) as never, { status: 'pruned' });
    search.strategy.changed([pruned]);
    search.tell(pick, { outcome: 'ranked', ranking: [gone, pruned, good] });
    finish(search, 1);
    assert.deepEqual(worked(search.ask()), [good]);
  });

  it('are one where there are few leaves, and none where all are worked on', () => {
    assert.equal(picksIn(guided(10).ask()).length, 0);
    assert.equal(picksIn(guided(11).ask()).length, 1);
  });

  it('follow what a journal told', () => {
    const search = guided(100);
    const ids = search.tree.root.children.flatMap(({ children }) => children.map(({ id }) => id));
    const told = [ids[9000], ids[17], ids[4711]] as NodeId[];
    search.strategy.open(search.tree, told);
    assert.deepEqual(worked(search.ask()).slice(0, 3), told);
  });

  it('keep every rule, whatever happens', () => {
    const weather: fc.Arbitrary<Weather> = fc.record({
      failures: fc.boolean(),
      person: fc.boolean(),
      picks: fc.constantFrom<Weather['picks']>('good', 'any', 'failed', 'never'),
      children: fc.integer({ min: 6, max: 11 }),
      depth: fc.constant(4),
    });
    fc.assert(
      fc.property(weather, fc.integer({ min: 129, max: 300 }), fc.integer(), (sky, concurrency, seed) => {
        const search = new SimulatedResearch({ size: 'all', concurrency, picker: 'ranked' }, sky, chanceFrom(seed));
        search.ask();
        for (let steps = 0; steps < 1500 && search.settle(); steps++) {
          search.ask();
          search.meddle();
        }
      }),
      { numRuns: effort(12) },
    );
  });
});

function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % bound;
  };
}
