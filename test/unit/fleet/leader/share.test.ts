import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shareOf } from '../../../../src/fleet/leader/served.ts';
import type { LeaderRegistration } from '../../../../src/fleet/protocol.ts';

function card(id: string, underWay: number, share?: number): LeaderRegistration {
  const more = share === undefined ? {} : { share };
  return { kind: 'leader', protocol: 1, id, title: id, models: [], underWay, ...more };
}

/** What each of them takes for its share, all seeing the same cards. */
function shares(slots: number, registrations: readonly LeaderRegistration[]): number[] {
  const others = (own: LeaderRegistration): LeaderRegistration[] => registrations.filter((each) => each !== own);
  return registrations.map((each) => shareOf(slots, each.id, others(each)));
}

describe('the share of a search in the slots of a fleet', () => {
  it('is all of them where it is alone, and one where there is none', () => {
    assert.equal(shareOf(12, 'a', []), 12);
    assert.equal(shareOf(0, 'a', []), 1);
  });

  it('is an equal part where all want more, and somebody has what is left over', () => {
    assert.deepEqual(shares(10, [card('a', 5, 5), card('b', 9, 4), card('c', 3)]), [4, 3, 3]);
    assert.deepEqual(shares(2, [card('a', 1, 1), card('b', 1, 1), card('c', 1, 1)]), [1, 1, 1]);
  });

  it('is also what others leave', () => {
    assert.equal(shareOf(10, 'a', [card('b', 2, 5)]), 8);
    assert.equal(shareOf(10, 'a', [card('b', 0, 5), card('c', 1, 5)]), 9);
    assert.equal(shareOf(12, 'a', [card('b', 2, 6), card('c', 6, 6)]), 5);
    assert.equal(shareOf(10, 'b', [card('a', 10, 10)]), 5, 'whoever asks for little may ask for its part at any time');
  });

  it('leaves no slot idle and gives none twice, however many want more', () => {
    const all = fc.record({
      slots: fc.integer({ min: 1, max: 200 }),
      modest: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 5 }),
      greedy: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(all, ({ slots, modest, greedy }) => {
        const asking = Array.from({ length: greedy }, (_, n) => card(`g${n}`, slots, 1));
        const others = modest.map((underWay, n) => card(`m${n}`, underWay, underWay + 1));
        const found = asking.map((own) =>
          shareOf(slots, own.id, [...asking.filter((each) => each !== own), ...others]),
        );
        const sum = found.reduce((total, share) => total + share, 0);
        const used = others.reduce((total, { underWay }) => total + Math.min(underWay, slots), 0);
        // Where the modest ones have all, each of the others still asks for one.
        assert.ok(sum >= Math.max(greedy, slots - used), `${sum} of ${slots}`);
        assert.ok(sum <= Math.max(greedy, slots), `${sum} of ${slots}`);
        assert.ok(Math.max(...found) - Math.min(...found) <= 1);
      }),
    );
  });
});
