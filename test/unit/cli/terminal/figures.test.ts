import assert from 'node:assert/strict';
import { formatSpend } from '../../../../src/cli/terminal/figures.ts';
import { formatDuration, formatTokens, formatUsd } from '../../../../src/core/money/figures.ts';

const spend = { calls: 2, usd: 0.5, usdComplete: true };
const tokens = { prompt: 1000, cached: 250, completion: 500, worstCase: 0 };

describe('figures for people', () => {
  it('are durations', () => {
    const all = [-5, 999, 59_999, 60_000, 125_000, 3_599_999, 3_720_000].map(formatDuration);
    assert.deepEqual(all, ['0s', '0s', '59s', '1m 00s', '2m 05s', '59m 59s', '1h 02m']);
  });

  it('are tokens', () => {
    const all = [0, 999, 1000, 1250, 999_949, 999_950, 1_250_000, 20_000_000].map(formatTokens);
    assert.deepEqual(all, ['0', '999', '1k', '1.3k', '999.9k', '1M', '1.25M', '20M']);
  });

  it('are money', () => {
    assert.deepEqual([0, 0.00123, 0.5, 12.345].map(formatUsd), ['$0.00', '$0.0012', '$0.50', '$12.35']);
  });

  it('are a spend, which never hides what is unknown', () => {
    assert.equal(formatSpend({ ...spend, tokens }, false), '2 calls · 1.5k tokens (25% cached) · $0.50');
    const unknown = { ...spend, usd: 0, usdComplete: false };
    assert.match(formatSpend({ ...unknown, tokens }, false), / · price unknown$/);
    assert.match(formatSpend({ ...unknown, usd: 0.2, tokens }, false), / · at least \$0\.20, price partly unknown$/);
    assert.match(
      formatSpend({ ...spend, tokens: { ...tokens, worstCase: 2000 } }, false),
      /^2 calls · 3\.5k tokens \(25% cached\) · \$0\.50 · 2k at worst$/,
    );
    const booked = { calls: 3, tokens: 2000, usd: 0.2 };
    assert.equal(
      formatSpend({ ...spend, tokens: { ...tokens, worstCase: 2000 }, booked }, false),
      '2 calls · 1.5k tokens (25% cached) · $0.30 · up to 2k tokens, $0.20 more for 3 calls cut off or not told',
    );
    assert.match(
      formatSpend({ ...spend, tokens: { ...tokens, worstCase: 2000 }, booked: { ...booked, calls: 0, usd: 0 } }, false),
      / · up to 2k tokens more for calls that were made twice, or are not in this journal$/,
    );
    const nothing = { prompt: 0, cached: 0, completion: 0, worstCase: 0 };
    assert.equal(formatSpend({ calls: 1, usd: 0, usdComplete: true, tokens: nothing }, true), '1 call, free');
  });
});
