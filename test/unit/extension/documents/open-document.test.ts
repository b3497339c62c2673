import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drawInFront, fake, TabInputCustom, TabInputWebview, Uri, window } from '../fake-vscode.ts';
import { writtenSearch } from './written-search.ts';

const { makeOpenFromRow, openDocument, openingCommand } = await import(
  '../../../../src/extension/documents/open-document.ts'
);

const PREVIEW = 'vscode.markdown.preview.editor';

describe('a page of a search', () => {
  const folder = writtenSearch();
  const page = Uri.file(join(folder, 'cache/document.md')) as never;
  const opened = (): unknown[] => fake.executed.at(-1) ?? [];
  beforeEach(() => fake.reset());

  it('opens rendered, in a tab that the next one replaces', async () => {
    await openDocument(page);
    assert.deepEqual(opened(), [
      'vscode.openWith',
      page,
      PREVIEW,
      { preview: true, preserveFocus: false, viewColumn: -1 },
    ]);
  });

  it('opens as its source where the person wants that, or where lines are to be shown', async () => {
    await openDocument(page, { selection: { line: 3 } as never });
    assert.equal(opened()[0], 'show');
    fake.settings['thoughtTree.openDocumentsAs'] = 'source';
    fake.executed.length = 0;
    await openDocument(page);
    assert.deepEqual(opened(), ['show', page]);
  });

  it('opens beside where the person wants that, always in the same group', async () => {
    fake.settings['thoughtTree.openDocumentsAs'] = 'beside';
    await openDocument(page);
    assert.equal((opened()[3] as { viewColumn: number }).viewColumn, -2);
    const reading = { viewColumn: 2, tabs: [{ input: new TabInputCustom(page, PREVIEW) }] };
    window.tabGroups.show({ viewColumn: 1, tabs: [{ input: undefined }] }, reading);
    await openDocument(page);
    assert.equal((opened()[3] as { viewColumn: number }).viewColumn, 2);
    window.tabGroups.show(reading, { viewColumn: 1, tabs: [{ input: undefined }] });
    await openDocument(page);
    assert.equal((opened()[3] as { viewColumn: number }).viewColumn, 2, 'and not one group further with each');
  });

  it('never opens over a drawing, whoever opens it', async () => {
    const drawing = { input: new TabInputWebview('thoughtTree.graph') };
    const text = { input: undefined };
    const columns = async (): Promise<unknown[]> => {
      await openDocument(page);
      const read = (opened()[3] as { viewColumn: number }).viewColumn;
      await openDocument(page, { selection: { line: 3 } as never });
      const { shownIn } = fake as unknown as { shownIn: number };
      await makeOpenFromRow()(page);
      return [read, shownIn, (opened()[3] as { viewColumn: number }).viewColumn];
    };
    window.tabGroups.show({ viewColumn: 1, activeTab: drawing, tabs: [drawing] });
    assert.deepEqual(await columns(), [-2, -2, -2], 'beside the only group');
    window.tabGroups.show({ viewColumn: 1, activeTab: text, tabs: [drawing, text] });
    assert.deepEqual(await columns(), [-1, -1, -1], 'in the group in front, if its drawing is covered anyway');
    const other = { viewColumn: 2, activeTab: text, tabs: [text] };
    window.tabGroups.show({ viewColumn: 1, activeTab: drawing, tabs: [drawing] }, other);
    assert.deepEqual(await columns(), [2, 2, 2], 'in the other group');
    const preview = { input: new TabInputCustom(page, PREVIEW) };
    const reading = { viewColumn: 3, activeTab: preview, tabs: [preview] };
    window.tabGroups.show({ viewColumn: 1, activeTab: drawing, tabs: [drawing] }, other, reading);
    assert.deepEqual(await columns(), [3, 3, 3], 'where documents are read already');
  });

  it('leaves a drawing alone, too, where a model explained a node', async () => {
    drawInFront();
    const { DocumentSink } = await import('../../../../src/extension/chat/answer-sink.ts');
    await new DocumentSink().show();
    assert.equal((fake as { shownIn?: number }).shownIn, -2);
  });

  it('opens from its row by the command that keeps it away from drawings', () => {
    const { command, arguments: given } = openingCommand(page);
    assert.deepEqual([command, given], ['thoughtTree.openPage', [page]]);
  });

  it('opens from a row with one click without the focus, and with two for good', async () => {
    const elsewhere = Uri.file('/w/notes/how/cache/document.md') as never;
    assert.equal(openingCommand(elsewhere).command, 'thoughtTree.openPage');
    const openFromRow = makeOpenFromRow();
    await openFromRow(page);
    assert.deepEqual(opened()[3], { preview: true, preserveFocus: true, viewColumn: -1 });
    await openFromRow(page);
    assert.deepEqual(opened()[3], { preview: false, preserveFocus: false, viewColumn: -1 });
  });

  it('is not any other file: that opens as text', async () => {
    const file = join(dirname(folder), 'document.md');
    writeFileSync(file, '# Mine');
    await openDocument(Uri.file(file) as never);
    assert.equal(opened()[0], 'show');
  });
});
