import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventsOf, extension, stateOf, until } from './editor.ts';

interface Scripted {
  readonly requests: { readonly texts: readonly string[] }[];
  readonly options: { hold?: string | undefined };
}

describe('files changed by hand while this window runs their search', () => {
  const folder = mkdtempSync(join(tmpdir(), 'thought-tree-by-hand-'));
  const hold = join(folder, 'hold');
  let scripted: Scripted;
  let search: string;
  const configure = (concurrency: number | undefined): Thenable<void> =>
    vscode.workspace
      .getConfiguration('thoughtTree')
      .update('concurrency', concurrency, vscode.ConfigurationTarget.Global);
  const reconciled = async (path: string): Promise<boolean> =>
    (await eventsOf(search, 'reconciled')).some(({ node }) => node === path);

  before(async () => {
    await extension().activate();
    const provider = vscode.extensions.getExtension<Scripted>('thought-tree-test.scripted-models');
    assert.ok(provider, 'the second extension is not there');
    scripted = await provider.activate();
    Object.assign(scripted.options, { delay: 0, depth: 1, fanout: 0, hold });
    writeFileSync(hold, '"Storage"');
    await configure(1);
    search = await extension().exports.start({ prompt: 'Who writes here?', model: 'vscode/scripted-1', size: 'small' });
    // The one slot works on the first topic, and is kept from starting the others.
    await until('the first topic is asked for', () =>
      scripted.requests.some(({ texts }) => /document.*"Storage"/.test(texts.at(-1) ?? '')),
    );
  });
  after(async () => {
    Object.assign(scripted.options, { hold: undefined });
    await configure(undefined);
    rmSync(folder, { recursive: true, force: true });
  });

  it('reach it at once: a topic pruned in its file', async () => {
    const file = join(search, 'network/node.json');
    const node = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...node, status: 'pruned' }));
    await until('the search has noticed', () => reconciled('network'));
    assert.equal(extension().exports.isRunning(search), true);
  });

  it('reach it at once: a topic whose folder is deleted', async () => {
    rmSync(join(search, 'startup'), { recursive: true });
    await until('the search has noticed', async () => {
      const events = await eventsOf(search, 'reconciled');
      return events.some(({ node, what }) => /startup/.test(`${node} ${what}`) && /removed/.test(what));
    });
  });

  it('are what it ends with', async () => {
    writeFileSync(hold, '');
    await stateOf(search, 'finished');
    const asked = scripted.requests.map(({ texts }) => texts.at(-1) ?? '').join('\n');
    assert.doesNotMatch(asked, /document on (the topic )?"(Network|Startup)"/);
    const [ended] = (await eventsOf(search, 'search-finished')).slice(-1);
    assert.deepEqual([ended?.results.pruned, ended?.results.open], [1, 0]);
  });
});
