import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { NodeStatus } from '../../src/core/tree/node-file.ts';
import { type LibraryChange, SearchLibrary } from '../../src/extension/library/search-library.ts';
import { NodeDecorations } from '../../src/extension/sidebar/node-item.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { eventsOf, extension, next, searchFolder, stateOf, until, workspace } from './editor.ts';

const time = '2026-01-01T00:00:00.000Z';

/** Journal lines, numbered from 1. */
function lines(...events: readonly object[]): string {
  return events.map((event, i) => `${JSON.stringify({ seq: i + 1, time, ...event })}\n`).join('');
}
const status = (node: string, to: NodeStatus): object => ({ type: 'node-status', node, status: to });

/** Writes a search of two nodes by hand, without a journal. */
async function writeSearch(slug: string): Promise<string> {
  const folder = searchFolder(slug);
  const write = async (file: string, content: unknown): Promise<void> => {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), JSON.stringify(content));
  };
  for (const [node, state] of Object.entries({ cache: 'expanded', network: 'pruned' })) {
    await write(`${node}/node.json`, { title: node, slug: node, status: state });
    await write(`${node}/children.json`, []);
  }
  const titles = ['cache', 'network'].map((each) => ({ title: each, slug: each }));
  await write('children.json', titles);
  await write('search.json', { version: 1, kind: 'research', title: slug, prompt: 'Why?', options: {} });
  return folder;
}

describe('following a search that others write', () => {
  let library: SearchLibrary;
  const processes: ChildProcess[] = [];
  const changeAt = (folder: string, path?: string) =>
    next<LibraryChange>(
      library.onDidChange,
      ({ search, paths }) => search?.folder === folder && (path === undefined || paths?.includes(path) === true),
    );

  before(async () => {
    await extension().activate();
    library = new SearchLibrary(KINDS);
    await library.open();
  });
  after(() => {
    library.dispose();
    for (const child of processes) child.kill('SIGKILL');
  });

  it('sees a search that a terminal runs come, grow and end', async () => {
    const cli = join(extension().extensionPath, 'dist/cli.cjs');
    const args = [cli, 'start', 'What does the server do?', '--model', 'workspace/quotes', '--size', 'small'];
    const child = spawn(process.execPath, args, { cwd: workspace(), stdio: 'ignore' });
    processes.push(child);
    const ended = once(child, 'close');
    const folder = searchFolder('what-does-the-server-do');
    await until('the library has it', () => library.search(folder));
    await stateOf(folder, 'finished');
    const followed = await until('the library knows the end', () => {
      const found = library.search(folder);
      return found?.state === 'finished' && found.hasReport ? found : undefined;
    });
    assert.deepEqual(await ended, [0, null]);
    assert.equal(extension().exports.isRunning(folder), false);
    assert.ok(followed.size > 0);
    assert.equal(followed.count('unexpanded', 'in-progress'), 0);
    const calls = await eventsOf(folder, 'call-ended');
    assert.equal(followed.spend.calls, calls.filter(({ charged }) => charged).length);
    assert.equal(followed.model, 'workspace/quotes');
  });

  it('tells of a node that a person edits by hand, by its path', async () => {
    const folder = await writeSearch('by-hand');
    await until('the library has it', () => library.search(folder));
    const told = changeAt(folder, 'later');
    let isTold = false;
    void told.then(() => {
      isTold = true;
    });
    // In a folder that comes once the search is watched: the editor may miss folders made quickly inside each other.
    await mkdir(join(folder, 'later'));
    const content = JSON.stringify({ title: 'Later', slug: 'later', status: 'pruned' });
    // Saved until it is seen: watching a new folder begins when the editor gets round to it.
    await until('it is told', async () => {
      await writeFile(join(folder, 'later/node.json'), content);
      return isTold;
    });
    await told;
    await until('it is counted', () => library.search(folder)?.count('pruned') === 2);
  });

  it('reads a whole branch of which the editor reports only the topmost folder', async () => {
    const folder = await writeSearch('branch');
    await until('the library has it', () => library.search(folder));
    for (const [path, state] of [
      ['added', 'expanded'],
      ['added/below', 'expanded'],
      ['added/below/deep', 'failed'],
    ] as const) {
      await mkdir(join(folder, path), { recursive: true });
      await writeFile(join(folder, path, 'node.json'), JSON.stringify({ title: path, status: state }));
    }
    const seen = await library.search(folder)?.takeIn(['added']);
    assert.deepEqual(seen?.toSorted(), ['added', 'added/below', 'added/below/deep']);
    assert.equal(library.search(folder)?.count('failed'), 1);
  });

  it('decorates the folders of nodes as their files say, and nothing else', async () => {
    const folder = await writeSearch('decorated');
    await until('the library has it', () => library.search(folder));
    const decorations = new NodeDecorations(library);
    const at = async (...path: string[]): Promise<vscode.FileDecoration | undefined> =>
      decorations.provideFileDecoration(vscode.Uri.file(join(folder, ...path)));
    try {
      const done = await at('cache');
      assert.equal(done?.badge, '✓');
      assert.deepEqual(done?.color, new vscode.ThemeColor('charts.green'));
      assert.equal((await at('network'))?.badge, '⊘');
      for (const other of [[], ['cache', 'node.json'], ['elsewhere'], ['.search'], ['..', '..', 'src']])
        assert.equal(await at(...other), undefined, other.join('/'));
    } finally {
      decorations.dispose();
    }
  });

  it('shows a clone, which has no journal, and follows it once somebody runs it', async () => {
    const folder = await writeSearch('clone');
    const followed = await until('the library has it', () => library.search(folder));
    assert.equal(followed.problem, undefined);
    await mkdir(join(folder, '.search'));
    await writeFile(join(folder, '.search/journal.jsonl'), lines(status('cache', 'expanded')));
    await writeFile(join(folder, 'cache/document.md'), '# Cache\n');
    await until('its journal is read', () => library.search(folder)?.count('expanded') === 1);
    // Nothing but the journal changes from here on.
    await appendFile(join(folder, '.search/journal.jsonl'), lines(status('network', 'failed')));
    await until('its journal is followed', () => library.search(folder)?.count('failed') === 1);
  });

  it('says what is wrong with a damaged search, and shows the others', async () => {
    const folder = await writeSearch('damaged');
    await until('the library has it', () => library.search(folder));
    await writeFile(join(folder, 'search.json'), '{ "version": 1,');
    const problem = await until('it has a problem', () => library.search(folder)?.problem);
    assert.match(problem.text, /search\.json/);
    assert.ok(library.searches.length > 1);
  });

  it('forgets a search whose folder is gone', async () => {
    const folder = await writeSearch('gone');
    await until('the library has it', () => library.search(folder));
    await rm(folder, { recursive: true });
    await until('it is forgotten', () => library.search(folder) === undefined);
  });
});
