import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Move } from '../../../../../src/core/kind/strategy.ts';
import { expansionsOf, type Size } from '../../../../../src/core/search/limits.ts';
import type { NodeId } from '../../../../../src/core/tree/tree-node.ts';
import type { ResearchOptions } from '../../../../../src/kinds/research/strategy.ts';
import { effort } from '../../../../support/effort.ts';
import { type Chance, SimulatedResearch, type Weather } from './simulated-research.ts';

const fair: Weather = { failures: false, person: false, picks: 'good', children: 4, depth: 4 };

const options = (picker: ResearchOptions['picker']): fc.Arbitrary<ResearchOptions> =>
  fc.record({
    size: fc.constantFrom<Size>('small', 'medium', 'large'),
    concurrency: fc.integer({ min: 1, max: 16 }),
    picker: fc.constant(picker),
  });

const weather: fc.Arbitrary<Weather> = fc.record({
  failures: fc.boolean(),
  person: fc.boolean(),
  picks: fc.constantFrom<Weather['picks']>('good', 'any', 'failed', 'nonsense', 'never'),
  children: fc.integer({ min: 0, max: 6 }),
  depth: fc.integer({ min: 1, max: 4 }),
});

const chanceFrom = (seed: number): Chance => {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % bound;
  };
};

/** Runs a search to its end; every answer to `ask` is checked on the way. */
function run(search: SimulatedResearch): SimulatedResearch {
  for (let steps = 0; ; steps++) {
    assert.ok(steps < 20_000, 'it never ends');
    if (search.running.length === 0) search.compareWithAnew();
    search.ask();
    if (search.strategy.end && search.running.every(({ kind }) => kind === 'pick')) return search;
    if (!search.settle()) return search;
    search.meddle();
  }
}

describe('a research search', () => {
  it('with a ranking picker keeps every rule, whatever happens, and ends', () => {
    fc.assert(
      fc.property(options('ranked'), weather, fc.integer(), (how, sky, seed) => {
        const search = run(new SimulatedResearch(how, sky, chanceFrom(seed)));
        const { end } = search.strategy;
        assert.ok(end, 'stopped before its end');
        if (end === 'complete') assert.deepEqual(search.open(), []);
        else assert.ok(search.open().length > 0 && search.tree.finished >= expansionsOf(how.size));
      }),
      { numRuns: effort(300) },
    );
  });

  it('with one pick a leaf keeps every rule, and ends unless its picker never answers', () => {
    fc.assert(
      fc.property(options('one-at-a-time'), weather, fc.integer(), (how, sky, seed) => {
        const search = run(new SimulatedResearch(how, sky, chanceFrom(seed)));
        if (sky.picks !== 'never') assert.ok(search.strategy.end);
      }),
      { numRuns: effort(300) },
    );
  });

  it('in rounds keeps every rule, and ends unless its picker never answers', () => {
    fc.assert(
      fc.property(options('ranked'), weather, fc.integer(), (how, sky, seed) => {
        const search = run(new SimulatedResearch({ ...how, inRounds: true }, sky, chanceFrom(seed)));
        if (sky.picks !== 'never') assert.ok(search.strategy.end);
        if (search.strategy.end === 'complete') assert.deepEqual(search.open(), []);
      }),
      { numRuns: effort(300) },
    );
  });

  it('never passes its size, and reaches it where there is enough', () => {
    fc.assert(
      fc.property(options('ranked'), fc.integer(), (how, seed) => {
        const search = run(new SimulatedResearch(how, { ...fair, failures: true, depth: 9 }, chanceFrom(seed)));
        assert.ok(search.tree.finished <= expansionsOf(how.size));
        if (search.strategy.end === 'size') assert.equal(search.tree.finished, expansionsOf(how.size));
      }),
      { numRuns: effort(100) },
    );
  });

  it('asks for its first level first, once, and for nothing meanwhile', () => {
    const search = new SimulatedResearch({ size: 'all', concurrency: 4, picker: 'ranked' }, fair, () => 3);
    assert.deepEqual(
      search.ask().map(({ kind }) => kind),
      ['list-root'],
    );
    assert.deepEqual(search.ask(), []);
    assert.equal(search.strategy.end, undefined);
  });
});

