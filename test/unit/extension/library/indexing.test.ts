import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Model } from '../../../../src/core/ports/model.ts';
import type { RunEnd } from '../../../../src/extension/library/run-request.ts';
import type { SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import type { ModelOpener } from '../../../../src/extension/models/model-opener.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { indexing } from '../../../../src/models/messages.ts';
import { openModel } from '../../../../src/models/open-model.ts';
import { silentModel } from '../../../../src/searches/act-on-search.ts';
import { QUESTION } from '../../../support/searches/simulated-search.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { EventEmitter, fake } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { searchElement } from '../sidebar/sample.ts';

const { SearchRunner } = await import('../../../../src/extension/library/search-runner.ts');
const { FollowedSearch } = await import('../../../../src/extension/library/followed-search.ts');
const { StatusBar } = await import('../../../../src/extension/sidebar/status-bar.ts');
const { searchItem } = await import('../../../../src/extension/sidebar/search-item.ts');

const log = { info() {}, warn() {}, error: assert.fail, debug() {} } as unknown as vscode.LogOutputChannel;

/** A window that begins a search, and what it shows of it. */
async function aWindow(model: Model) {
  const workspace = temporaryFolder('indexing');
  for (let i = 0; i < 30; i++) {
    mkdirSync(join(workspace, `src${i}`));
    writeFileSync(join(workspace, `src${i}`, 'queue.ts'), `export function queue${i}() {}\n`);
  }
  const place = { folder: join(workspace, 'thought-trees', 'why'), workspace };
  const search = new FollowedSearch(place.folder, workspace);
  const changes = new EventEmitter<object>();
  const library = {
    searches: [search],
    search: () => search,
    scan: async () => void (await search.open()),
    tell: () => undefined,
    touch: () => undefined,
    onDidChange: changes.event,
  } as unknown as SearchLibrary;
  new StatusBar(library, available);
  const models = { open: async () => model } as unknown as ModelOpener;
  const runner = new SearchRunner(library, models, log, KINDS);
  const over = new Promise<RunEnd>((resolve) => runner.onDidEnd(resolve));
  await runner.run({ place, model: model.name, create: QUESTION, isAgreed: true });
  /** Resolves once the views, which are told of the journal as it grows, show it. */
  const shows = async (is: () => boolean): Promise<void> => {
    for (; !is(); await new Promise((resolve) => setTimeout(resolve, 10))) {
      await search.refresh();
      changes.fire({ search, paths: [] });
    }
  };
  const row = (): string => String(searchItem(searchElement(search), available)['description' as never]);
  return { runner, place, over, search, shows, row };
}

/** A model that reads a large folder before it answers, until it is stopped. */
function indexes(): { model: Model; isStopped: () => boolean } {
  let stopped = false;
  const generate: Model['generate'] = (_request, { signal, onProgress }) =>
    new Promise((_, reject) => {
      onProgress?.(indexing({ done: 12_000, files: 59_000 }));
      signal.addEventListener('abort', () => {
        stopped = true;
        reject(signal.reason);
      });
    });
  return { model: { ...silentModel('workspace/quotes'), free: true, generate }, isStopped: () => stopped };
}

describe('a folder that is indexed', () => {
  beforeEach(() => fake.reset());

  it('is counted in the status bar, in the row of its search and where it can be cancelled, which stops it', async () => {
    const { model, isStopped } = indexes();
    const { over, search, shows, row } = await aWindow(model);
    await shows(() => fake.statusBar?.text === '$(sync~spin) Indexing: 12,000 of 59,000 files.');
    assert.equal(row(), 'running · Indexing: 12,000 of 59,000 files.');
    assert.deepEqual(fake.reports, ['Indexing: 12,000 of 59,000 files.']);
    assert.equal(isStopped(), false);
    fake.cancel();
    const { outcome } = await over;
    assert.deepEqual([isStopped(), outcome?.state], [true, 'paused']);
    await search.refresh();
    assert.equal(search.doing, undefined);
    assert.equal(row(), 'paused');
  });

  it('is not read on when its search is paused at once', async () => {
    const { model, isStopped } = indexes();
    const { runner, place, over, search, shows } = await aWindow(model);
    await shows(() => search.doing !== undefined);
    await runner.act(place, { action: 'pause', now: true });
    assert.equal((await over).outcome?.state, 'paused');
    assert.equal(isStopped(), true);
  });

  it('gives way to how far the search is once it is read', async () => {
    const workspace = temporaryFolder('indexed');
    const { over, search } = await aWindow(
      await openModel('workspace/quotes', { workspace, cwd: workspace, environment: {} }),
    );
    assert.equal((await over).outcome?.state, 'finished');
    await search.refresh();
    assert.equal(search.doing, undefined);
  });
});
