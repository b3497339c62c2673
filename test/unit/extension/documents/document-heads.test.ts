import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mock } from 'node:test';
import MarkdownIt from 'markdown-it';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { until } from '../../../support/until.ts';
import { EventEmitter, fake, TabInputCustom, Uri, window } from '../fake-vscode.ts';
import { writtenSearch } from './written-search.ts';

const { DocumentHeads } = await import('../../../../src/extension/documents/document-heads.ts');

/** Front matter as the editor shows it: a block of its own, as a table. */
function withFrontMatter(markdown: InstanceType<typeof MarkdownIt>): typeof markdown {
  markdown.block.ruler.before('hr', 'front_matter', (state, line) => {
    const end = state.src.split('\n').indexOf('---', 1);
    if (line !== 0 || !state.src.startsWith('---\n') || end < 0) return false;
    state.push('front_matter', '', 0).map = [0, end + 1];
    state.line = end + 1;
    return true;
  });
  markdown.renderer.rules['front_matter'] = () => '<table>front matter</table>';
  return markdown;
}

const changes = new EventEmitter<never>();
const heads = new DocumentHeads(KINDS, { onDidChange: changes.event } as never);
const markdown = heads.extendMarkdownIt(withFrontMatter(new MarkdownIt()));
const refreshes = (): number => fake.executed.filter(([id]) => id === 'markdown.preview.refresh').length;

/** A file as the editor's preview renders it. */
const preview = (file: string, text = '---\ntitle: A\n---\n\n# Keys\n'): string =>
  markdown.render(text, { currentDocument: Uri.file(file) });

describe('a document in the preview', () => {
  beforeEach(() => fake.reset());

  it('is drawn again once what reads its head is there, and again where that was missed', async () => {
    const file = join(writtenSearch(), 'cache/keys/document.md');
    const input = new TabInputCustom(Uri.file(file), 'preview');
    window.tabGroups.show({ tabs: [], activeTab: { input } });
    assert.equal(preview(file), '<h1>Keys</h1>\n');
    await until(() => refreshes() > 1);
    assert.match(preview(file), /thought-tree-head/);
    const before = refreshes();
    await until(() => refreshes() > before); // the last one, which was on its way
  });

  it('begins with one line about its node in place of its front matter, with links that lead to pages', () => {
    assert.equal(
      preview(join(writtenSearch(), 'cache/keys/document.md')),
      '<p class="thought-tree-head">expanded · 8 of 10 · quotations 7 verified, 1 stale · ' +
        '↑ above: <a href="../document.md">Cache</a> · ' +
        '↓ below: <a href="rate/document.md">Rate &amp; limits</a>, Open</p>\n<h1>Keys</h1>\n',
    );
  });

  it('of the first level leads to the report, and says the question as it is', () => {
    const said = preview(join(writtenSearch(), 'cache/document.md'), '# Cache\n');
    assert.match(said, /↑ above: <a href="\.\.\/report\.md">How does it &lt;b&gt;cache&lt;\/b&gt;\?<\/a>/);
  });

  it('says what its kind does: the round and the state of a lead', () => {
    const folder = writtenSearch({
      'search.json': { version: 1, kind: 'investigation', title: 'Why', prompt: 'Why?' },
      'cache/node.json': { title: 'Cache', status: 'leaf', own: { nodeId: 'R1.A', round: 1, state: 'DEAD' } },
    });
    assert.match(
      preview(join(folder, 'cache/document.md')),
      /^<p class="thought-tree-head">R1 · led nowhere · unverified · /,
    );
  });

  it("is a search's: a person's own Markdown, the report and a text without a file stay as they are", () => {
    const folder = writtenSearch();
    const workspace = dirname(dirname(folder));
    const usual = '<table>front matter</table><h1>Keys</h1>\n';
    for (const name of ['document.md', 'README.md', 'node.json']) writeFileSync(join(workspace, name), '{}');
    for (const file of [join(workspace, 'document.md'), join(workspace, 'README.md'), join(folder, 'report.md')])
      assert.equal(preview(file), usual, file);
    assert.equal(preview(join(folder, 'cache/notes.md')), usual);
    assert.equal(markdown.render('---\ntitle: A\n---\n\n# Keys\n', {}), usual);
  });

  it('is nothing that a link of a clone leads to, nor a damaged node', () => {
    const folder = writtenSearch({ 'cache/keys/node.json': '{', 'cache/keys/children.json': '[[[[' });
    assert.equal(preview(join(folder, 'cache/keys/document.md')), '<h1>Keys</h1>\n');
    const linked = writtenSearch();
    writeFileSync(join(dirname(linked), 'secret.json'), '{"title": "SECRET", "status": "leaf"}');
    symlinkSync(join(dirname(linked), 'secret.json'), join(linked, 'cache/open.json'));
    symlinkSync(join(dirname(linked)), join(linked, 'cache/keys/linked'));
    const said = preview(join(linked, 'cache/keys/document.md'));
    assert.doesNotMatch(said, /SECRET|secret|linked/);
  });

  it('is drawn again when its node changes while it is in front, and only then', () => {
    const folder = writtenSearch();
    const change = (path: string): void => changes.fire({ search: { folder }, paths: [path] } as never);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      change('cache/keys');
      const input = new TabInputCustom(Uri.file(join(folder, 'cache/keys/document.md')), 'preview');
      window.tabGroups.show({ tabs: [], activeTab: { input } });
      change('other');
      mock.timers.tick(5000);
      assert.equal(refreshes(), 0);
      change('cache/keys/rate');
      change('cache/keys');
      mock.timers.tick(5000);
      assert.equal(refreshes(), 1);
    } finally {
      mock.timers.reset();
    }
  });
});
