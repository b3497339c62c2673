import assert from 'node:assert/strict';
import type { Results } from '../../../../src/core/search/events.ts';
import { moneyLine } from '../../../../src/engine-parts/report/report-lines.ts';

const results: Results = {
  ...{ expanded: 0, leaves: 0, skipped: 0, failed: 0, pruned: 0, open: 0, minutes: 0 },
  calls: 4,
  tokens: { prompt: 100, cached: 0, completion: 100, worstCase: 0 },
  usd: 1.5,
  usdComplete: true,
};

describe('what a report says of money', () => {
  it('lists what is only booked separately', () => {
    const of = (fields: Partial<Results>, isFree = false): string => moneyLine({ ...results, ...fields }, isFree).text;
    assert.equal(of({}), 'Money: $1.50');
    assert.equal(of({ booked: { calls: 0, tokens: 0, usd: 0 } }), 'Money: $1.50');
    assert.equal(
      of({ booked: { calls: 2, tokens: 9000, usd: 1 } }),
      'Money: $0.50, and up to $1.00 for calls that were stopped or failed without a reported usage',
    );
    assert.match(
      of({ usdComplete: false, booked: { calls: 2, tokens: 9, usd: 1 } }),
      /^Money: at least \$0\.50; .*, and up to \$1\.00 /,
    );
  });
});
