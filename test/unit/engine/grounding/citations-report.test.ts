import assert from 'node:assert/strict';
import { simulate } from '../../../support/searches/simulated-search.ts';
import { heldText } from './held-text.ts';

const FILES = { 'src/queue.ts': 'export class Queue {\n  push(job: Job): void {}\n}\n' };
const quoting = (place: string, words: string): string => `[${place}](x)\n\n\`\`\`ts\n${words}\n\`\`\``;

async function reportOf(...quotations: string[]): Promise<string> {
  const document = `---\ntitle: A\nsummary: It pushes.\n---\n# A\n\nIt pushes.\n\n${quotations.join('\n\n')}\n`;
  const { run, store } = await simulate({
    tree: { fanout: (_path, depth) => (depth === 0 ? 1 : 0) },
    model: { instead: ({ purpose }) => (purpose === 'document' ? document : undefined) },
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
    assert.match(sources, /- \[src\/queue\.ts\]\(\.\.\/\.\.\/src\/queue\.ts\)/);
    assert.match(
      sources,
      /Of 4 quotations of files, compared word for word, 1 is where the documents say; 1 elsewhere in the file; 2 not found in the named file\./,
    );
    assert.match(sources, /- src\/queue\.ts:3, not found: \[[^\]]+\]\([^)]+document\.md\)/);
    assert.doesNotMatch(sources, /<b>/);
  });

  it('are never said to be none, also where nothing that is cited can be linked to', async () => {
    const report = await reportOf(quoting('src/<b>none</b>.ts:3-4', 'made up'));
    assert.match(report, /Of 1 quotation of files/);
    assert.doesNotMatch(report, /cite nothing/);
  });

  it('say nothing where nothing is quoted', async () => {
    const report = await reportOf();
    assert.doesNotMatch(report, /Quotations\./);
    assert.match(report, /The documents cite nothing\./);
  });
});
