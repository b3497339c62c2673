import assert from 'node:assert/strict';
import { lstat, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FoundInvestigation, Investigations } from '../../../src/mcp/investigations.ts';

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

describe('the rules of a server', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-rules-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const WEAKER = [
    [{ minRounds: 8, requireAgents: false }, { minRounds: 1 }, /--min-rounds 1\b/],
    [{ requireAgents: false }, { minRounds: 1 }, /at least 5/],
    [{ requireAgents: true }, { requireAgents: false }, /--require-agents/],
  ] as const;
  for (const [rules, edit, said] of WEAKER)
    it(`are not weakened by an edit of search.json: ${JSON.stringify(edit)}`, async () => {
      const server = new Investigations({ workspace: folder, folder, profile: 'strict', ...rules });
      const { sessionId } = await server.start({ query: 'Why?' });
      const found = async () => (await server.find(String(sessionId))) as FoundInvestigation;
      const nodes = [{ id: 'R1.A', parent: null, title: 'Why?', plannedAction: 'Look' }];
      const propose = { action: 'propose', nodes };
      const { folder: at } = await found();
      const file = join(at, 'search.json');
      const honest = JSON.parse(await readFile(file, 'utf8'));
      await writeFile(file, JSON.stringify({ ...honest, options: { ...honest.options, ...edit } }));
      await assert.rejects(server.call(await found(), propose), said);
      await writeFile(file, JSON.stringify(honest));
      assert.equal((await server.call(await found(), propose))['status'], 'OK');
    });
});
