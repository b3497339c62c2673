import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CallStatistics } from '../../../../src/core/money/call-statistics.ts';
import {
  type Band,
  type Forecast,
  type ForecastRequest,
  forecast,
  withSpend,
} from '../../../../src/core/money/forecast.ts';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { researchForecast } from '../../../../src/kinds/research/forecast.ts';
import { thoughtForecast } from '../../../../src/kinds/thoughts/forecast.ts';

const price = { prompt: 3, cached: 0.3, completion: 15 };
const request: ForecastRequest = {
  kind: researchForecast,
  options: {},
  expansions: 20,
  maxDepth: 4,
  concurrency: 4,
  priceFor: () => price,
  hasOpening: true,
  past: new CallStatistics(),
};

function bandsOf({ calls, tokens, usd, minutes }: Forecast): Band[] {
  return [calls, tokens, minutes, ...(usd ? [usd] : [])];
}

let seq = 0;
function answered(purpose: string, node: string, prompt: number, completion: number): JournalEvent {
  const call = { seq: ++seq, time: '2026-01-01T00:00:00.000Z', type: 'call-ended' as const, call: `c${seq}` };
  return { ...call, purpose, node, outcome: 'ok', ms: 1000, charged: true, usage: { prompt, cached: 0, completion } };
}

describe('a forecast', () => {
  it('is in order, finite and three times wide at most, or four where nothing was seen before', () => {
    const nodes = fc.constantFrom('', 'a', 'a/b', 'a/b/c');
    const purposes = fc.constantFrom('document', 'children', 'pick', 'synthesize', 'generate', 'write-draft');
    const tokens = fc.integer({ min: 0, max: 1_000_000 });
    const event = fc.tuple(purposes, nodes, tokens, tokens).map((parts) => answered(...parts));
    const shape = fc.record({
      kind: fc.constantFrom(researchForecast, thoughtForecast),
      strategy: fc.constantFrom(undefined, 'drafts'),
      expansions: fc.constantFrom(0, 1, 20, 200, Number.POSITIVE_INFINITY),
      maxDepth: fc.integer({ min: 1, max: 64 }),
      concurrency: fc.integer({ min: 1, max: 256 }),
      open: fc.option(fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 6 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        shape,
        fc.array(event, { maxLength: 40 }),
        fc.array(event, { maxLength: 10 }),
        (parts, before, now) => {
          const [past, own] = [new CallStatistics(), new CallStatistics()];
          for (const each of before) past.apply(each);
          for (const each of now) own.apply(each);
          for (const { low, likely, high } of bandsOf(forecast({ ...request, ...parts, past, own }))) {
            assert.ok(Number.isFinite(high) && 0 <= low && low <= likely && likely <= high, `${low} ${likely} ${high}`);
            assert.ok(high <= (before.length > 0 ? 3 : 4) * low + 1e-6);
          }
        },
      ),
    );
  });

  it('has room at most for comparing whole solutions, which a model may ask for in any preset', () => {
    const most = (options: object): number =>
      forecast({ ...request, kind: thoughtForecast, options, expansions: 4, maxDepth: 3 }).atMost?.calls ?? 0;
    const [planned, ...others] = ['planning', 'debugging', undefined].map((preset) =>
      most({ strategy: 'depth-first', candidates: 3, ...(preset && { preset }) }),
    );
    assert.deepEqual(others, [planned, planned]);
  });

  it('counts each draft as written and read, and shrinks by what was made', () => {
    const drafts = (made: number, more: object = {}): Forecast => {
      const own = new CallStatistics();
      for (let nth = 0; nth < made; nth++) {
        own.apply(answered('write-draft', `node_${nth}`, 3000, 3600));
        own.apply(answered('read-draft', `node_${nth}`, 4000, 1200));
      }
      const expansions = 20 - Math.max(0, made - 2);
      return forecast({ ...request, kind: thoughtForecast, strategy: 'drafts', expansions, own, ...more });
    };
    // Three first ones and two more, each read; two comparisons, and the last version.
    assert.equal(Math.round(drafts(0).calls.likely), 13);
    assert.equal(Math.round(drafts(4).calls.likely), 2 + 2 + 1);
    assert.equal(Math.round(drafts(5).calls.likely), 2 + 1);
    assert.equal(Math.round(drafts(0, { options: { repairs: 0, candidates: 2 } }).calls.likely), 10);
    const { usd } = drafts(0);
    assert.ok(usd && usd.likely > 0.5 && usd.likely < 0.9, `${usd?.likely}`);
  });

  it('does not mention money if a price is unknown, and free models cost nothing', () => {
    assert.equal(forecast({ ...request, priceFor: () => undefined }).usd, undefined);
    assert.equal(forecast({ ...request, priceFor: () => 'free' }).usd?.high, 0);
  });

  it('uses reported costs if there is no price', () => {
    const own = new CallStatistics();
    for (const purpose of ['document', 'children', 'pick', 'synthesize']) {
      const event = answered(purpose, purpose === 'pick' || purpose === 'synthesize' ? '' : 'a', 900, 100);
      if (event.type === 'call-ended' && event.usage) own.apply({ ...event, usage: { ...event.usage, usd: 0.01 } });
    }
    const { usd, tokens } = forecast({ ...request, priceFor: () => undefined, own });
    assert.ok(usd && Math.abs(usd.likely - tokens.likely * 0.00001) < 1e-6);
  });

  it('of the whole is never below what is spent, and follows it while a search runs', () => {
    const spend = {
      calls: 7,
      prompt: 5000,
      cached: 0,
      completion: 900,
      worstCase: 100,
      usd: 0.5,
      usdComplete: true,
      minutes: 3,
      booked: { calls: 1, tokens: 100, usd: 0 },
    };
    const left = forecast({ ...request, open: [0, 3, 2] });
    const whole = withSpend(left, spend);
    assert.ok(whole.calls.low >= 7 && whole.tokens.low >= 6000 && whole.minutes.low >= 3);
    assert.ok(whole.usd && left.usd && Math.abs(whole.usd.likely - left.usd.likely - 0.5) < 1e-9);
    const done = withSpend(forecast({ ...request, expansions: 0, hasOpening: false, open: [0, 0, 0] }), spend);
    assert.deepEqual(done.calls, { low: 7, likely: 7, high: 7 });
  });

  it('learns from this search faster than from earlier ones', () => {
    const [past, later, own] = [new CallStatistics(), new CallStatistics(), new CallStatistics()];
    for (let n = 0; n < 60; n++) for (const each of [past, later]) each.apply(answered('document', 'a', 500, 100));
    for (let n = 0; n < 10; n++) for (const each of [later, own]) each.apply(answered('document', 'a', 500, 2000));
    const tokens = (before: CallStatistics, here?: CallStatistics): number =>
      forecast({ ...request, past: before, own: here }).tokens.likely;
    assert.ok(tokens(past) < tokens(later) && tokens(later) < tokens(past, own));
  });
});
