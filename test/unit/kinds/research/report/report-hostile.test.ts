import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Tree } from '../../../../../src/core/tree/tree.ts';
import { placeOf, webAddress } from '../../../../../src/engine-parts/report/link-target.ts';
import {
  blocksOf,
  mentionsIn,
  plainLine,
  safeBlock,
  scanInline,
  visibleText,
} from '../../../../../src/engine-parts/report/safe-markdown.ts';
import { effort } from '../../../../support/effort.ts';
import { growsLinearly } from '../../../../support/grows-linearly.ts';
import { createMemoryStore, MemoryFiles } from '../../../../support/memory-store.ts';
import { assertLinksResolve, assertSafe } from '../../../../support/report-links.ts';
import { QUESTION, simulate } from '../../../../support/searches/simulated-search.ts';

const PIECES = [
  '[',
  ']',
  '(',
  ')',
  '![',
  '](',
  '](x)',
  '](https://evil.example/)',
  '<',
  '>',
  '<script>',
  '<!--',
  '</output>',
  '`',
  '``',
  '```',
  '~~~',
  '# ',
  '## What it cost',
  '---',
  '===',
  '\n',
  '\n\n',
  '    ',
  '\t',
  '> ',
  '- ',
  '1. ',
  '|',
  '|-|-|',
  '\\',
  '*',
  '_',
  '&lt;',
  '&#60;',
  '$$',
  '\u202e',
  '\u200f',
  '\u0000',
  '\u2028',
  'שלום',
  '漢字',
  '👩‍🔬',
  '\ud800',
  'word',
  ' ',
  ':',
  '[x]: https://evil.example',
  'https://evil.example',
  'www.evil.example',
  'javascript:alert(1)',
  '../',
  '%2e%2e/',
  '"',
  "'",
  '+',
  '=',
];
const hostile = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ maxLength: 3 })), { maxLength })
    .map((all) => all.join(''));

/** A text that is safe for the report, between the headings that have to stay its own. */
const framed = (text: string): string => `# Title\n\n${text}\n\n## What it cost\n\n- nothing\n`;

describe('hostile words in a report', () => {
  it('do no harm in titles, summaries, documents, failures and the opening', async () => {
    await fc.assert(
      fc.asyncProperty(hostile(12), hostile(30), hostile(80), hostile(40), async (title, summary, body, opening) => {
        const files = new MemoryFiles();
        const file = { ...QUESTION, title: title.slice(0, 900) || 'x', prompt: summary || 'x' };
        const instead = ({ purpose, node }: { purpose: string; node: string }): string | Error | undefined => {
          if (purpose === 'synthesize') return opening;
          if (purpose !== 'document') return undefined;
          if (node.endsWith('2')) return new Error(body);
          return `---\ntitle: ${JSON.stringify(title.toWellFormed())}\nsummary: ${JSON.stringify(summary.toWellFormed())}\n---\nWord.\n\n${body}`;
        };
        const tree = {
          title: (_path: string, index: number) => `${title} ${index}`,
          fanout: (_: string, depth: number) => [3, 2][depth] ?? 0,
        };
        const simulation = await simulate({ store: createMemoryStore(file, files), tree, model: { instead } });
        await simulation.run();
        const report = files.readNow('report.md');
        if (report === undefined) return assert.equal(simulation.search.state, 'paused'); // nothing but refusals
        assertSafe(report);
        assertLinksResolve(report, files);
      }),
      { numRuns: effort(60) },
    );
  });

  it('stay one line as a title', () => {
    fc.assert(
      fc.property(hostile(30), (text) => {
        const line = plainLine(text, 200);
        assert.ok(!/[\n\r]/.test(line));
        assertSafe(framed(`### [${line}](a/document.md)\n\n${line}\n\n- ${line}`));
        assert.deepEqual(
          mentionsIn(`[${line}](a/document.md)`).map(({ target }) => target),
          ['a/document.md'],
        );
        assert.deepEqual(mentionsIn(line), []);
      }),
      { numRuns: effort(2000) },
    );
  });

  it('stay in their block as Markdown', () => {
    fc.assert(
      fc.property(hostile(60), (text) => {
        const blocks = blocksOf(visibleText(text));
        const safe = blocks.map((block) => safeBlock(block, () => undefined)).join('\n\n');
        assertSafe(framed(safe));
        assert.deepEqual(mentionsIn(safe), []);
      }),
      { numRuns: effort(2000) },
    );
  });

  it('take a time in proportion to their length', async () => {
    for (const piece of [
      '[',
      '![',
      '](',
      '`',
      '` `` ',
      '[a](<',
      '[a](b(',
      '\\',
      '> ',
      '- ',
      '#',
      '~',
      '[]()',
      'http://',
      '$$',
    ])
      for (const made of [
        (size: number) => piece.repeat(size / piece.length),
        (size: number) => `${piece} x\n`.repeat(size / piece.length / 4),
      ]) {
        const what = JSON.stringify(made(40));
        await growsLinearly(what, 60_000, made, mentionsIn);
        await growsLinearly(what, 8000, made, (text) => {
          for (const block of blocksOf(text)) safeBlock(block, () => undefined);
        });
      }
  });
});

