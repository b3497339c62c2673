import assert from 'node:assert/strict';
import type { FoundQuotations } from '../../../src/core/ports/workspace-text.ts';
import { QuotationFinder } from '../../../src/text/find/find-quotations.ts';
import { indexWorkspace } from '../../../src/text/index/workspace-indexes.ts';
import { makeWorkspace, mochaWorkspace, removeWorkspaces } from '../../support/quotes/quotes-workspace.ts';

const filler = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, row) => `  const ${name}${row} = step(${name}, ${row % 7});`).join('\n');
const QUEUE = `/**
 * Puts a job into the queue.
 * The queue is bounded: see the limit.
 */
export function push(queue, job) {
${filler('before', 40)}
  if (queue.length >= queue.limit) {
    throw new Error('the queue is full');
  }
${filler('after', 40)}
  queue.append(job);
}
`;

describe('the lines that a model is given', () => {
  let finder: QuotationFinder;
  after(removeWorkspaces);
  before(async () => {
    finder = new QuotationFinder(await indexWorkspace(mochaWorkspace()));
  });

  const countOf = ({ quotations }: FoundQuotations): number =>
    quotations.reduce((sum, { lines }) => sum + lines.length, 0);

  it('are those of a long function that decide', async () => {
    const folder = makeWorkspace({ 'src/queue.js': QUEUE, 'src/other.js': 'export const other = 1;\n' });
    const found = new QuotationFinder(await indexWorkspace(folder)).find({
      question: 'What happens when the queue is full, at its limit?',
      titles: [],
      shown: [],
    });
    const text = found.quotations.flatMap(({ lines }) => lines).join('\n');
    assert.ok(text.includes('queue.length >= queue.limit') && text.includes('the queue is full'), text);
    assert.ok(countOf(found) <= 26);
    assert.ok(!text.includes('before12') && !text.includes('after25'), text);
  });

  it('are at most 26, overlap nowhere, and are not shown again', () => {
    const question = 'How does a timeout fail a test, and what happens to the hooks around it?';
    const first = finder.find({ question, titles: [], shown: [] });
    const shown = first.quotations.map(({ path, from, to }) => ({ path, from, to }));
    const second = finder.find({ question, titles: ['What resets a timeout'], shown });
    const seen = new Set<string>();
    for (const found of [first, second]) {
      assert.ok(countOf(found) > 0 && countOf(found) <= 26, String(countOf(found)));
      for (const { path, from, to } of found.quotations)
        for (let row = from; row <= to; row++) {
          assert.ok(!seen.has(`${path}:${row}`), `${path}:${row} again`);
          seen.add(`${path}:${row}`);
        }
    }
  });

  it('neither begin nor end with a comment or a bracket, unless it is a comment that has the words', () => {
    const { quotations } = finder.find({ question: 'How are failed tests retried?', titles: [], shown: [] });
    for (const { lines } of quotations)
      for (const line of [lines[0] ?? '', lines.at(-1) ?? '']) assert.match(line, /[\p{L}\p{N}]/u);
  });

  it('are the same each time', () => {
    const request = { question: 'How are hooks run in parallel mode?', titles: ['The order of hooks'], shown: [] };
    assert.deepEqual(finder.find(request), finder.find(request));
  });
});
