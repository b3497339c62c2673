import './use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { workspace } from './fake-vscode.ts';
import { sampleLibrary, sampleSearch } from './sidebar/sample.ts';

const { ComparisonDocuments } = await import('../../../src/extension/sharing/comparison-documents.ts');

describe('a comparison that is open', () => {
  afterEach(() => {
    workspace.textDocuments = [];
  });

  it('is made again when one of its searches goes on, and not for others', async () => {
    const [one, two, three] = ['/w/one', '/w/two', '/w/three'].map((folder) => sampleSearch({ folder }));
    assert.ok(one && two && three);
    const { library, tell } = sampleLibrary(one, two, three);
    const query = (folders: string[]): string => JSON.stringify({ folders, part: 'both' });
    workspace.textDocuments = [
      { uri: { scheme: 'thought-tree-comparison', query: query(['/w/one', '/w/two']), path: '/first' } },
      { uri: { scheme: 'thought-tree-comparison', query: query(['/w/one', '/w/other']), path: '/second' } },
      { uri: { scheme: 'file', query: '', path: '/w/one/report.md' } },
    ];
    const documents = new ComparisonDocuments(library, async () => '', 0);
    const made: string[] = [];
    const told = new Promise<void>((resolve) => {
      documents.onDidChange((uri: Uri) => {
        made.push(uri.path);
        resolve();
      });
    });
    tell({ search: three });
    tell({ search: two });
    tell({ search: two });
    await told;
    assert.deepEqual(made, ['/first']);
    documents.dispose();
  });
});
