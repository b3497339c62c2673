import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Ledger } from '../../../../src/core/money/ledger.ts';
import type { JournalEvent, SearchEvent, WorstCase } from '../../../../src/core/search/events.ts';
import type { SpendLimits } from '../../../../src/core/search/limits.ts';
import { effort } from '../../../support/effort.ts';

const START = Date.UTC(2026, 0, 1);
const LIMITS = { size: 'medium', maxDepth: 4, guards: {} } as const;

const event = (happening: unknown, seconds = 0): JournalEvent =>
  ({ seq: 1, time: new Date(START + seconds * 1000).toISOString(), ...(happening as SearchEvent) }) as JournalEvent;
const started = (call: string, worst: WorstCase): JournalEvent =>
  event({ type: 'call-started', call, purpose: 'document', node: 'a', model: 'a/b', attempt: 1, worst });
const ended = (call: string, end: object): JournalEvent =>
  event({ type: 'call-ended', call, purpose: 'document', node: 'a', outcome: 'ok', ms: 1, charged: true, ...end });
const begins = (seconds: number): JournalEvent =>
  event({ type: 'search-resumed', model: 'a/b', limits: LIMITS }, seconds);
const pauses = (seconds: number): JournalEvent =>
  event({ type: 'search-paused', reason: 'user', message: '' }, seconds);

function ledgerOf(...events: JournalEvent[]): Ledger {
  const ledger = new Ledger();
  for (const each of events) ledger.apply(each);
  return ledger;
}

const worst = { tokens: 100, usd: 1 };
const usage = { prompt: 10, cached: 5, completion: 3, usd: 0.25 };

