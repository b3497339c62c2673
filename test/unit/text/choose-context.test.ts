import assert from 'node:assert/strict';
import { countTokens, type WorkspaceQuotation } from '../../../src/core/ports/workspace-text.ts';
import { contextSection } from '../../../src/engine-parts/citations/workspace-context.ts';
import { QuotationFinder } from '../../../src/text/find/find-quotations.ts';
import { researcher } from '../../../src/text/find/research.ts';
import { firstLevel } from '../../../src/text/find/topics.ts';
import { indexWorkspace } from '../../../src/text/index/workspace-indexes.ts';
import { makeWorkspace, mochaWorkspace, removeWorkspaces } from '../../support/quotes/quotes-workspace.ts';

const filler = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, row) => `  const ${name}${row} = step(${name}, ${row % 7});`).join('\n');
const queue = (lines: number): string => `/**
 * Puts a job into the queue.
 * The queue is bounded: see the limit.
 */
export function push(queue, job) {
${filler('before', lines)}
  if (queue.length >= queue.limit) {
    throw new Error('the queue is full');
  }
${filler('after', lines)}
  queue.append(job);
}
`;

describe('the lines that a model is given', () => {
  let finder: QuotationFinder;
  after(removeWorkspaces);
  before(async () => {
    finder = new QuotationFinder(await indexWorkspace(mochaWorkspace()));
  });

  const tokensOf = (quotations: readonly WorkspaceQuotation[]): number =>
    countTokens(contextSection(quotations, 100_000));

  it('are a definition from its signature to its end', async () => {
    const folder = makeWorkspace({ 'src/queue.js': queue(6) });
    const [found] = new QuotationFinder(await indexWorkspace(folder)).find({
      question: 'What happens when the queue is full, at its limit?',
      titles: ['A full queue', 'What is thrown'],
      shown: [],
    });
    assert.equal(found?.lines[0], 'export function push(queue, job) {');
    assert.equal(found?.lines.at(-1), '}');
  });

  it('are those of a long function that decide, with its signature', async () => {
    const folder = makeWorkspace({ 'src/queue.js': queue(40), 'src/other.js': 'export const other = 1;\n' });
    const found = new QuotationFinder(await indexWorkspace(folder)).find({
      question: 'What happens when the queue is full, at its limit?',
      titles: [],
      shown: [],
    });
    const text = found.flatMap(({ lines }) => lines).join('\n');
    assert.ok(text.includes('queue.length >= queue.limit') && text.includes('the queue is full'), text);
    assert.ok(text.includes('function push(queue, job)'), text);
    assert.ok(!text.includes('before12') && !text.includes('after25'), text);
  });

  it('come in the order in which the researcher without a model finds them', async () => {
    const workspace = mochaWorkspace();
    const index = await indexWorkspace(workspace);
    for (const question of ['How are failed tests retried?', 'How are hooks run in parallel mode?']) {
      const found = firstLevel(index, researcher(index)(question)).map(({ passage }) => passage.file.path);
      const quoted = [...new Set(finder.find({ question, titles: [], shown: [] }).map(({ path }) => path))];
      assert.deepEqual(quoted.slice(0, 3), [...new Set(found)].slice(0, 3));
    }
  });

  it('are at most 1,200 tokens on the first level and 400 below, overlap nowhere, and are not shown again', () => {
    const question = 'How does a timeout fail a test, and what happens to the hooks around it?';
    const seen = new Set<string>();
    const shown: WorkspaceQuotation[] = [];
    const titles: string[] = [];
    for (const [least, most, title] of [
      [900, 1300, 'What resets a timeout'],
      [150, 500, 'What a hook waits for'],
    ] as const) {
      titles.push(title);
      const found = finder.find({ question, titles, shown });
      const tokens = tokensOf(found);
      assert.ok(tokens > least && tokens < most, String(tokens));
      for (const { path, from, to } of found)
        for (let row = from; row <= to; row++) {
          assert.ok(!seen.has(`${path}:${row}`), `${path}:${row} again`);
          seen.add(`${path}:${row}`);
        }
      shown.push(...found);
    }
  });

  it('are the same each time', () => {
    const request = { question: 'How are hooks run in parallel mode?', titles: ['The order of hooks'], shown: [] };
    assert.deepEqual(finder.find(request), finder.find(request));
  });
});
