import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ReportedCosts } from '../../../../src/core/money/reported-usage.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';

let seq = 0;
function answered(costs: ReportedCosts, prompt: number, cached: number, completion: number, usd?: number): void {
  const call = `c${++seq}`;
  const common = { seq, time: '2026-01-01T00:00:00.000Z', call, node: '', purpose: 'document' };
  costs.apply({ ...common, type: 'call-started', model: 'a/b', attempt: 1, worst: { tokens: 1 } });
  const usage = { prompt, cached, completion, ...(usd === undefined ? {} : { usd }) };
  costs.apply({ ...common, type: 'call-ended', outcome: 'ok', ms: 1, charged: true, usage } satisfies JournalEvent);
}

describe('costs that a server reports', () => {
  it('bound every later request from above, as long as prices do not change', () => {
    const rate = fc.double({ min: 0.01, max: 50, noNaN: true });
    const tokens = fc.integer({ min: 1, max: 20_000 });
    const calls = fc.array(fc.tuple(tokens, fc.double({ min: 0, max: 1, noNaN: true }), tokens), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        rate,
        fc.double({ min: 0, max: 1, noNaN: true }),
        rate,
        calls,
        tokens,
        tokens,
        (p, discount, c, seen, prompt, completion) => {
          const costs = new ReportedCosts();
          for (const [whole, share, answer] of seen) {
            const cached = Math.floor(whole * share);
            answered(costs, whole, cached, answer, (whole - cached) * p + cached * p * discount + answer * c);
          }
          const bound = costs.worstUsd('a/b', prompt, completion) ?? 0;
          assert.ok(bound >= (prompt * p + completion * c) * (1 - 1e-9));
        },
      ),
    );
  });

  it('are bounded by the most expensive answer once prices were seen to change', () => {
    const costs = new ReportedCosts();
    answered(costs, 1000, 0, 1000, 0.01);
    answered(costs, 1000, 0, 1000, 0.01);
    assert.equal(costs.worstUsd('a/b', 1000, 1000), 0.02);
    answered(costs, 1000, 0, 1000, 0.1);
    assert.equal(costs.worstUsd('a/b', 1000, 1000), 0.2);
  });

  it('are unknown for a server that never reported any', () => {
    const costs = new ReportedCosts();
    assert.ok(costs.isUnheard('a/b'));
    answered(costs, 10, 0, 10);
    assert.ok(!costs.isUnheard('a/b'));
    assert.equal(costs.worstUsd('a/b', 10, 10), undefined);
  });
});
