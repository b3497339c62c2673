import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Mark, packMarks, unpackMarks } from '../../../src/text/chunk/marks.ts';
import { effort } from '../../support/effort.ts';

const LENGTH = 5000;
const span = fc.tuple(fc.nat(LENGTH), fc.nat(LENGTH)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
const marks: fc.Arbitrary<Mark[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom('comment' as const, 'function' as const, 'rule' as const),
      span,
      fc.record({ name: span, owner: span, title: span }, { requiredKeys: [] }),
    )
    .map(([kind, place, helpers]) => ({ kind, ...place, ...helpers })),
);

describe('marks as bytes', () => {
  it('are the same marks again', () => {
    fc.assert(
      fc.property(marks, (all) => {
        assert.deepEqual(unpackMarks(packMarks(all), LENGTH), all);
      }),
    );
  });

  it('are refused if they are not of such a text', () => {
    const all: Mark[] = [{ kind: 'member', start: 10, end: 20, name: { start: 12, end: 15 } }];
    assert.deepEqual(unpackMarks(packMarks(all), 20), all);
    assert.throws(() => unpackMarks(packMarks(all), 19), RangeError);
    assert.throws(
      () =>
        unpackMarks(packMarks([{ ...all[0], kind: 'member', start: 10, end: 11, name: { start: 9, end: 30 } }]), 20),
      RangeError,
    );
  });

  it('are refused if they are made to take long', () => {
    const all = Array.from({ length: 1001 }, (): Mark => ({ kind: 'string', start: 0, end: LENGTH }));
    assert.equal(unpackMarks(packMarks(all.slice(1)), LENGTH).length, 1000);
    assert.throws(() => unpackMarks(packMarks(all), LENGTH), RangeError);
  });

  it('are refused if they are far more than their text can have, before all of them are read', () => {
    const none: Mark = { kind: 'comment', start: 0, end: 0 };
    assert.equal(unpackMarks(packMarks(Array(LENGTH / 2).fill(none)), LENGTH).length, LENGTH / 2);
    // The rest are no marks at all, which nobody gets to see.
    const bytes = Buffer.concat([packMarks(Array(LENGTH).fill(none)), Uint8Array.of(0x0f)]);
    assert.throws(() => unpackMarks(bytes, LENGTH), /too many marks/);
  });

  it('are within their text, or refused, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(300), (bytes, length) => {
        let read: Mark[];
        try {
          read = unpackMarks(bytes, length);
        } catch (error) {
          assert.ok(error instanceof RangeError);
          return;
        }
        for (const { start, end } of read.flatMap((mark) => [
          mark,
          mark.name ?? mark,
          mark.owner ?? mark,
          mark.title ?? mark,
        ]))
          assert.ok(start >= 0 && start <= end && end <= length, `${start}-${end}`);
      }),
      { numRuns: effort(1000) },
    );
  });
});
