import assert from 'node:assert/strict';
import { sixteenSlots, slots } from '../../bench/engine/slots.ts';
import { type Figure, reaches } from '../../bench/harness/figure.ts';
import { EFFORT } from '../support/effort.ts';

/** Of the wide tree, where documents, which have to be sent once each, are a larger part; bench/README.md says more. */
const WIDE_PREFIX_SHARE = 84;

describe('the benchmark of the tree of 900 nodes, in virtual time', () => {
  let figures: Figure[] = [];
  before(async () => {
    figures = EFFORT < 10 ? await sixteenSlots() : await slots({ quick: true, say: () => undefined });
  });

  const figureOf = (what: string): Figure => {
    const found = figures.find((figure) => figure.what.startsWith(what));
    assert.ok(found, `there is no figure "${what}"`);
    return found;
  };

  const targets = [
    'time over (work ÷ slots), 16 slots',
    "picker's share of prompt tokens",
    'prompt tokens of the tree',
    'prefix sent before, of prompt bytes',
    'nodes worked on',
  ];
  const more = [
    'time over (work ÷ slots), 4 slots',
    'time over (work ÷ slots), 64 slots',
    'prompt tokens over the plain form',
  ];
  for (const what of EFFORT < 10 ? targets : [...targets, ...more])
    it(`reaches its target: ${what}`, () => {
      const figure = figureOf(what);
      assert.equal(reaches(figure), true, `${figure.value} ${figure.unit}`);
    });

  if (EFFORT >= 10)
    it('sends most of a prompt unchanged, even in a wide tree', () => {
      const { value } = figureOf('prefix sent before, the wide tree');
      assert.ok(value >= WIDE_PREFIX_SHARE, `${value} %`);
    });
});
