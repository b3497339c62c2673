import assert from 'node:assert/strict';
import type { Slots } from '../../../../src/engine/context.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';

const latencyMs = ({ node }: { node: string }) => 500 + (node.length % 5) * 100;

function slotsOf(count: number): Slots & { taken: number } {
  return {
    ...{ count, areAllTaken: true, onChange: () => undefined, taken: 0 },
    takeBack() {
      this.taken++;
    },
  };
}

describe('a search whose slots are elsewhere', () => {
  for (const [count, concurrency, fanout] of [
    [1, 4, [4, 3]],
    [2, 4, [6, 4, 3]],
    [140, 140, [60, 5]],
  ] as const)
    it(`has at most ${count} calls under way, picks among them, and ends`, async () => {
      const simulation = await simulate({
        tree: { fanout: (_path, depth) => fanout[depth] ?? 0 },
        model: { latencyMs },
        search: { limits: { size: 'all' }, concurrency, slots: slotsOf(count) },
      });
      const outcome = await simulation.run();
      assert.deepEqual([outcome.state, outcome.results.open], ['finished', 0]);
      assert.ok(simulation.model.log.some(({ purpose }) => purpose === 'pick'));
      assert.equal(simulation.model.peak.all, count);
    });

  it('plans for the slots that there are, also where they come after its beginning', async () => {
    let grown = (): void => undefined;
    const onChange = (listener: () => void): void => {
      grown = listener;
    };
    const slots = { ...slotsOf(1), count: 1, onChange };
    const simulation = await simulate({
      tree: { fanout: (_path, depth) => [60, 9, 4][depth] ?? 0 },
      model: { latencyMs },
      search: { limits: { size: 'all' }, concurrency: 4, slots },
    });
    const longest: number[] = [];
    simulation.search.listen((event) => {
      if (event.type === 'picked') longest.push(event.ranking.length);
      if (event.type !== 'node-added' || slots.count > 1) return;
      assert.equal(simulation.search.concurrency, 4);
      slots.count = 140;
      grown();
      assert.equal(simulation.search.concurrency, 140);
    });
    await simulation.run();
    // Of four slots, a ranking has 64 names at most.
    assert.ok(Math.max(...longest) > 64, `${longest}`);
  });

  it('has calls taken back that nobody has begun when it is to pause in order, not when it stops at once', async () => {
    for (const now of [false, true]) {
      const slots = slotsOf(2);
      const simulation = await simulate({ model: { latencyMs }, search: { limits: { size: 'all' }, slots } });
      simulation.search.listen(({ type }) => type === 'node-added' && simulation.search.pause(now));
      assert.equal((await simulation.run()).state, 'paused');
      assert.equal(slots.taken > 0, !now);
    }
  });
});
