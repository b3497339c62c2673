import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Uri as VsUri } from 'vscode';
import type { SearchStore } from '../../../../src/store/search-store.ts';
import { Uri } from '../fake-vscode.ts';
import { sampleLibrary, sampleSearch } from './sample.ts';

const { NodeDecorations } = await import('../../../../src/extension/sidebar/node-item.ts');

describe('statuses in the Explorer', () => {
  it('are refreshed when the journal mentions a node, whatever the watcher sees', () => {
    const search = sampleSearch({ folder: '/w/thought-trees/slow' });
    const { library, tell } = sampleLibrary(search);
    const told: (string[] | undefined)[] = [];
    const decorations = new NodeDecorations(library);
    decorations.onDidChangeFileDecorations((uris) => told.push(uris?.map(({ fsPath }) => fsPath)));
    tell({ search, paths: ['cache', 'cache/keys'] });
    assert.deepEqual(told, [[join(search.folder, 'cache'), join(search.folder, 'cache', 'keys')]]);
    tell();
    assert.equal(told.at(-1), undefined, 'all of them, where searches came or went');
  });

  it('say that a node is in progress only while somebody works on it', async () => {
    const store = { readNodeFile: async () => ({ title: 'Cache', status: 'in-progress' }) } as unknown as SearchStore;
    const search = sampleSearch({ folder: '/w/thought-trees/slow', store });
    const { library, tell } = sampleLibrary(search);
    Object.assign(library, { nodeOf: () => ({ search, path: 'cache' }) });
    const decorations = new NodeDecorations(library);
    const badge = async (): Promise<string | undefined> =>
      (await decorations.provideFileDecoration(Uri.file('/w/thought-trees/slow/cache') as VsUri))?.badge;
    const told: unknown[] = [];
    decorations.onDidChangeFileDecorations((uris) => told.push(uris?.length));
    tell({ search, paths: ['cache'] });
    assert.equal(await badge(), '◐');
    Object.assign(search, { state: 'interrupted', isActive: false });
    tell({ search, paths: [] });
    assert.deepEqual(told, [1, undefined], 'all folders are asked for again, though none of them changed');
    assert.equal(await badge(), undefined);
  });
});
