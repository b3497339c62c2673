import assert from 'node:assert/strict';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { sharing } from '../../../../src/searches/sharing/sharing.ts';
import { effort } from '../../../support/effort.ts';
import { growsLinearly } from '../../../support/grows-linearly.ts';
import { many, type SharedSample, sharedSample } from '../../../support/searches/shared-sample.ts';

async function pageOf({ workspace, overview }: SharedSample): Promise<string> {
  return await sharing.html(await overview(), { kinds: KINDS, workspace, show: ({ text }) => text, language: 'en' });
}

describe('a search as one page', () => {
  let page: string;
  before(async () => {
    page = await pageOf(await sharedSample());
  });

  it('has the question, then the answer, the tree, the documents and the cost', () => {
    const headings = [...page.matchAll(/<h[12][^>]*>([^<]*)/g)].map(([, text]) => text);
    assert.deepEqual(headings, ['Why is the build slow?', 'Answer', 'Tree', 'Documents', 'What it cost']);
    assert.ok(page.indexOf('It takes an hour.') < page.indexOf('its key contains the time'));
  });

  it('has a policy that allows nothing but its own style, and nothing to be loaded', () => {
    assert.match(
      page,
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/]+=*'; base-uri 'none'; form-action 'none'">/,
    );
    assert.doesNotMatch(page, /<script|<link|<iframe|<img|<object|\ssrc=|\sstyle=|\son\w+=|@import|url\(/);
  });

  it('has a section for each document, to which the drawing, the list and links lead', () => {
    const sections = [...page.matchAll(/<article id="(n\d+)"/g)].map(([, id]) => id);
    assert.deepEqual(sections, ['n1', 'n2', 'n3']);
    const drawn = /<svg[\s\S]*<\/svg>/.exec(page)?.[0] ?? '';
    for (const id of sections) assert.ok(drawn.includes(`<a href="#${id}">`), `the card of ${id}`);
    assert.ok(page.includes('<a href="#n3">the sibling</a>'));
    assert.ok(page.includes('<a href="#n1">The cache</a>'), 'the report links to sections');
    assert.ok(page.includes('<span class="file" title="src/cache.ts#L3-L4">src/cache.ts:3-4</span>'));
    assert.ok(page.includes('<a href="https://example.com/a?b=1" rel="noopener noreferrer nofollow">a page</a>'));
  });

  it('says a document’s title once, and leaves out no level of headings', () => {
    const article = /<article id="n1"[\s\S]*?<\/article>/.exec(page)?.[0] ?? '';
    assert.deepEqual(
      [...article.matchAll(/<(h\d)/g)].map(([, tag]) => tag),
      ['h3', 'h4'],
    );
  });

  it('has above each document what is known of it, and links to what is above and below it', () => {
    const heads = [...page.matchAll(/<p class="thought-tree-head">(.*)<\/p>/g)].map(([, head]) => head);
    assert.equal(
      heads[0],
      'best path · 8.5 of 10 · ↓ below: <a href="#n2">The key of the cache</a>, The size of the cache',
    );
    assert.match(heads[1] ?? '', /9 of 10 · ↑ above: <a href="#n1">The cache is never hit<\/a>$/);
  });

  for (const { descriptor } of KINDS)
    it(`is made of a search of kind ${descriptor.name}, too, as are its Markdown and its drawing`, async () => {
      const nodes = { a: { title: 'First', document: 'Found it.\n', score: 5, below: { b: { title: 'Second' } } } };
      const sample = await sharedSample(nodes, { search: { kind: descriptor.name } });
      const overview = await sample.overview();
      const parts = {
        kinds: KINDS,
        workspace: sample.workspace,
        show: ({ text }: { text: string }) => text,
        language: 'en',
      };
      assert.match(await sharing.html(overview, parts), /<svg [\s\S]*<article id="n1"[\s\S]*Found it\./);
      assert.match(await sharing.markdown(overview, parts), /- First \(5 of 10[\s\S]*\n {2}- Second/);
      const svg = await sharing.svg(overview, parts);
      for (const title of ['First', 'Second']) assert.ok(svg.includes(`<title>${title}`), title);
    });

  it('has no more than fits, and says what is left out', async () => {
    const sample = await sharedSample(many(50, 80, `${'A finding of some length. '.repeat(60)}\n`));
    const long = await pageOf(sample);
    assert.ok(long.length < 10_000_000, `${long.length} characters`);
    assert.match(long, /The drawing shows 1,000 of 4,050 nodes/);
    assert.match(long, /There is room for 3,000 of 4,050 nodes here/);
    assert.match(
      long,
      /There is room for 3,000 of 4,050 documents here: those on the best path, then those nearest to the question\./,
    );
    assert.match(long, /The whole search is in the folder thought-trees\/build\./);
  });
});

describe('hostile texts on the page', () => {
  const EVIL = '</title></style><script>alert(1)</script><img src=https://evil.example/p onerror=alert(1)>';
  const DOCUMENT = [
    EVIL,
    '![x](https://evil.example/p?q=1) ![y](data:image/svg+xml,<svg onload=alert(1)>)',
    '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](file:///etc/passwd) [e](//evil.example/x) [f](vbscript:x)',
    '<javascript:alert(1)> [g]: javascript:alert(1)',
    '[g](https://user:pass@evil.example/) [h](../../../../../../etc/passwd) [i](https://ok.example/"onmouseover="alert(1))',
    '| a |\n| :-: |\n| <b onclick=x> |',
    `\`\`\`"><script>alert(1)</script>\n${EVIL}\n\`\`\``,
  ].join('\n\n');

  it('are shown as text: nothing runs, loads or leads anywhere but to pages', async () => {
    const nodes = {
      a: { title: EVIL, document: DOCUMENT, score: 5, below: { b: { title: `"'${EVIL}`, document: DOCUMENT } } },
    };
    const page = await pageOf(
      await sharedSample(nodes, {
        search: { title: EVIL, prompt: `${EVIL}\n${DOCUMENT}` },
        report: `# ${EVIL}\n\n${DOCUMENT}\n`,
      }),
    );
    assert.equal(page.match(/<style>/g)?.length, 1);
    const outside = page.replace(/<style>[\s\S]*?<\/style>/, '');
    assert.doesNotMatch(outside, /<script|<img|<iframe|<[^>]*\s(?:on\w+|style|src)=/i);
    const links = [...outside.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);
    assert.deepEqual(
      links.filter((href) => !/^#\w+$|^https:\/\/ok\.example\//.test(href)),
      ['vscode://thought-tree.thought-tree/open?search=thought-trees/build'],
    );
  });

  it('hold no secret', async () => {
    const key = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
    const nodes = { a: { title: `Use ${key}`, document: `The key is ${key}.\n`, score: 5 } };
    const page = await pageOf(
      await sharedSample(nodes, {
        report: `# A\n\nIt is ${key}.\n`,
        search: { prompt: `Is ${key} good?`, title: `About ${key}` },
      }),
    );
    assert.ok(!page.includes(key));
    assert.match(page, /\d texts that look like passwords or keys were left out\./);
  });

  it('of a megabyte each do not make the page slow or large', async () => {
    const parts = [
      '[',
      '*',
      '`',
      '> ',
      '- ',
      '<',
      '![](',
      '|',
      '_a_ ',
      '\\',
      '1. ',
      '[a](',
      '~~',
      '&#',
      '\u202e',
      '(',
      '"',
    ];
    const made = (size: number) =>
      sharedSample(
        Object.fromEntries(
          parts.map((part, i) => [`n${i}`, { title: part, document: part.repeat(size / part.length) }]),
        ),
      );
    await growsLinearly('documents', effort(1_000_000, 300_000), made, async (sample) => {
      const page = await pageOf(sample);
      assert.ok(page.length < 10_000_000, `${page.length} characters`);
      assert.match(page, /This is only the beginning of the document thought-trees\/build\/n0\/document\.md\./);
    });
  });
});
