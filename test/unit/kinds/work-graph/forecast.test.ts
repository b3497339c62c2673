import assert from 'node:assert/strict';
import { CallStatistics } from '../../../../src/core/money/call-statistics.ts';
import { ExpectedCalls } from '../../../../src/core/money/expected-calls.ts';
import type { PartsRequest } from '../../../../src/core/money/forecast.ts';
import { workGraphPurposes } from '../../../../src/kinds/work-graph/descriptor.ts';
import { workGraphForecast } from '../../../../src/kinds/work-graph/work-graph.ts';

describe('the forecast of a goal', () => {
  const expected = new ExpectedCalls(new CallStatistics(), new CallStatistics(), workGraphPurposes);
  const request = (more: Partial<PartsRequest> = {}): PartsRequest => ({
    expansions: 60,
    maxDepth: 4,
    options: {},
    hasOpening: false,
    ...more,
  });
  const counted = (given: PartsRequest): Record<string, number> =>
    Object.fromEntries(workGraphForecast.parts(given, expected).map(({ purpose, count }) => [purpose, count]));

  it('counts making the plan only where there is none', () => {
    const before = counted(request());
    assert.ok((before['align'] ?? 0) >= 1 && (before['plan'] ?? 0) >= 1);
    const planned = counted(request({ open: [0, 4] }));
    assert.deepEqual([planned['align'], planned['plan']], [undefined, undefined]);
    assert.equal(planned['work-on'], 16);
  });

  it('is nothing once nothing is left', () => {
    assert.deepEqual(workGraphForecast.parts(request({ open: [0, 0] }), expected), []);
    assert.deepEqual(workGraphForecast.parts(request({ expansions: 0 }), expected), []);
  });

  it('is never more than the most', () => {
    for (const open of [undefined, [0, 1], [0, 40, 100]]) {
      const given = request(open ? { open } : {});
      const most = new Map(workGraphForecast.most?.(given, expected)?.map(({ purpose, count }) => [purpose, count]));
      for (const { purpose, count } of workGraphForecast.parts(given, expected))
        assert.ok(count <= (most.get(purpose) ?? 0), purpose);
    }
  });
});
