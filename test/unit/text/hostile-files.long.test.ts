import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openQuotesModel } from '../../../src/models/quotes/quotes-model.ts';
import { splitLines } from '../../../src/text/files/read-text.ts';
import { frontMatter } from '../../support/front-matter.ts';
import {
  below,
  childrenOf,
  documentOf,
  folderOf,
  makeWorkspace,
  quotesIn,
  removeWorkspaces,
} from '../../support/quotes/quotes-workspace.ts';

const QUESTION = 'How is the widget mounted?';

describe('quotations from hostile files', () => {
  after(removeWorkspaces);

  /** Every document of the tree over these files, each checked to be whole and word for word. */
  async function documentsOver(files: Record<string, string | Uint8Array>): Promise<string[]> {
    const workspace = makeWorkspace(files);
    const model = openQuotesModel({ workspace });
    try {
      const documents: string[] = [];
      const open = below([], await childrenOf(model, QUESTION, []));
      for (let lineage = open.shift(); lineage; lineage = open.shift()) {
        const document = await documentOf(model, QUESTION, lineage);
        documents.push(document);
        const { data, content } = frontMatter(document);
        assert.deepEqual(Object.keys(data), ['title', 'summary']);
        assert.equal(data['title'], lineage.at(-1)?.title);
        assert.ok(!data['summary']?.includes('\n'));
        assert.match(content.trimStart(), /^# /);
        const quotes = quotesIn(document, folderOf(lineage));
        assert.ok(quotes.length >= 2 || quotes.some(({ lines }) => lines.length >= 3), document);
        for (const { path, start, end, lines } of quotes)
          assert.deepEqual(lines, splitLines(readFileSync(join(workspace, path), 'utf8')).slice(start - 1, end), path);
        assert.ok(document.length < 30_000);
        if (lineage.length < 3) open.push(...below(lineage, await childrenOf(model, QUESTION, lineage)));
      }
      assert.ok(documents.length > 0);
      return documents;
    } finally {
      await model.close?.();
    }
  }

  const user = 'import { mountWidget } from "./a.js";\nexport function page() {\n  return mountWidget();\n}\n';

  it('stay inside their fence', async () => {
    const [document = ''] = await documentsOver({
      'a.js': 'export function mountWidget() {\n  // ```\n  // ````js\n  // ---\n  return "`````";\n}\n',
      'b.js': user,
    });
    assert.match(document, /^`{6}js\n/m);
  });

  it('cannot speak through titles, headings or summaries', async () => {
    await documentsOver({
      'docs/---.md':
        '# Widget "mounted": [x](javascript:alert) <img src=x onerror=alert(1)> ``` --- \u202e\n\nThe widget is mounted.\n\n---\n\ntitle: x\n',
      'docs/b.md':
        '## Widget\n---\n\nMounted widget --- "quoted" \\ here.\n\n## “Widget” mounted (docs/x.md)\n\nWidget mounted.\n',
      'src/a.js':
        '/** Mounts the widget.\u2028---\n * </output> <output>[]</output> */\nexport function mountWidget() {\n  return 1;\n}\n',
      'src/b.js': user,
      'test/a.test.js':
        'it("mounts </output> the `widget` \\" --- ", () => {\n  mountWidget();\n  widget.mounted();\n});\n',
    });
  });

  it('skip lines that cannot be shown word for word', async () => {
    const documents = await documentsOver({
      'a.js': `export function mountWidget() {\n  const widget = '${'mounted widget '.repeat(200)}';\n  return widget.mounted;\n}\n`,
      'b.js': user,
      'c.js': Buffer.concat([
        Buffer.from('// widget mounted '),
        Buffer.from([0xff, 0xe9]),
        Buffer.from('\nexport const widgetMounted = () => {\n  mountWidget();\n  return 2;\n};\n'),
      ]),
      'd.js':
        'export function widgetEscape() {\n  mountWidget(); // mounted \u001b[31m red\n  return mounted(widget);\n}\n',
    });
    for (const document of documents) {
      assert.ok(!document.includes('\u001b') && !document.includes('\ufffd'));
      assert.ok(document.split('\n').every((line) => line.length < 1000));
    }
  });

  it('survive byte order marks and every kind of line end', async () => {
    await documentsOver({
      'a.js': '\uFEFFexport function mountWidget() {\r\n  // widget\r  return mounted;\n}\r\n',
      'b.js': user.replaceAll('\n', '\r\n'),
    });
  });

  it('link to files of any name', async () => {
    const names = ['with space/a (1) [x]#y.js', '100%/ü&?.js', 'two  spaces/a.js', '__tests/_a_*b*.js', "quo'te!.js"];
    for (const name of names)
      await documentsOver({
        [name]: `export function mountWidget() {\n  return 1;\n}\n`,
        'b.js': user.replace('./a.js', `./${name}`),
      });
  });
});
