import assert from 'node:assert/strict';
import type { Slots } from '../../../../src/engine/search-parts.ts';
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
