import assert from 'node:assert/strict';
import { lstat, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Investigations } from '../../../src/mcp/investigations/investigations.ts';

describe('the graph of an investigation', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-graph-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('replaces a link that came with the folder, and leaves alone what that leads to', async () => {
    const outside = join(folder, 'outside.txt');
    await writeFile(outside, 'mine\n');
    const search = await mkdtemp(join(folder, 'search-'));
    await symlink(outside, join(search, 'id.tot-graph.json'));
    await symlink(outside, join(search, 'id.tot-graph.dot'));
    const at = new Investigations({ workspace: folder, folder, profile: 'g3', requireAgents: false });
    const file = { version: 1, kind: 'investigation', title: 'Why?', prompt: 'Why?', options: {} } as const;
    const { graphPath, dotPath } = await at.writeGraph(
      { folder: search, file },
      { sessionId: 'id', graph: { nodes: [] }, finalDot: 'digraph {}' },
    );
    assert.equal(await readFile(outside, 'utf8'), 'mine\n');
    assert.deepEqual(JSON.parse(await readFile(String(graphPath), 'utf8')), { nodes: [] });
    assert.equal(await readFile(String(dotPath), 'utf8'), 'digraph {}\n');
    for (const path of [graphPath, dotPath]) assert.ok((await lstat(String(path))).isFile());
  });
});
