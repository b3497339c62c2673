import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { exportSearch } from '../../../src/searches/export-search.ts';
import { importSnapshot } from '../../../src/searches/import-snapshot.ts';
import { overviewOf } from '../../../src/searches/reader/search-overview.ts';
import { REAL_SEARCHES } from '../../support/searches/real-searches.ts';
import { sharedSample } from '../../support/searches/shared-sample.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const REPORT = '# Why\n';

/** Without its link, which names the folder that it is in. */
async function exported(folder: string): Promise<string> {
  return (await exportSearch(KINDS, await overviewOf(KINDS, folder), folder, 'json')).text;
}

/** Imports a text as a file, into a workspace of its own. */
async function imported(text: string, title?: string): Promise<string> {
  const workspace = temporaryFolder('import');
  const file = join(temporaryFolder('exported'), 'search.json');
  writeFileSync(file, text);
  try {
    return (await importSnapshot({ kinds: KINDS, file, workspace, title })).place.folder;
  } catch (error) {
    const searches = readdirSync(workspace).flatMap((name) => readdirSync(join(workspace, name)));
    assert.deepEqual(searches, [], 'nothing is left behind');
    throw error;
  }
}

describe('importing a search that was exported as JSON', () => {
  it('gives the same search back', async () => {
    const { folder } = await sharedSample(undefined, { files: { 'notes.md': 'Be brief.\n', 'plan.yaml': 'a: 1\n' } });
    const before = await exported(folder);
    assert.equal(await exported(await imported(before)), before);
    assert.match(before, /"plan": "a: 1\\n"/);
  });

  for (const name of ['scripted-research', 'thoughts', 'paused-thoughts'] as const)
    it(`gives ${name} back, as the engine left it`, async () => {
      const folder = join(temporaryFolder('real'), 'search');
      await REAL_SEARCHES[name](folder);
      const before = await exported(folder);
      assert.equal(await exported(await imported(before)), before);
    });

  it('takes another title', async () => {
    const { folder } = await sharedSample();
    const again = await imported(await exported(folder), 'My copy');
    assert.match(again, /my-copy$/);
    assert.equal((await overviewOf(KINDS, again)).file.title, 'My copy');
  });
});

describe('a hostile file instead of an exported search', () => {
  const search = { version: 1, kind: 'research', title: 'Why', prompt: 'Why?', options: {} };
  const whole = {
    search,
    children: ['a'],
    nodes: [{ path: 'a', title: 'A', status: 'leaf', document: 'x', children: [] }],
  };

  for (const [what, value, why] of [
    ['no prompt', { ...whole, search: { ...search, prompt: '' } }, /not a search as it was exported: .*prompt/],
    ['no list of nodes', { ...whole, nodes: [{ path: 5 }] }, /not a search as it was exported/],
    ['a newer version', { ...whole, search: { ...search, version: 99 } }, /newer Thought Tree exported this search/],
    [
      'a path upwards',
      { ...whole, nodes: [{ path: '../a', title: 'A' }] },
      /the path "\.\.\/a", which cannot be a folder/,
    ],
    ['an absolute path', { ...whole, nodes: [{ path: '/etc', title: 'A' }] }, /cannot be a folder/],
    [
      'a path into our own files',
      { ...whole, nodes: [{ path: '.search/requests', title: 'A' }] },
      /cannot be a folder/,
    ],
    ['a path with a drive', { ...whole, nodes: [{ path: 'C:\\x', title: 'A' }] }, /cannot be a folder/],
    ['the name of a file', { ...whole, nodes: [{ path: 'report.md', title: 'A' }] }, /cannot be a folder/],
    [
      'a node twice',
      {
        ...whole,
        nodes: [
          { path: 'a', title: 'A' },
          { path: 'A', title: 'A' },
        ],
      },
      /the node "A" is in it twice/,
    ],
    [
      'a node without one above it',
      { ...whole, nodes: [{ path: 'a/b', title: 'A' }] },
      /the node above "a\/b" is missing/,
    ],
    [
      'a node above that is written in other letters',
      {
        ...whole,
        nodes: [
          { path: 'a', title: 'A' },
          { path: 'A/b', title: 'B' },
        ],
      },
      /the node above "A\/b" is written "a": write both alike/,
    ],
    [
      'a document that is none',
      { ...whole, nodes: [{ path: 'a', document: { toString: 1 } }] },
      /not a search as it was exported/,
    ],
  ] as const)
    it(`is refused with ${what}, and nothing is written`, async () => {
      await assert.rejects(imported(JSON.stringify(value)), why);
    });

  it('loses fields that are no fields of a node, and keeps the node', async () => {
    const node = { ...whole.nodes[0], status: 'evil', evaluation: { score: 1e9 }, prunedBy: 5, title: 7 };
    const overview = await overviewOf(KINDS, await imported(JSON.stringify({ ...whole, nodes: [node] })));
    const [first] = overview.tree.root.children;
    assert.deepEqual([first?.title, first?.evaluation], ['Untitled', undefined]);
  });

  it('cannot bring a journal, a request or a conversation', async () => {
    const more = {
      '.search': { journal: 'x' },
      journal: [{ type: 'search-started' }],
      __proto__: { polluted: true },
      report: REPORT,
    };
    const folder = await imported(JSON.stringify({ ...whole, ...more }));
    assert.deepEqual(readdirSync(folder).sort(), ['.search', 'a', 'children.json', 'report.md', 'search.json']);
    assert.deepEqual(
      readdirSync(join(folder, '.search')).filter((name) => /request|conversation|call/.test(name)),
      [],
    );
  });
});
