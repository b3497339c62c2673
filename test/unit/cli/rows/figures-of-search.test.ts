import assert from 'node:assert/strict';
import { noCall } from '../../../../src/cli/messages.ts';
import { type ShownNode, shownRows } from '../../../../src/cli/rows/node-view.ts';
import { forecastText, leftText } from '../../../../src/cli/rows/texts.ts';
import { renderRow } from '../../../../src/cli/terminal/terminal.ts';
import type { Forecast } from '../../../../src/core/money/forecast.ts';
import { nodeStory } from '../../../../src/engine-parts/transcripts/transcript.ts';
import { PLAIN, sampleTree } from './sample-tree.ts';

const band = (likely: number) => ({ low: likely, likely, high: likely });
const forecast = (calls: number): Forecast => ({
  calls: band(calls),
  tokens: band(900),
  usd: band(2.5),
  minutes: band(0.5),
  seen: { past: 1, own: 0 },
});

const LINKS = [
  { type: 'depends-on', id: 'b', isIncoming: false, other: { path: 'beta', title: 'Beta' } },
  { type: 'like', id: 'lost', isIncoming: false, other: undefined },
  { type: 'tests', id: 'a', isIncoming: true, other: { path: 'gamma', title: 'Gamma' } },
];

describe('figures of a search in a terminal', () => {
  it('count one as one', () => {
    assert.equal(forecastText(forecast(1)), 'Forecast: about 1 call, 900 tokens, $2.50 ($2.50 to $2.50), 30s');
    assert.match(forecastText(forecast(2.4)), /about 2 calls,/);
    assert.equal(noCall({ number: 2, count: 1 }).text, 'There is no call 2: there is 1.');
  });

  it('say the most that a search may use whose end is not known beforehand', () => {
    const atMost = { calls: 50, tokens: 80_000, usd: 4, minutes: 9 };
    const said = forecastText({ ...forecast(9), atMost });
    assert.equal(said, 'Forecast: about 9 calls, 900 tokens, $2.50 ($2.50 to $2.50), at most $4.00, 30s');
    const unpriced = forecastText({ ...forecast(9), usd: undefined, atMost: { ...atMost, usd: undefined } });
    assert.equal(unpriced, 'Forecast: about 9 calls, 900 tokens (at most 80k), price unknown, 30s');
  });

  it('say what is left once, behind their label', () => {
    assert.equal(leftText(forecast(9), false), 'about 30s and $2.50');
  });

  it('come with votes, scores by criterion and links where a node has them', () => {
    const { tree, byTitle } = sampleTree();
    tree.update(byTitle('Alpha'), {
      evaluation: { score: 6, votes: [4, 8], dimension_scores: { progress: 7, correctness: 5.5 } },
      citations: { verified: 2, moved: 0, stale: 1, not_found: 0 },
    });
    const details = {
      path: 'alpha',
      file: undefined,
      document: undefined,
      note: undefined,
      quotations: [],
      links: LINKS,
    };
    const shown = {
      overview: { tree, free: true, receiptOf: () => undefined },
      details: { ...details, story: nodeStory([], 'alpha', false) },
      files: [],
      tables: [],
    } as unknown as ShownNode;
    const lines = shownRows(shown).map((row) => renderRow(row, 200, PLAIN));
    assert.ok(lines.includes('Votes     4 8'), lines.join('\n'));
    assert.ok(lines.includes('Quotations 2 verified, 1 stale'), lines.join('\n'));
    assert.ok(lines.includes('Criteria  progress 7, correctness 5.5'), lines.join('\n'));
    assert.deepEqual(
      lines.filter((line) => line.startsWith('Link')),
      [
        'Link      depends-on: Beta (beta)',
        'Link      like: a node that is gone (lost)',
        'Linked by tests: Gamma (gamma)',
      ],
    );
  });
});