describe('the ledger', () => {
  it('books a call at what it used', () => {
    const { spend } = ledgerOf(started('a', worst), ended('a', { usage }));
    assert.deepEqual(spend, {
      calls: 1,
      prompt: 10,
      cached: 5,
      completion: 3,
      worstCase: 0,
      usd: 0.25,
      usdComplete: true,
      minutes: 0,
      booked: { calls: 0, tokens: 0, usd: 0 },
    });
  });

  it('books a call at its worst case if its usage is unknown', () => {
    const { spend } = ledgerOf(started('a', worst), ended('a', { outcome: 'aborted' }));
    assert.deepEqual([spend.calls, spend.worstCase, spend.usd], [1, 100, 1]);
  });

  it('books what arrived where that is more than the worst case', () => {
    const booked = { tokens: 300, usd: 3 };
    const { spend } = ledgerOf(started('a', worst), ended('a', { outcome: 'bad-answer', booked }));
    assert.deepEqual([spend.worstCase, spend.usd, spend.booked], [300, 3, { calls: 1, ...booked }]);
    const less = ledgerOf(started('a', worst), ended('a', { outcome: 'aborted', booked: { tokens: 5 } })).spend;
    assert.deepEqual(less.booked, { calls: 1, ...worst });
  });

  it('keeps apart what was used and what is only booked, and counts both', () => {
    const events = [
      started('a', worst),
      ended('a', { usage }),
      started('b', worst),
      ended('b', { outcome: 'cut-off' }),
      started('c', worst),
    ];
    const ledger = ledgerOf(...events);
    assert.deepEqual([ledger.spend.usd, ledger.spend.booked], [1.25, { calls: 1, tokens: 100, usd: 1 }]);
    assert.deepEqual(ledger.spendAtWorst.booked, { calls: 2, tokens: 200, usd: 2 });
  });

  it('books an answer without a cost at its worst where costs were reported', () => {
    const { usd: _, ...silent } = usage;
    const { spend } = ledgerOf(started('a', worst), ended('a', { usage: silent }));
    assert.deepEqual([spend.usd, spend.usdComplete, spend.booked.usd], [1, true, 1]);
  });

  it('books nothing for an error before the answer', () => {
    const { spend } = ledgerOf(started('a', worst), ended('a', { outcome: 'rate-limited', charged: false }));
    assert.deepEqual([spend.calls, spend.worstCase, spend.usd], [0, 0, 0]);
  });

  it('counts calls that a killed run left open at their worst case, once, even if an end is reported later', () => {
    const ledger = ledgerOf(begins(0), started('a', worst), begins(60), ended('a', { usage }));
    assert.deepEqual([ledger.spend.calls, ledger.spend.worstCase, ledger.underWay], [1, 100, 0]);
  });

  it('counts what such a call really used if a later process takes its answer', () => {
    const late = ended('a', { usage, late: true });
    const ledger = ledgerOf(begins(0), started('a', worst), begins(60), late);
    const { calls, prompt, worstCase, usd, booked } = ledger.spend;
    assert.deepEqual([calls, prompt, worstCase, usd], [1, usage.prompt, 0, usage.usd]);
    assert.deepEqual(booked, { calls: 0, tokens: 0, usd: 0 });
  });

  it('counts it for readers of a dead search as well', () => {
    const ledger = ledgerOf(started('a', worst), started('b', worst));
    assert.equal(ledger.spend.worstCase, 0);
    assert.equal(ledger.spendAtWorst.worstCase, 200);
  });

  it('counts a call whose start is damaged', () => {
    assert.equal(ledgerOf(ended('a', { usage })).spend.prompt, 10);
  });

  it('counts what is remembered beyond the journal', () => {
    const more = event({ type: 'spend-remembered', calls: 2, tokens: 500, usd: 1.5, minutes: 3 });
    const ledger = ledgerOf(started('a', worst), ended('a', { usage }), more);
    assert.deepEqual(ledger.spent, { calls: 3, tokens: 513, usd: 1.75, minutes: 3 });
    assert.equal(ledger.limitInTheWay({ usd: 2 }, { tokens: 1, usd: 0.3 }, START), 'usd');
    assert.equal(ledger.limitInTheWay({ tokens: 513 }, { tokens: 1 }, START), 'tokens');
  });

  it('says when a price is unknown', () => {
    const { spend } = ledgerOf(
      started('a', { tokens: 5 }),
      ended('a', { usage: { prompt: 1, cached: 0, completion: 1 } }),
    );
    assert.equal(spend.usdComplete, false);
  });

  it('counts minutes by the clock from event to event: through a sleep, and past a clock that was set back', () => {
    const progress = (seconds: number): JournalEvent => event({ type: 'progress', text: 'x' }, seconds);
    const slept = ledgerOf(begins(0), progress(60), progress(8 * 3600));
    assert.equal(slept.spend.minutes, 480);
    assert.equal(slept.limitInTheWay({ minutes: 60 }, worst, START + 8 * 3600_000), 'minutes');
    const setBack = ledgerOf(begins(7200), progress(7200 + 600), progress(600), progress(1200));
    assert.equal(setBack.spend.minutes, 20);
    assert.equal(setBack.limitInTheWay({ minutes: 25 }, worst, START + 1500_000), 'minutes');
  });

  it('does not count the time between a kill and whatever happens next', () => {
    const day = 24 * 3600;
    const taken = event({ type: 'lease-taken', epoch: 2, pid: 1, host: 'h' }, 2 * day);
    const noted = event({ type: 'steered', by: 'terminal', action: 'note', message: 'x' }, day);
    const progress = event({ type: 'progress', text: 'x' }, 60);
    assert.equal(ledgerOf(begins(0), progress, noted).spend.minutes, 1);
    assert.equal(ledgerOf(begins(0), progress, noted, taken, begins(2 * day), pauses(2 * day + 60)).spend.minutes, 2);
  });

  it('adds up the minutes a search was at work, to the last event of a run that was killed', () => {
    const ledger = ledgerOf(begins(0), pauses(60), begins(600), event({ type: 'search-running' }, 630), begins(1000));
    assert.equal(ledger.spend.minutes, 1.5);
    assert.equal(ledger.limitInTheWay({ minutes: 2 }, worst, START + 1029_000), undefined);
    assert.equal(ledger.limitInTheWay({ minutes: 2 }, worst, START + 1030_000), 'minutes');
  });

  it('tolerates a clock that goes back, and an invalid time', () => {
    const ledger = ledgerOf(begins(100), pauses(40), begins(200), { ...begins(0), time: 'yesterday' }, pauses(260));
    assert.equal(ledger.spend.minutes, 1);
  });

  for (const [guard, guards, before] of [
    ['calls', { calls: 1 }, [started('a', { tokens: 0 })]],
    ['tokens', { tokens: 150 }, [started('a', worst)]],
    ['tokens', { tokens: 112 }, [started('a', worst), ended('a', { usage })]],
    ['usd', { usd: 1.5 }, [started('a', worst)]],
    ['usd', { usd: 1.5 }, [started('a', worst), ended('a', {})]],
  ] as [string, SpendLimits, JournalEvent[]][])
    it(`has the guard of ${guard} in the way: ${JSON.stringify(guards)}`, () => {
      assert.equal(ledgerOf().limitInTheWay(guards, worst, START), undefined);
      assert.equal(ledgerOf(...before).limitInTheWay(guards, worst, START), guard);
    });

  it('lets a call through that just fits', () => {
    assert.equal(ledgerOf().limitInTheWay({ calls: 1, tokens: 100, usd: 1 }, worst, START), undefined);
    assert.equal(ledgerOf().limitInTheWay({ calls: 0 }, { tokens: 0 }, START), 'calls');
  });
});