/** A search whose first level is worked on: so many branches of so many open leaves each. */
function guided(how: Partial<ResearchOptions>, branches: number, leaves: number): SimulatedResearch {
  const search = new SimulatedResearch({ size: 'all', concurrency: 4, picker: 'ranked', ...how }, fair, () => 1);
  const { tree } = search;
  for (let i = 0; i < branches; i++) {
    const top = tree.add(tree.root, `b${i}`, { title: `b${i}`, status: 'expanded', listed: true });
    for (let j = 0; j < leaves; j++) tree.add(top, `l${j}`, { title: `l${j}` });
  }
  tree.update(tree.root, { listed: true });
  search.strategy.open(tree);
  return search;
}

const worked = (moves: readonly Move[]): NodeId[] =>
  moves.filter(({ kind }) => kind === 'expand').flatMap(({ nodes }) => [...nodes]);
const pickIn = (moves: readonly Move[]): Move | undefined => moves.find(({ kind }) => kind === 'pick');

describe('guided work', () => {
  it('continues while the picker thinks, best first, and then in the picker’s order', () => {
    const search = guided({}, 10, 10);
    const [third] = search.tree.root.children[2]?.children ?? [];
    search.tree.update(third as never, { evaluation: { score: 9 } });
    search.strategy.changed([third?.id as NodeId]);
    const first = search.ask();
    assert.equal(worked(first)[0], third?.id);
    assert.equal(worked(first).length, 4);
    const pick = pickIn(first) as Move;
    const ranking = pick.nodes.slice(5, 10).reverse();
    search.tell(pick, { outcome: 'ranked', ranking });
    for (const move of first.filter(({ kind }) => kind === 'expand')) {
      search.tree.update(search.tree.get(move.nodes[0] as NodeId) as never, { status: 'leaf', listed: true });
      search.tell(move, { outcome: 'done' });
    }
    assert.deepEqual(worked(search.ask()), ranking.slice(0, 4));
  });

  it('drops picks that are stale', () => {
    const search = guided({ concurrency: 1 }, 10, 10);
    const pick = pickIn(search.ask()) as Move;
    const [gone, pruned, good] = pick.nodes as [NodeId, NodeId, NodeId];
    search.tell(pick, { outcome: 'ranked', ranking: [gone, pruned, good] });
    search.strategy.changed(search.tree.remove(search.tree.get(gone) as never).map(({ id }) => id));
    search.tree.update(search.tree.get(pruned) as never, { status: 'pruned' });
    search.strategy.changed([pruned]);
    search.tell(search.expansions()[0] as Move, { outcome: 'failed' });
    assert.deepEqual(worked(search.ask()), [good]);
  });

  it('leaves a branch that a person pruned, and comes back when it is restored', () => {
    const search = guided({}, 2, 3);
    const [branch, other] = search.tree.root.children as [never, never];
    search.tree.update(branch, { status: 'pruned' });
    search.strategy.changed([(branch as { id: NodeId }).id]);
    assert.deepEqual(
      worked(search.ask()),
      (other as { children: { id: NodeId }[] }).children.map(({ id }) => id),
    );
    search.tree.update(branch, { status: 'expanded' });
    search.strategy.changed([(branch as { id: NodeId }).id]);
    assert.equal(search.strategy.snapshot().open.length, 3);
  });

  it('continues by score after two failed picks, and asks again later', () => {
    const search = guided({ picker: 'one-at-a-time', concurrency: 1 }, 10, 10);
    const fail = (): Move[] => {
      const pick = pickIn(search.ask()) as Move;
      assert.equal(search.expansions().length, 0);
      search.tell(pick, { outcome: 'failed' });
      return search.running;
    };
    fail();
    fail();
    let expansions = 0;
    for (let moves = search.ask(); !pickIn(moves); moves = search.ask()) {
      expansions += worked(moves).length;
      for (const move of search.expansions()) {
        search.tree.update(search.tree.get(move.nodes[0] as NodeId) as never, { status: 'leaf', listed: true });
        search.tell(move, { outcome: 'done' });
      }
      assert.ok(expansions < 50, 'it never asks again');
    }
    assert.ok(expansions >= 10, 'it asks again at once');
  });

  it('takes a ranking without anything usable for a failure, so that it cannot ask for ever', () => {
    const search = guided({ picker: 'one-at-a-time', concurrency: 1 }, 2, 2);
    for (let i = 0; i < 2; i++) search.tell(pickIn(search.ask()) as Move, { outcome: 'ranked', ranking: [] });
    assert.equal(worked(search.ask()).length, 1);
  });

  it('needs no pick where every candidate fits the free slots', () => {
    const search = guided({ concurrency: 8 }, 2, 3);
    assert.equal(pickIn(search.ask()), undefined);
    assert.equal(search.expansions().length, 6);
  });

  it('ends without waiting for a pick that came too late', () => {
    const search = guided({ concurrency: 4 }, 1, 6);
    assert.ok(pickIn(search.ask()));
    for (let move = search.expansions()[0]; move; move = search.expansions()[0]) {
      search.tree.update(search.tree.get(move.nodes[0] as NodeId) as never, { status: 'leaf', listed: true });
      search.tell(move, { outcome: 'done' });
      search.ask();
    }
    assert.deepEqual(
      search.running.map(({ kind }) => kind),
      ['pick'],
    );
    assert.equal(search.strategy.end, 'complete');
  });

  it('offers a window that moves, so that every leaf comes to be a candidate', () => {
    const search = guided({ concurrency: 1 }, 10, 100);
    const seen = new Set<NodeId>();
    for (let i = 0; i < 40 && seen.size < 999; i++) {
      const pick = pickIn(search.ask());
      for (const id of pick?.nodes ?? []) seen.add(id);
      assert.ok((pick?.nodes.length ?? 0) <= 128);
      if (pick) search.tell(pick, { outcome: 'ranked', ranking: pick.nodes.slice(-1) });
      const move = search.expansions()[0] as Move;
      search.tree.update(search.tree.get(move.nodes[0] as NodeId) as never, { status: 'leaf', listed: true });
      search.tell(move, { outcome: 'done' });
    }
    assert.ok(seen.size >= 950, `${seen.size} seen`);
  });

  it('uses what is left of a ranking that a journal told, as far as it still holds', () => {
    const search = guided({ concurrency: 2 }, 2, 20);
    const ids = search.tree.root.children.flatMap(({ children }) => children.map(({ id }) => id));
    const ranking = [999_999 as NodeId, ids[7] as NodeId, ids[7] as NodeId, ids[30] as NodeId];
    search.strategy.open(search.tree, ranking);
    assert.deepEqual(worked(search.ask()), [ids[7], ids[30]]);
  });
});

