import assert from 'node:assert/strict';
import { Ledger } from '../../../../src/core/money/ledger.ts';
import type { Model } from '../../../../src/core/ports/model.ts';
import { FirstCalls } from '../../../../src/engine/patience.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';

const model: Model = {
  name: 'a/b',
  label: 'b',
  free: false,
  metered: true,
  generate: () => Promise.reject(new Error('is not asked')),
};
const worst = { tokens: 1000, usd: 0.01 };
const tree = { fanout: (_path: string, depth: number) => [12, 3][depth] ?? 0 };

describe('the first calls for a purpose', () => {
  const now = 0;
  const mustWait = (first: FirstCalls, purpose: string, tokens: number): boolean =>
    first.mustWait(new Ledger(), { tokens }, { model, purpose, worst, now });

  it('run together as far as eight times their worst case fits under the limits', () => {
    const first = new FirstCalls();
    assert.equal(mustWait(first, 'document', 1000), false, 'one may always be made');
    first.begin('1', model, 'document', worst);
    // The ledger counts what is under way once.
    assert.equal(mustWait(first, 'document', 14_999), true);
    assert.equal(mustWait(first, 'document', 15_000), false);
    assert.equal(mustWait(first, 'pick', 14_999), true, 'another purpose of the same server is as unknown');
  });

  it('are over once an answer was checked, for its purpose alone', () => {
    const first = new FirstCalls();
    first.begin('1', model, 'document', worst);
    first.end('1', model, 'document', false);
    first.begin('2', model, 'document', worst);
    assert.equal(mustWait(first, 'document', 2000), true, 'a call that failed showed nothing');
    first.end('2', model, 'document', true);
    first.begin('3', model, 'document', worst);
    assert.equal(mustWait(first, 'document', 2000), false);
    first.begin('4', model, 'pick', worst);
    assert.equal(mustWait(first, 'pick', 2000), true);
  });

  it('hold a search back for one answer only', async () => {
    const begun: number[] = [];
    const latencyMs = ({ purpose }: { purpose: string }): number => (purpose === 'document' ? 1000 : 0);
    const { search, run, clock } = await simulate({
      tree,
      model: { metered: true, latencyMs },
      search: { concurrency: 8, limits: { size: 'all', guards: { tokens: 200_000 } } },
    });
    search.listen((event) => {
      if (event.type === 'call-started' && event.purpose === 'document') begun.push(clock.now());
    });
    await run();
    const times = [...new Set(begun)].sort((a, b) => a - b);
    const at = (n: number): number => begun.filter((each) => each === times[n]).length;
    assert.ok(at(0) < 8, `${at(0)} began together`);
    assert.equal(at(1), 8, 'all slots are used once an answer was checked');
  });
});
