import assert from 'node:assert/strict';
import { kinOf } from '../../../../src/text/words/concept.ts';
import { termOf } from '../../../../src/text/words/terms.ts';

const areKin = (one: string, other: string): boolean => kinOf(one).includes(termOf(other) ?? '');

describe('words of one root', () => {
  it('are known by their endings', () => {
    for (const [one, other] of [
      ['child', 'children'],
      ['children', 'child'],
      ['cancellation', 'cancelled'],
      ['cancellation', 'cancel'],
      ['expiry', 'expired'],
      ['removal', 'removes'],
      ['validation', 'validator'],
      ['iterate', 'iterator'],
      ['reader', 'read'],
      ['woken', 'wakes'],
      ['send', 'sent'],
    ] as const)
      assert.ok(areKin(one, other), `${one}, ${other}: ${kinOf(one).join(' ')}`);
  });

  it('are not just those that begin alike', () => {
    for (const [one, other] of [
      ['important', 'import'],
      ['port', 'portal'],
      ['life', 'lifted'],
      ['fox', 'foxes'],
      ['超时', '超时'],
    ] as const)
      assert.ok(!areKin(one, other), `${one}, ${other}`);
  });
});
