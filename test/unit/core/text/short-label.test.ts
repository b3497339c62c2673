import assert from 'node:assert/strict';
import { shortLabel } from '../../../../src/core/text/short-label.ts';

const labelOf = (title: string, columns?: number): string => shortLabel(title, columns).label;

describe('a short label', () => {
  it('is the whole title where that fits, without code marks', () => {
    assert.deepEqual(shortLabel('Token bucket'), { label: 'Token bucket', rest: '' });
    assert.equal(labelOf('The `Retry-After` header'), 'The Retry-After header');
    assert.equal(labelOf('x'.repeat(26)), 'x'.repeat(26));
  });

  it('is the symbol that a title begins with, and the rest is known', () => {
    assert.deepEqual(shortLabel('`Mocha#retries`: sets the number of times to retry failed tests'), {
      label: 'Mocha#retries',
      rest: 'sets the number of times to retry failed tests',
    });
    assert.deepEqual(shortLabel('`Limits` (src/core/search/limits.ts, which is long)'), {
      label: 'Limits',
      rest: '(src/core/search/limits.ts, which is long)',
    });
    assert.equal(labelOf('Check: `Search#state`: with isWaiting and `more` (engine/search.ts)'), 'Check: Search#state');
  });

  it('is the name before a colon', () => {
    const { label, rest } = shortLabel('Session management: how tokens expire and are renewed');
    assert.deepEqual([label, rest], ['Session management', 'how tokens expire and are renewed']);
  });

  it('is what comes before brackets, which stay whole', () => {
    const { label, rest } = shortLabel('5 / 6 = 0.8333 (left: 0.8333 4 10)');
    assert.deepEqual([label, rest], ['5 / 6 = 0.8333', '(left: 0.8333 4 10)']);
  });

  it('ends at a word', () => {
    assert.equal(labelOf('How does mocha decide when to retry a failing test?'), 'How does mocha decide…');
    assert.equal(labelOf('Where is the state of a search, and who owns it?'), 'Where is the state of a…');
    assert.equal(labelOf('Use 4, 9, 10 and 13 once each to make 24 with + - * /', 20), 'Use 4, 9, 10 and 13…');
  });

  it('cuts a single word that is too long', () => {
    assert.equal(labelOf('a'.repeat(50)), `${'a'.repeat(25)}…`);
    assert.equal(labelOf(`\`${'veryLong'.repeat(8)}\`: what it does`).length, 26);
    assert.ok(labelOf('👩‍👩‍👧'.repeat(40)).isWellFormed());
  });

  it('counts wide characters twice, and ends at a word without spaces, too', () => {
    const label = labelOf('搜索如何避免花费过多的资金以及在预算用完时会发生什么事情');
    assert.match(label, /^搜索如何.*…$/);
    assert.ok(label.length <= 14, label);
  });

  it('stays one line whatever the title holds', () => {
    for (const title of ['a\nb\u202Ec', '\u0000'.repeat(99), `${' '.repeat(5000)}x`, '`'.repeat(300), ''])
      assert.doesNotMatch(labelOf(title), /[\n\u202e`]|\0/u);
  });
});
