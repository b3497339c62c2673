import assert from 'node:assert/strict';
import { simulatedModel } from '../../../support/models/simulated-model.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

const tree = { fanout: (_path: string, depth: number) => [6, 4, 3][depth] ?? 0 };

describe('a model that judges', () => {
  it('is asked to pick, at its own price and under its own name; the other one writes', async () => {
    const clock = new VirtualClock();
    const scripted = scriptedTree(tree);
    const model = simulatedModel({ tree: scripted, clock, price: { prompt: 3, cached: 3, completion: 15 } });
    const judge = {
      ...simulatedModel({ tree: scripted, clock, price: { prompt: 1, cached: 1, completion: 2 } }),
      name: 'simulated/judge',
    };
    const { search, events } = await simulate({ tree, search: { model, judge, clock, limits: { size: 'medium' } } });
    const { results } = await clock.run(search.run());
    assert.ok(judge.log.length > 0);
    assert.deepEqual([...new Set(judge.log.map(({ purpose }) => purpose))], ['pick']);
    assert.ok(model.log.every(({ purpose }) => purpose !== 'pick'));
    const cost = (log: typeof model.log, prompt: number, completion: number): number =>
      log.reduce((sum, call) => sum + (call.prompt * prompt + call.completion * completion) / 1e6, 0);
    assert.ok(Math.abs(results.usd - cost(model.log, 3, 15) - cost(judge.log, 1, 2)) < 1e-9);
    for (const event of events)
      if (event.type === 'call-started')
        assert.equal(event.model, event.purpose === 'pick' ? 'simulated/judge' : 'simulated/tree');
    const begun = events.find(({ type }) => type === 'search-started');
    assert.ok(begun?.type === 'search-started' && begun.judge === 'simulated/judge');
  });

  it('that costs money brings the limits of money with it, whatever writes', async () => {
    const clock = new VirtualClock();
    const model = simulatedModel({ tree: scriptedTree(tree), clock, free: true });
    const judge = { ...simulatedModel({ tree: scriptedTree(tree), clock }), name: 'simulated/judge' };
    const { search } = await simulate({ tree, search: { model, judge, clock } });
    assert.equal(search.limits.guards.usd, 5);
  });
});
