import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForReading } from '../../../../src/store/open-store.ts';
import { Uri, window, workspace } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { sampleLibrary, sampleSearch } from '../sidebar/sample.ts';
import { writtenSearch } from './written-search.ts';

const { DocumentLenses } = await import('../../../../src/extension/documents/document-lenses.ts');

/** The links above documents of a search that is written, and what changes in it. */
async function lensesOf() {
  const folder = writtenSearch();
  const file = { version: 1, kind: 'research', title: 'How', prompt: 'How?', options: {} };
  const search = sampleSearch({ folder, file, state: 'paused', isDivided: true, store: await openForReading(folder) });
  const { library, tell } = sampleLibrary(search);
  Object.assign(library, { nodeOf: () => ({ search, path: 'cache/keys' }) });
  const lenses = new DocumentLenses(library, available);
  const above = async (name: string): Promise<(string | undefined)[]> => {
    const found = await lenses.provideCodeLenses({ uri: Uri.file(join(folder, name)) } as never);
    return found.map(
      ({ command }) => `${command?.title}: ${command?.command} ${JSON.stringify(command?.arguments?.[0])}`,
    );
  };
  const titles = async (name: string): Promise<string[]> =>
    (await above(name)).map((each) => String(each?.split(':')[0]));
  const change = (path: string, status: string): void => {
    const node = join(folder, path, 'node.json');
    writeFileSync(node, JSON.stringify({ ...JSON.parse(readFileSync(node, 'utf8')), status }));
  };
  return { folder, search, lenses, above, titles, change, tell };
}

describe('the links above a document', () => {
  afterEach(() => {
    workspace.isTrusted = true;
    window.visibleTextEditors = [];
  });

  it('are what can be done to its node now, and call that for it alone', async () => {
    const { folder, above } = await lensesOf();
    const target = JSON.stringify({ folder, path: 'cache/keys/rate' });
    const [expand, prune, reveal] = await above('cache/keys/rate/document.md');
    assert.equal(expand, `Expand next: thoughtTree.expand ${target}`);
    assert.equal(prune, `Prune branch: thoughtTree.prune ${target}`);
    assert.equal(reveal, `Show in tree: thoughtTree.reveal ${target}`);
  });

  it('change with the node: what is expanded or pruned is offered something else', async () => {
    const { titles, change } = await lensesOf();
    const expanded = await titles('cache/keys/document.md');
    assert.deepEqual(expanded, ['Prune branch', 'Show in tree', 'Open rendered']);
    change('cache/keys', 'pruned');
    assert.deepEqual(await titles('cache/keys/document.md'), ['Restore branch', 'Show in tree', 'Open rendered']);
    change('cache/keys', 'failed');
    assert.ok((await titles('cache/keys/document.md')).includes('Retry'));
  });

  it('spend nothing in a workspace that is not trusted, and are above no other Markdown', async () => {
    const { titles } = await lensesOf();
    workspace.isTrusted = false;
    assert.deepEqual(await titles('cache/keys/rate/document.md'), ['Prune branch', 'Show in tree', 'Open rendered']);
    for (const name of ['report.md', 'notes/document.md', '../document.md']) assert.deepEqual(await titles(name), []);
  });

  it('are asked for again once the node, or what is above it, has changed', async () => {
    const { folder, search, lenses, tell } = await lensesOf();
    let asked = 0;
    lenses.onDidChangeCodeLenses(() => asked++);
    tell({ search, paths: ['cache'] });
    assert.equal(asked, 0, 'nobody sees them');
    window.visibleTextEditors = [{ document: { uri: Uri.file(join(folder, 'cache/keys/document.md')) } }];
    tell({ search, paths: ['other'] });
    assert.equal(asked, 0);
    tell({ search, paths: ['cache'] });
    assert.equal(asked, 1);
  });
});