describe('links in a report', () => {
  const tree = new Tree('Question');
  const first = tree.add(tree.root, 'bundling', { title: 'Bundling', status: 'expanded' });
  tree.add(first, 'maps', { title: 'Maps', status: 'leaf' });
  tree.add(tree.root, 'open', { title: 'Open' });
  const from = (target: string): string | undefined =>
    placeOf(tree, 'thought-trees/build', 'bundling/maps', target)?.link;

  it('are relative to the report', () => {
    assert.equal(from('../../../../src/a b.ts#L3-L9'), '../../src/a%20b.ts#L3-L9');
    assert.equal(from('../../../../src/a%20b%28c%29.ts'), '../../src/a%20b%28c%29.ts');
    assert.equal(from('../document.md'), 'bundling/document.md');
    assert.equal(from('#part'), 'bundling/maps/document.md#part');
    assert.equal(from('../../../build/bundling/document.md'), 'bundling/document.md');
    assert.equal(from('../../../other/report.md'), '../other/report.md');
  });

  it('are dropped if they lead nowhere', () => {
    for (const target of [
      '',
      'x.md',
      '../x/document.md',
      '../../open/document.md',
      '../../../../../outside',
      '/etc/passwd',
      'C:\\a',
      'file:///a',
      '..%2f..%2f..%2f..%2fa',
      '%zz',
      'a?b',
      '\\\\host\\a',
      '../../../..',
    ])
      if (target !== '') assert.equal(from(target), undefined, target);
  });

  it('lead to pages without a name or a password in their address', () => {
    assert.equal(webAddress('https://example.org/a_(b)?c=[d]'), 'https://example.org/a_%28b%29?c=%5Bd%5D');
    for (const target of [
      'https://user:word@example.org',
      'ftp://a',
      'https://',
      'javascript:alert(1)',
      `https://a/${'b'.repeat(2000)}`,
    ])
      assert.equal(webAddress(target), undefined, target);
  });

  it('are found as a reader of Markdown finds them', () => {
    const targets = (line: string): string[] =>
      scanInline(line).flatMap((piece) => (piece.kind === 'link' ? piece.target : []));
    assert.deepEqual(targets('[a](b) [c]( <d e> "t" ) ![p](q) [`]`](r) [x](y(z))'), ['b', 'd e', 'q', 'r', 'y(z)']);
    assert.deepEqual(targets('`[a](b)` \\[c](d) [e] (f) [g][h] [i](j k) <https://l.example>'), ['https://l.example']);
    assert.deepEqual(targets('[![badge](a.png)](b)'), ['b']);
  });
});
