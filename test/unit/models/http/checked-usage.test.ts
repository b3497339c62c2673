import assert from 'node:assert/strict';
import type { ServerDoubt } from '../../../../src/core/money/usage-doubt.ts';
import { checkedUsage, type ToldUsage } from '../../../../src/models/http/checked-usage.ts';
import { modelRequest } from '../model-request.ts';

/** 4,000 bytes sent, so at least 500 tokens; at most 2,000 asked for. */
const REQUEST = modelRequest({ system: '', turns: [], prompt: 'word'.repeat(1000), maxOutputTokens: 2000 });

type Row = [
  what: string,
  told: Omit<ToldUsage, 'cached'>,
  received: { text?: number; reasoning?: number },
  completion: number | undefined,
  ...doubts: ServerDoubt[],
];

const ROWS: Row[] = [
  ['an honest server', { prompt: 1000, completion: 400, total: 1400 }, { text: 1600 }, 400],
  ['a server without a total', { prompt: 1000, completion: 400 }, { text: 1600 }, 400],
  ['Chinese text', { prompt: 1000, completion: 600 }, { text: 1800 }, 600],
  ['a short answer of long words', { prompt: 1000, completion: 3 }, { text: 30 }, 3],
  ['an answer that only uses a tool', { prompt: 1000, completion: 20 }, { text: 0 }, 20],
  [
    'reasoning among the tokens',
    { prompt: 1000, completion: 1400, reasoning: 1000, total: 2400 },
    { text: 1600 },
    1400,
  ],
  ['reasoning alone', { prompt: 1000, completion: 2000, reasoning: 2000, total: 3000 }, {}, 2000],
  ['a summary of the reasoning', { prompt: 1000, completion: 900, reasoning: 800 }, { text: 300, reasoning: 900 }, 900],
  ['an answer of many bytes up to its limit', { prompt: 1000, completion: 2000 }, { text: 9600 }, 2000],
  [
    'reasoning left out of the tokens, and in the total',
    { prompt: 1000, completion: 400, reasoning: 1000, total: 2400 },
    { text: 1600 },
    1400,
    'reasoning',
  ],
  ['reasoning in the total alone', { prompt: 1000, completion: 400, total: 2400 }, { text: 1600 }, 1400, 'reasoning'],
  ['more reasoning than tokens', { prompt: 1000, completion: 400, reasoning: 900 }, { text: 1600 }, 1300, 'reasoning'],
  [
    'shown reasoning that is not counted',
    { prompt: 1000, completion: 400 },
    { text: 1600, reasoning: 9000 },
    undefined,
    'reasoning',
  ],
  ['a total below its parts', { prompt: 1000, completion: 400, total: 400 }, { text: 1600 }, 400, 'sums'],
  ['zeros', { prompt: 0, completion: 0, total: 0 }, { text: 1600 }, undefined, 'nothing'],
  ['no prompt', { prompt: 0, completion: 400 }, { text: 1600 }, undefined, 'nothing'],
  ['no answer', { prompt: 1000, completion: 0 }, { text: 1600 }, undefined, 'nothing'],
  ['a quarter of the answer', { prompt: 1000, completion: 100 }, { text: 1600 }, undefined, 'nothing'],
  ['an answer longer than its limit', { prompt: 1000, completion: 3000 }, { text: 12_000 }, 3000, 'length'],
  [
    'an answer longer than its limit that says the limit',
    { prompt: 1000, completion: 2100 },
    { text: 12_600 },
    3150,
    'length',
  ],
];

describe('the usage that a server tells', () => {
  for (const [what, told, { text = 0, reasoning = 0 }, completion, ...doubts] of ROWS)
    it(`of ${what} counts ${completion === undefined ? 'for nothing' : `as ${completion}`}`, () => {
      const latin = (bytes: number) => ({ bytes, characters: bytes });
      const received = { text: latin(text), reasoning: latin(reasoning) };
      const checked = checkedUsage({ cached: 0, ...told }, REQUEST, received);
      assert.deepEqual([checked.usage?.completion, checked.doubts ?? []], [completion, doubts]);
    });

  it('is believed in scripts of several bytes a character', () => {
    const nothing = { bytes: 0, characters: 0 };
    for (const [bytes, characters, completion] of [
      [3000, 1000, 320],
      [4000, 2000, 500],
      [3000, 1000, 600],
    ] as const) {
      const checked = checkedUsage({ prompt: 1000, cached: 0, completion }, REQUEST, {
        text: { bytes, characters },
        reasoning: nothing,
      });
      assert.deepEqual([checked.usage?.completion, checked.doubts], [completion, undefined]);
    }
  });
});
