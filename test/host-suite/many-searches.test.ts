import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { LibraryChange, SearchLibrary } from '../../src/extension/library/search-library.ts';
import type { TreeReader } from '../../src/extension/sidebar/tree-reader.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { extension, next, until, workspace } from './editor.ts';

/** A folder that the editor of these tests does not watch: it would tell of 20,000 files for a while. */
const FOLDER = 'many-trees';
const SEARCHES = 20;
const TOPICS = 20;
const BELOW = 249;
const NODES = TOPICS * (1 + BELOW);
const time = '2026-01-01T00:00:00.000Z';

const json = (value: unknown): string => JSON.stringify(value);
const slugs = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}-${i + 1}`);

/** A search of 5,000 nodes, all of them in its journal; on disk the first level, and with `whole` the rest. */
function writeSearch(folder: string, index: number, whole: boolean): void {
  const listed = (names: readonly string[]): string => json(names.map((slug) => ({ title: slug, slug })));
  const writeNode = (path: string, status: string, children: readonly string[]): void => {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'node.json'), json({ title: path, slug: path.split('/').at(-1), status }));
    writeFileSync(join(folder, path, 'children.json'), listed(children));
  };
  const [topics, below] = [slugs('topic', TOPICS), slugs('part', BELOW)];
  for (const topic of topics) {
    writeNode(topic, 'expanded', below);
    if (whole) for (const part of below) writeNode(`${topic}/${part}`, 'leaf', []);
  }
  writeFileSync(join(folder, 'children.json'), listed(topics));
  const createdAt = new Date(Date.UTC(2026, 0, 1 + index)).toISOString();
  const search = { version: 1, kind: 'research', title: `Search ${index}`, prompt: 'Why?', options: {}, createdAt };
  writeFileSync(join(folder, 'search.json'), json(search));
  mkdirSync(join(folder, '.search'));
  const children = (names: readonly string[]): object[] => names.map((slug) => ({ title: slug, slug }));
  const events = [
    { type: 'search-started', model: 'some/model', limits: { size: 'all', maxDepth: 4, guards: {} } },
    { type: 'node-added', node: '', children: children(topics) },
    ...topics.map((node) => ({ type: 'node-added', node, children: children(below) })),
    ...topics.map((node) => ({ type: 'node-status', node, status: 'expanded' })),
  ];
  const lines = events.map((event, i) => `${json({ seq: i + 1, time, ...event })}\n`);
  writeFileSync(join(folder, '.search/journal.jsonl'), lines.join(''));
}

describe('20 searches of 5,000 nodes', () => {
  const at = (slug: string): string => join(workspace(), FOLDER, slug);
  const names = slugs('search', SEARCHES);
  const [newest = ''] = names.slice(-1);
  const configure = (folder: string | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration('thoughtTree').update('folder', folder, vscode.ConfigurationTarget.Global);
  /** What was opened, listed or looked at below the folder of the searches, with `/`. */
  const looked: string[] = [];
  const originals = { ...fs };
  let library: SearchLibrary;
  let Reader: typeof TreeReader;

  before(async () => {
    await extension().activate();
    for (const [index, name] of names.entries()) writeSearch(at(name), index, name === newest);
    await configure(FOLDER);
    // Counted from here on: what is imported after this takes hold of these.
    for (const name of ['open', 'readdir', 'lstat', 'stat', 'readFile'] as const) {
      const original = originals[name] as (path: unknown, ...rest: unknown[]) => unknown;
      Object.assign(fs, {
        [name]: (path: unknown, ...rest: unknown[]) => {
          const below = relative(join(workspace(), FOLDER), String(path)).split(sep).join('/');
          if (!below.startsWith('..')) looked.push(below); // the editor has its own business elsewhere
          return original(path, ...rest);
        },
      });
    }
    library = new (await import('../../src/extension/library/search-library.ts')).SearchLibrary(KINDS);
    Reader = (await import('../../src/extension/sidebar/tree-reader.ts')).TreeReader;
  });
  after(async () => {
    library?.dispose();
    Object.assign(fs, originals);
    await configure(undefined);
    rmSync(join(workspace(), FOLDER), { recursive: true, force: true });
  });

  it('are listed by their titles, the newest first, before any journal is read', async () => {
    await library.open();
    assert.deepEqual(
      library.searches.map(({ title }) => title),
      names.map((_, index) => `Search ${index}`).reverse(),
    );
    assert.deepEqual([...new Set(library.searches.map(({ isRead, size }) => `${isRead} ${size}`))], ['false 0']);
  });

  it('are read to their ends, at a cost that does not depend on their nodes', async () => {
    await library.read;
    for (const search of library.searches) assert.deepEqual([search.size, search.problem], [NODES, undefined]);
    const deep = looked.filter((path) => path.includes('/part-'));
    assert.deepEqual(deep, [], 'no node below the first level was looked at');
    assert.ok(looked.length < NODES / 2, `${looked.length} looks at the files of ${SEARCHES * NODES} nodes`);
  });

  it('show their topics in pages, each read separately', async () => {
    const [search] = library.searches;
    assert.ok(search);
    const root = { kind: 'search', search, folder: search.folder, path: '', isOpen: true } as const;
    const reader = new Reader();
    const { nodes } = await reader.list(root, 200);
    assert.equal(nodes.length, TOPICS);
    const [topic] = nodes;
    assert.ok(topic);
    const { slugs: all, nodes: page } = await reader.list(topic, 200);
    assert.deepEqual([all.length, page.length], [BELOW, 200]);
  });

  it('cost nothing but rereading one if one of them changes', async () => {
    const [name = ''] = names.slice(6, 7);
    const changed = next<LibraryChange>(library.onDidChange, ({ search, paths }) =>
      Boolean(search?.folder === at(name) && paths?.includes('topic-3/part-7')),
    );
    looked.length = 0;
    const event = { seq: 100, time, type: 'node-status', node: 'topic-3/part-7', status: 'leaf' };
    appendFileSync(join(at(name), '.search/journal.jsonl'), `${json(event)}\n`);
    await changed;
    assert.equal(library.search(at(name))?.count('leaf'), 1);
    assert.deepEqual(
      looked.filter((path) => !path.startsWith(`${name}/`) && path !== name),
      [],
    );
    assert.ok(looked.length <= 2 * TOPICS + 20, `${looked.length} looks at files`);
  });

  it('are all known to the extension itself', async () => {
    const { searches } = extension().exports;
    await until('it has them', () => searches().length === SEARCHES);
  });
});
