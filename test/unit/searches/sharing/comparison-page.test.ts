import assert from 'node:assert/strict';
import {
  type ComparedSetups,
  comparisonPage,
  comparisonPicture,
} from '../../../../src/searches/sharing/comparison-page.ts';

const HOSTILE = '<script>window.ran = 1</script>"><img src=x onerror=alert(1)>\u0000';

function compared(name: string): ComparedSetups {
  return {
    title: name,
    tables: [
      { title: 'Set-ups', lines: [['set-up', 'solved'], [name, '3 of 4'], ['b', '1 of 4']] }, // biome-ignore format: a table
      { title: 'Problems', lines: [['problem', name, 'b'], [name, '1 of 1', '0 of 1']] }, // biome-ignore format: a table
    ],
    drawing: {
      title: 'Drawn',
      groups: [
        { title: name, lines: [{ name, text: '3 of 4', value: 0.75 }], scale: [0, 1] },
        {
          title: 'against b',
          lines: [
            { name, text: '+50.0', value: 0.5, interval: [0.1, 0.9] },
            { name: 'c', text: '−10.0', value: -0.1, interval: [-0.5, 0.3] },
          ],
        },
      ],
    },
    notes: [name],
  };
}

describe('a comparison as a page and as a picture', () => {
  it('has tables, drawing and notes, and nothing that is loaded or runs', () => {
    const page = comparisonPage(compared(HOSTILE), 'en');
    assert.deepEqual(
      [...page.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, text]) => text),
      ['Set-ups', 'Drawn', 'Problems'],
    );
    assert.match(page, /default-src 'none'; style-src 'sha256-/);
    assert.doesNotMatch(page.replaceAll(/>[^<]*</g, '><'), /<script|<img|\sonerror=|\ssrc=/);
    assert.match(page, /<footer><p>&lt;script&gt;/);
  });

  it('draws each value where it is on its scale, from 0', () => {
    const picture = comparisonPicture(compared('a'));
    const at = [...picture.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x));
    const zero = [...picture.matchAll(/<path d="M([\d.]+) [\d.]+V/g)].map(([, x]) => Number(x));
    const lines = [...picture.matchAll(/<path d="M([\d.]+) [\d.]+H([\d.]+)"/g)].map(([, from, to]) =>
      [from, to].map(Number),
    );
    const [left = 0, second = 0] = zero;
    const right = left + ((at[0] ?? 0) - left) / 0.75;
    const x = (value: number): number => Math.round(10 * (left + ((value + 0.5) / 1.4) * (right - left))) / 10;
    assert.deepEqual([second, ...at.slice(1)], [x(0), x(0.5), x(-0.1)]);
    assert.deepEqual(lines.slice(1), [
      [x(0.1), x(0.9)],
      [x(-0.5), x(0.3)],
    ]);
  });

  it('has nothing in a picture that XML does not allow', () => {
    const picture = comparisonPicture(compared(HOSTILE));
    assert.doesNotMatch(picture, /<script|<img/);
    assert.ok(!picture.includes('\u0000'));
    assert.equal(picture.match(/<svg /g)?.length, 1);
  });
});
