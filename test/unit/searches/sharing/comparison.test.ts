import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { compareSides, comparisonLines, type Side } from '../../../../src/searches/history/compare-searches.ts';
import { sharing } from '../../../../src/searches/sharing/sharing.ts';
import { type Forged, forgedCall } from '../../../support/searches/forged-search.ts';
import { many, SAMPLE, type SampleNode, sharedSample } from '../../../support/searches/shared-sample.ts';

const OTHER: Record<string, SampleNode> = {
  cache: { title: 'The cache is never hit', score: 4, document: 'Not so bad.\n' },
  network: { title: 'The network is slow', score: 9.5, document: 'It is 10 Mbit.\n' },
};

async function compared(
  one: readonly [Record<string, SampleNode>, (Forged & { report?: string })?],
  other: readonly [Record<string, SampleNode>, (Forged & { report?: string })?],
): Promise<{ both: string; each: readonly [string, string] }> {
  const [a, b] = [await sharedSample(...one), await sharedSample(...other)];
  const parts = { kinds: KINDS, workspace: a.workspace, show: ({ text }: { text: string }) => text, language: 'en' };
  const [left, right] = [await a.overview(), await b.overview()];
  const sides = [left, right].map((overview) => ({ overview, node: overview.tree.root })) as [Side, Side];
  const lines = comparisonLines(await compareSides({ a: sides[0], b: sides[1] }), ({ text }) => text);
  return await sharing.compare(sides, lines, parts);
}

describe('two searches compared', () => {
  const report = '# Why so slow?\n\nThe network is slow.\n\n## Topics\n\n- none\n';
  const journal = [
    { type: 'search-started', model: 'openai-compatible/m' },
    ...forgedCall('c1', { prompt: 900, completion: 100 }),
  ];
  let both: string;
  let each: readonly [string, string];
  before(async () => {
    ({ both, each } = await compared(
      [SAMPLE],
      [
        OTHER,
        { report, journal, search: { title: 'Why so slow?', prompt: 'Why so slow?', model: 'openai-compatible/m' } },
      ],
    ));
  });

  it('are next to each other in a table: question, state, model, progress, best score, cost', () => {
    assert.match(
      both,
      /^# Why is the build slow\?, compared with Why so slow\?\n\n\| {2}\| Why is the build slow\? \| Why so slow\? \|\n/,
    );
    const row = (name: string): string[] =>
      new RegExp(`^\\| ${name} \\| (.*) \\| (.*) \\|$`, 'm').exec(both)?.slice(1, 3) ?? [];
    assert.deepEqual(row('Progress'), ['3 topics done, 1 open', '2 topics']);
    assert.deepEqual(row('Best score'), ['9 of 10', '9.5 of 10']);
    assert.deepEqual(row('Calls'), ['0', '1']);
    assert.deepEqual(row('Model'), ['', 'openai-compatible/m']);
    assert.match(row('Tokens')[1] ?? '', /^1,000: /);
  });

  it('have their answers and best paths', () => {
    const answers =
      /## Answer\n\n### Why is the build slow\?\n\nThe cache is never hit: .*\n\n### Why so slow\?\n\nThe network is slow\.\n\n## Best path\n\n/;
    assert.match(both, answers);
    assert.match(
      both,
      /### Why is the build slow\?\n\n1\. The cache is never hit \(8\.5\)\n2\. The key of the cache \(9\)\n\n### Why so slow\?\n\n1\. The network is slow \(9\.5\)\n/,
    );
  });

  it('have what differs: scores and documents of what both found, and what only one found', () => {
    const [, differs] = both.split('## What differs\n\n');
    assert.match(differs ?? '', /^- `~` The cache is never hit · (?:expanded → \S+ · )?8\.5 → 4\n {2}- `[-+]` /m);
    assert.match(differs ?? '', /^ {2}- `\+` Not so bad\.$/m);
    assert.match(differs ?? '', /^- `\+` The network is slow$/m);
  });

  it('can be compared line by line: the same parts in the same order', () => {
    const parts = each.map((text) => [...text.matchAll(/^##? (.*)$/gm)].slice(1).map(([, name]) => name));
    assert.deepEqual(parts[0], ['Answer', 'Best path', 'Tree', 'What it cost']);
    assert.deepEqual(parts[1], parts[0]);
    assert.match(each[0], /^- The cache is never hit \(8\.5\)\n {2}- The key of the cache \(9\)$/m);
  });

  it('of one title are told apart by their folders', async () => {
    const same = await compared([SAMPLE], [OTHER]);
    assert.match(same.both, /^# build, compared with build\n/, 'here both folders have one name');
  });

  it('stay bounded and harmless', async () => {
    const evil = { e: { title: '<img src=x> [x](javascript:alert(1)) | `', score: 3, document: 'x\n' } };
    const { both: long } = await compared(
      [many(40, 60)],
      [evil, { report: `# x\n\n${'![](https://evil.example) '.repeat(2000)}\n` }],
    );
    assert.ok(long.length < 60_000, `${long.length} characters`);
    assert.doesNotMatch(new MarkdownIt({ html: true }).render(long), /<img|href="javascript/);
  });
});
