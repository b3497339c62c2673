import assert from 'node:assert/strict';
import fc from 'fast-check';
import { barsIn, CallAxis, lanesOf, type Stretch, ticksIn } from '../../../src/drawing/call-bars.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const stretch = (start: number, end?: number): Stretch => ({ start: start * SECOND, end: end && end * SECOND });

const someCalls = fc
  .array(fc.tuple(fc.nat(10_000_000), fc.nat(100_000)), { minLength: 1, maxLength: 60 })
  .map((all) => all.map(([start, ms]) => ({ start, end: start + ms })).sort((a, b) => a.start - b.start));

describe('calls as bars', () => {
  it('lie in separate lanes where they are made at once, and in as few as were at once', () => {
    const calls = [stretch(0, 10), stretch(1, 4), stretch(2, 3), stretch(4, 9), stretch(10, 12), stretch(11)];
    assert.deepEqual(lanesOf(calls), [0, 1, 2, 1, 0, 1]);
    assert.deepEqual(lanesOf([stretch(0), stretch(9, 10), stretch(11, 12)]), [0, 1, 1], 'one under way keeps its lane');
    const many = Array.from({ length: 20_000 }, (_, start) => stretch(start));
    assert.deepEqual(
      lanesOf(many),
      many.map((_, lane) => lane),
    );
    fc.assert(
      fc.property(someCalls, (calls) => {
        const lanes = lanesOf(calls);
        const atOnce = calls.map(({ start }) => calls.filter((each) => each.start <= start && each.end >= start - 20));
        assert.ok(Math.max(...lanes) < Math.max(...atOnce.map(({ length }) => length)));
        for (const [a, one] of calls.entries())
          for (const [b, other] of calls.entries())
            assert.ok(b <= a || lanes[a] !== lanes[b] || one.end <= other.start + 20);
      }),
    );
  });

  it('have an axis on which an hour without any call is short, and every place is a time', () => {
    const axis = new CallAxis([stretch(0, 50), stretch(10, 40), stretch(3650, 3700)], 0);
    assert.equal(axis.length, 105 * SECOND);
    assert.deepEqual(axis.pauses, [{ start: 50 * SECOND, at: 50 * SECOND, length: 5 * SECOND, ms: HOUR }]);
    assert.deepEqual(
      [0, 50, 1000, 3650, 3700].map((s) => axis.at(s * SECOND) / SECOND),
      [0, 50, 55, 55, 105],
    );
    assert.deepEqual(
      [0, 50, 55, 100].map((s) => axis.timeAt(s * SECOND) / SECOND),
      [0, 50, 3650, 3695],
    );
    fc.assert(
      fc.property(someCalls, (calls) => {
        const made = new CallAxis(calls, 0);
        for (const { start, end } of calls)
          for (const time of [start, end]) {
            assert.ok(made.at(time) >= 0 && made.at(time) <= made.length + 1e-3);
            assert.ok(Math.abs(made.at(made.timeAt(made.at(time))) - made.at(time)) < 1e-3);
          }
      }),
    );
    const often = new CallAxis(
      Array.from({ length: 1000 }, (_, day) => stretch(86_400 * day, 86_400 * day + 10)),
      0,
    );
    assert.ok(often.length < 16_000 * SECOND, 'most of it are calls, however often it rested');
    for (const rest of [0.9, 9, 11]) {
      const starts = Array.from({ length: 200 }, (_, i) => 60 * i * (1 + rest));
      const { length } = new CallAxis(
        starts.map((start) => stretch(start, start + 60)),
        0,
      );
      assert.ok(length <= 1.51 * 200 * 60 * SECOND, `two thirds of it are calls, however short the rests are: ${rest}`);
    }
    assert.equal(new CallAxis([], 5).at(5), 0);
    assert.equal(new CallAxis([stretch(1)], 3 * SECOND).length, 2 * SECOND, 'it goes on');
  });

  it('are one bar where they are too short, none out of sight, and never more than the pixels hold', () => {
    const xs = [
      [0, 40],
      [50, 51],
      [51.5, 52],
      [60, 60.2],
      [100, 140],
    ] as const;
    const at = (place: number) => xs[place] as readonly [number, number];
    assert.deepEqual(
      barsIn([0, 1, 2, 3, 4], at, [10, 90]).map(({ x, width, calls }) => [x, width, calls]),
      [
        [0, 39, [0]],
        [50, 3, [1, 2]],
        [60, 3, [3]],
      ],
    );
    const many = Array.from({ length: 50_000 }, (_, place) => place);
    const bars = barsIn(many, (place) => [place / 50, (place + 1) / 50], [0, 1000]);
    assert.ok(bars.length < 100, `${bars.length} bars`);
    assert.equal(
      bars.reduce((sum, { calls }) => sum + calls.length, 0),
      50_000,
    );
  });

  it('are labelled at round times, no closer than there is room for', () => {
    assert.deepEqual(
      ticksIn([0, 100 * SECOND], 25 * SECOND),
      [0, 30, 60, 90].map((s) => s * SECOND),
    );
    assert.deepEqual(ticksIn([95 * SECOND, 200 * SECOND], 61 * SECOND), [120 * SECOND]);
  });
});
