import assert from 'node:assert/strict';
import { simulate } from '../../../support/searches/simulated-search.ts';
import { heldText } from './held-text.ts';

const FILES = { 'src/queue.ts': 'export class Queue {\n  push(job: Job): void {}\n}\n' };
const quoting = (place: string, words: string): string => `[${place}](x)\n\n\`\`\`ts\n${words}\n\`\`\``;

async function reportOf(...quotations: string[]): Promise<string> {
  return reportWith(undefined, ...quotations);
}

/** @param opening what the model answers for the report */
async function reportWith(opening: string | undefined, ...quotations: string[]): Promise<string> {
  const document = `---\ntitle: A\nsummary: It pushes.\n---\n# A\n\nIt pushes.\n\n${quotations.join('\n\n')}\n`;
  const { run, store } = await simulate({
    tree: { fanout: (_path, depth) => (depth === 0 ? 1 : 0) },
    model: {
      instead: ({ purpose }) => (purpose === 'document' ? document : purpose === 'synthesize' ? opening : undefined),
    },
    search: { workspaceText: heldText(FILES), limits: { size: 'all', maxDepth: 1 } },
  });
  await run();
  return (await store.readReport()) ?? '';
}

describe('quotations in the report', () => {
  it('are counted below the sources, and those that do not hold are named with their documents', async () => {
    const report = await reportOf(
      quoting('src/queue.ts:1', 'export class Queue {'),
      quoting('src/queue.ts:1', 'push(job: Job): void {}'),
      quoting('src/queue.ts:3', 'made up'),
      quoting('src/<b>none</b>.ts:3-4', 'made up'),
    );
    const [, sources = ''] = report.split('## Sources');
    assert.match(sources, /\[src\/queue\.ts\]\(\.\.\/\.\.\/src\/queue\.ts\)/);
    assert.match(
      sources,
      /Of 4 citations of files, checked against them, 2 are where the documents say; 2 not found there\./,
    );
    assert.match(sources, /- src\/queue\.ts:3, not found: \[[^\]]+\]\([^)]+document\.md\)/);
    assert.doesNotMatch(sources, /<b>/);
  });

  it('are never said to be none, also where nothing that is cited can be linked to', async () => {
    const report = await reportOf(quoting('src/<b>none</b>.ts:3-4', 'made up'));
    assert.match(report, /Of 1 citation of files/);
    assert.doesNotMatch(report, /cite nothing/);
  });

  it('are places that sentences name as well', async () => {
    const report = await reportOf('It is `push`, src/queue.ts:1.', 'It is bound, src/queue.ts:30.');
    assert.match(
      report,
      /Of 2 citations of files, checked against them, 1 is where the documents say; 1 not found there\./,
    );
    assert.match(report, /- src\/queue\.ts:30, not found: \[/);
    assert.doesNotMatch(report, /cite nothing/);
  });

  it('are put right in its own words, linked, and marked as in documents where they are not there', async () => {
    const said = 'It is `push` (queue.ts:1), as [1] says; the bound is in `src/none.ts:3`, or src/queue.ts:30.';
    const report = await reportWith(said, 'A job is pushed by `push`, src/queue.ts:1.');
    const link = '[src/queue.ts:2](../../src/queue.ts#L2)';
    assert.ok(report.includes(`It is \`push\` (${link}), as (${link}) says;`), report);
    assert.match(
      report,
      /the bound is in `src\/none\.ts:3` \(not found there\), or src\/queue\.ts:30 \(not found there\)\./,
    );
  });

  it('say nothing where nothing is quoted', async () => {
    const report = await reportOf();
    assert.doesNotMatch(report, /Citations\./);
    assert.match(report, /The documents cite nothing\./);
  });
});
