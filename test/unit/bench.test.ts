import assert from 'node:assert/strict';
import { slots } from '../../bench/engine/slots.ts';
import { type Figure, reaches } from '../../bench/harness/figure.ts';

/** Of the wide tree, where documents, which have to be sent once each, are a larger part; bench/README.md says more. */
const WIDE_PREFIX_SHARE = 84;

describe('the benchmark of the tree of 900 nodes, in virtual time', () => {
  let figures: Figure[] = [];
  before(async function () {
    this.timeout(120_000);
    figures = await slots({ quick: true, say: () => undefined });
  });

  const figureOf = (what: string): Figure => {
    const found = figures.find((figure) => figure.what.startsWith(what));
    assert.ok(found, `there is no figure "${what}"`);
    return found;
  };

  for (const what of [
    'time over (work ÷ slots), 4 slots',
    'time over (work ÷ slots), 16 slots',
    'time over (work ÷ slots), 64 slots',
    "picker's share of prompt tokens",
    'prompt tokens of the tree',
    'prompt tokens over the plain form',
    'prefix sent before, of prompt bytes',
    'nodes worked on',
  ])
    it(`reaches its target: ${what}`, () => {
      const figure = figureOf(what);
      assert.equal(reaches(figure), true, `${figure.value} ${figure.unit}`);
    });

  it('sends most of a prompt unchanged, even in a wide tree', () => {
    const { value } = figureOf('prefix sent before, the wide tree');
    assert.ok(value >= WIDE_PREFIX_SHARE, `${value} %`);
  });
});
