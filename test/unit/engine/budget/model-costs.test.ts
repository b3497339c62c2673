import assert from 'node:assert/strict';
import type { Model, ModelRequest } from '../../../../src/core/ports/model.ts';
import { History } from '../../../../src/engine/history.ts';
import { ModelCosts } from '../../../../src/engine/limits.ts';
import { createMemoryStore } from '../../../support/memory-store.ts';
import { QUESTION } from '../../../support/searches/simulated-search.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

const request: ModelRequest = {
  ...{ purpose: 'document', node: 'a', system: '', turns: [], prompt: 'Write.' },
  ...{ data: { question: '' }, maxOutputTokens: 100 },
};
const price = { prompt: 1, cached: 0.1, completion: 10 };
const usage = { prompt: 1000, cached: 0, completion: 100 };
/** By the price. */
const USD = 0.002;

const modelOf = (more: Partial<Model>): Model => ({
  ...{ name: 'a/b', label: 'B', free: false },
  generate: async () => ({ text: '', finish: 'stop' }),
  ...more,
});

function costs(): { costs: ModelCosts; history: History } {
  const history = new History(createMemoryStore(QUESTION), new VirtualClock(), () => undefined);
  return { costs: new ModelCosts(history), history };
}

describe('what calls cost', () => {
  it('is nothing with a free model, and not known without a price', () => {
    const free = modelOf({ free: true });
    const { costs: known } = costs();
    assert.deepEqual([known.worst(request, free), known.priced(usage, free).usd], [{ tokens: 0, usd: 0 }, 0]);
    assert.equal(known.isUnknown(free), false);
    const unpriced = modelOf({});
    assert.deepEqual([known.worst(request, unpriced).usd, known.priced(usage, unpriced).usd], [undefined, undefined]);
    assert.equal(known.isUnknown(unpriced), true);
  });

  it('is by the price, or what the server says where that is more; a lower one is doubted, beyond rounding', () => {
    const { costs: known, history } = costs();
    const model = modelOf({ price });
    const doubted = (): boolean => history.past.doubted.isKnown(model.name, 'cost');
    assert.equal(known.priced(usage, model).usd, USD);
    assert.equal(known.priced({ ...usage, usd: 2 * USD }, model).usd, 2 * USD);
    assert.equal(known.priced({ ...usage, usd: 0.995 * USD }, model).usd, USD);
    assert.equal(doubted(), false);
    assert.equal(known.priced({ ...usage, usd: 0.9 * USD }, model).usd, USD);
    assert.equal(doubted(), true);
  });

  it('may be as much more than the price, from then on, as it was before', () => {
    const { costs: known } = costs();
    const model = modelOf({ price });
    const { usd = 0, tokens } = known.worst(request, model);
    known.priced({ ...usage, usd: 3 * USD }, model);
    known.priced({ ...usage, usd: 2 * USD }, model);
    const after = known.worst(request, model);
    assert.ok(Math.abs((after.usd ?? 0) - 3 * usd) < 1e-12, `${after.usd} of ${usd}`);
    assert.equal(after.tokens, tokens);
  });

  it('is more than its worst case only where more arrived than was asked for', () => {
    const { costs: known } = costs();
    const model = modelOf({ price });
    assert.equal(known.arrived(request, model, 100), undefined);
    const arrived = known.arrived(request, model, 100_000);
    assert.ok(arrived && arrived.tokens > known.worst(request, model).tokens);
    assert.equal(known.arrived(request, modelOf({ free: true }), 100_000), undefined);
  });
});