/** What becomes of a call: its usage is a part of its worst case. */
type Fate = { kind: 'used' | 'unknown' | 'free' | 'killed'; prompt: number; completion: number; part: number };

const fate: fc.Arbitrary<Fate> = fc.record({
  kind: fc.constantFrom('used', 'used', 'unknown', 'free', 'killed'),
  prompt: fc.nat(1000),
  completion: fc.nat(1000),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('any spend', () => {
  it('is never understated, and never exceeds a guard, at eight slots', () => {
    const guardsOf = fc.record(
      { calls: fc.nat(30), tokens: fc.nat(20_000), usd: fc.double({ min: 0, max: 5, noNaN: true }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.array(fate, { maxLength: 80 }),
        guardsOf,
        fc.infiniteStream(fc.nat(7)),
        (fates, guards, chance) => {
          const ledger = new Ledger();
          const open = new Map<string, Fate>();
          const real = { calls: 0, tokens: 0, usd: 0 };
          const end = (call: string, { kind, prompt, completion, part }: Fate): void => {
            open.delete(call);
            const usd = part * usdOf(prompt + completion);
            const used = {
              prompt: Math.floor(prompt * part),
              cached: 0,
              completion: Math.floor(completion * part),
              usd,
            };
            if (kind !== 'free') real.calls++;
            if (kind !== 'free') real.tokens += used.prompt + used.completion;
            if (kind !== 'free') real.usd += usd;
            if (kind === 'used') ledger.apply(ended(call, { usage: used }));
            else if (kind !== 'killed') ledger.apply(ended(call, { charged: kind === 'unknown' }));
          };
          for (const [i, each] of fates.entries()) {
            const tokens = each.prompt + each.completion;
            const most = { tokens, usd: usdOf(tokens) };
            if (ledger.limitInTheWay(guards, most, START) === undefined) {
              ledger.apply(started(`${i}`, most));
              open.set(`${i}`, each);
            }
            while (open.size >= 8 || (open.size > 0 && chance.next().value < 3)) {
              const [call, how] = [...open][chance.next().value % open.size] as [string, Fate];
              end(call, how);
            }
          }
          assert.ok(ledger.underWay <= fates.length);
          for (const [call, how] of [...open]) end(call, how);
          const { calls, prompt, completion, worstCase, usd } = ledger.spendAtWorst;
          assert.ok(calls >= real.calls && prompt + completion + worstCase >= real.tokens && usd >= real.usd - 1e-9);
          assert.ok(calls <= (guards.calls ?? Number.POSITIVE_INFINITY));
          assert.ok(prompt + completion + worstCase <= (guards.tokens ?? Number.POSITIVE_INFINITY));
          assert.ok(usd <= (guards.usd ?? Number.POSITIVE_INFINITY) + 1e-9);
          ledger.apply(begins(0)); // which ends what was killed
          assert.deepEqual([ledger.underWay, ledger.spend.calls, ledger.spend.worstCase], [0, calls, worstCase]);
        },
      ),
      { numRuns: effort(300) },
    );
  });
});

const usdOf = (tokens: number): number => tokens / 3000;
