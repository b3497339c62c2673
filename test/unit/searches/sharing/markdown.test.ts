import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { nodeAt } from '../../../../src/core/tree/tree.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { type SharedSearch, sharedSearch } from '../../../../src/searches/sharing/shared-search.ts';
import { branchMarkdown, MARKDOWN_BOUNDS, searchMarkdown } from '../../../../src/searches/sharing/sharing.ts';
import { many, type SharedSample, sharedSample } from '../../../support/searches/shared-sample.ts';

async function shared({ workspace, overview }: SharedSample, branch?: string): Promise<SharedSearch> {
  const read = await overview();
  const top = branch === undefined ? undefined : nodeAt(read.tree, branch);
  return await sharedSearch(read, { kinds: KINDS, workspace, show: ({ text }) => text, bounds: MARKDOWN_BOUNDS, top });
}

describe('a search as Markdown', () => {
  let text: string;
  before(async () => {
    text = searchMarkdown(await shared(await sharedSample()));
  });

  it('has its question and its report, whose links lead to files from the workspace on', () => {
    assert.match(text, /^# Why is the build slow\?\n\n> Why is the build slow\?\n> It takes an hour\.\n\nState: /);
    assert.match(
      text,
      /\n\nThe cache is never hit: its key contains the time \(\[The cache\]\(thought-trees\/build\/cache\/document\.md\)\)\.\n/,
    );
    assert.ok(text.includes('[src/cache.ts:3](src/cache.ts#L3)'));
  });

  it('has the tree as a nested list, with what is said of each node', () => {
    const list = [
      '- The cache is never hit (8.5 of 10, best path)',
      '  - The key of the cache (9 of 10, best path)',
      '  - The size of the cache (pruned)',
      '- The tests run one after the other (5 of 10)',
      '- The disk is slow (open)',
    ];
    assert.ok(text.includes(`## Tree\n\n${list.join('\n')}\n\n`), text);
  });

  it('has what the documents found, the best path first, with links that work', () => {
    const headings = [...text.matchAll(/^### \[(.*)\]\((.*)\)$/gm)].map(([, title, file]) => [title, file]);
    assert.deepEqual(headings, [
      ['The cache is never hit', 'thought-trees/build/cache/document.md'],
      ['The key of the cache', 'thought-trees/build/cache/key/document.md'],
      ['The tests run one after the other', 'thought-trees/build/tests/document.md'],
    ]);
    assert.ok(text.includes('[src/cache.ts:3-4](src/cache.ts#L3-L4)'), text);
    assert.ok(text.includes('[the sibling](thought-trees/build/tests/document.md)'));
    assert.ok(text.includes('[a page](https://example.com/a?b=1)'));
  });

  it('says where the rest is, and has a link by which an editor opens it, or its branch', async () => {
    const link = 'vscode://thought-tree.thought-tree/open?search=thought-trees/build';
    const end = `\n*The whole search is in the folder thought-trees/build.*\n\n[Open it in VS Code.](${link}`;
    assert.ok(text.endsWith(`${end})\n`), text);
    const branch = branchMarkdown(await shared(await sharedSample(), 'cache/key'));
    assert.ok(branch.endsWith(`${end}&node=cache/key)\n`), branch);
  });

  it('of one branch has its whole document, and what is below it', async () => {
    const branch = branchMarkdown(await shared(await sharedSample(), 'cache'));
    assert.match(
      branch,
      /^# The cache is never hit\n\nPart of: Why is the build slow\? · 8\.5 of 10 · best path\n\nThe key contains/,
    );
    assert.match(branch, /\n\n## More\n\nAlso \[the sibling\]\(thought-trees\/build\/tests\/document\.md\)/);
    assert.match(
      branch,
      /## Tree\n\n- The key of the cache \(9 of 10, best path\)\n- The size of the cache \(pruned\)\n\n## Findings/,
    );
    assert.ok(!branch.includes('The disk is slow'), 'nothing of other branches');
  });

  it('is bounded, keeps the best path, and says how much there is', async () => {
    const nodes = many(30, 20, 'A finding.\n\n'.repeat(50));
    nodes['n30'] = { title: 'The best', score: 10, document: 'This is it.\n' };
    const long = searchMarkdown(await shared(await sharedSample(nodes)));
    assert.ok(long.length < 65_536, `${long.length} characters do not fit into an issue`);
    assert.ok(long.includes('- The best (10 of 10, best path)'));
    assert.match(long, /### \[The best\]/);
    assert.match(
      long,
      /\*There is room for 200 of 610 nodes here: the best path, then those nearest to the question\. /,
    );
  });
});

describe('hostile texts of a search as Markdown', () => {
  const EVIL =
    '<img src=x onerror=alert(1)> ![](https://evil.example/p?q=1) [x](javascript:alert(1)) [f](file:///etc/passwd) </script>';

  it('become harmless: no HTML, no image, no link but to pages and the workspace', async () => {
    const nodes = {
      a: {
        title: `${EVIL} | \`x`,
        document: `${EVIL}\n\n[r]: javascript:alert(2)\n\n[r]\n\n\`\`\`\n${EVIL}\n`,
        below: {},
      },
    };
    const sample = await sharedSample(nodes, {
      search: { title: EVIL, prompt: EVIL },
      report: `# ${EVIL}\n\n## ${EVIL}\n\n- ${EVIL}\n`,
    });
    for (const text of [searchMarkdown(await shared(sample)), branchMarkdown(await shared(sample, 'a'))]) {
      const html = new MarkdownIt({ html: true, linkify: true }).render(text);
      assert.doesNotMatch(
        html.replaceAll(/<pre><code[^>]*>[^<]*<\/code><\/pre>/g, ''),
        /<img|<script|href="(?!https:|thought-trees\/|vscode:\/\/thought-tree\.thought-tree\/open\?)/,
        html,
      );
    }
  });

  it('hold no secret', async () => {
    const key = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
    const nodes = { a: { title: `Use ${key}`, document: `The key is ${key}.\n`, score: 5 } };
    const text = searchMarkdown(
      await shared(
        await sharedSample(nodes, { report: `# A\n\nIt is ${key}.\n`, search: { prompt: `Is ${key} good?` } }),
      ),
    );
    assert.ok(!text.includes(key), text);
    assert.match(text, /\d texts that look like passwords or keys were left out\./);
  });

  it('say nothing of their own in the name of a model or a folder, which a clone brings along', async () => {
    const evil = '![x](https://evil.example/x.png) <img src=x> [click](https://evil.example)';
    const sample = await sharedSample({ long: { title: 'Long', document: `${'words '.repeat(10_000)}\n` } });
    const read = await sample.overview();
    const at = { ...sample, overview: async () => Object.create(read, { model: { value: evil } }) as typeof read };
    const search = await shared(at);
    const texts = [searchMarkdown(search), branchMarkdown({ ...(await shared(at, 'long')), folder: `x/${evil}` })];
    assert.match(texts[1] ?? '', /only the beginning of the document/);
    for (const text of texts) {
      const html = new MarkdownIt({ html: true, linkify: true }).render(text);
      assert.doesNotMatch(html, /<img|href="https:\/\/evil/);
    }
  });
});