describe('what a person wants', () => {
  it('is worked on next, in the order it was asked for, whatever the size', () => {
    const search = guided({ size: 'small', concurrency: 2 }, 20, 2);
    assert.equal(search.strategy.end, 'size');
    const [late, early] = [3, 12].map((i) => search.tree.root.children[i]?.children[1]?.id as NodeId);
    for (const id of [early, late]) search.strategy.wish(id as NodeId);
    assert.equal(search.strategy.end, undefined);
    assert.deepEqual(worked(search.strategy.ask(2)), [early, late]);
  });

  it('is left where it is not open', () => {
    const search = guided({ size: 'small', concurrency: 2 }, 20, 2);
    search.strategy.wish(search.tree.root.children[0]?.id as NodeId);
    assert.equal(search.strategy.end, 'size');
  });

  it('may be a search that goes further', () => {
    const search = guided({ size: 'small', concurrency: 2 }, 20, 2);
    search.strategy.grow('medium');
    assert.equal(search.strategy.end, undefined);
    assert.equal(worked(search.strategy.ask(2)).length, 2);
  });
});

describe('the plain picker', () => {
  it('is asked before each guided leaf, about all of them, and one after the other', () => {
    const search = guided({ picker: 'one-at-a-time', concurrency: 1 }, 2, 4);
    const order: NodeId[] = [];
    for (let open = 8; open > 0; open--) {
      const moves = search.ask();
      const pick = pickIn(moves);
      assert.deepEqual(worked(moves), []);
      assert.equal(pick?.nodes.length, open);
      const chosen = pick?.nodes.at(-1) as NodeId;
      search.tell(pick as Move, { outcome: 'ranked', ranking: [chosen, ...(pick as Move).nodes] });
      assert.deepEqual(worked(search.ask()), [chosen]);
      order.push(chosen);
      const move = search.expansions()[0] as Move;
      search.tree.update(search.tree.get(chosen) as never, { status: 'leaf', listed: true });
      search.tell(move, { outcome: 'done' });
    }
    assert.equal(new Set(order).size, 8);
  });
});
