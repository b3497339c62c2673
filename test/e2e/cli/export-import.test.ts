import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stepsAnswer } from '../../support/game24/game24-server.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { type CliEnd, runCli } from './run-cli.ts';

describe('thought-tree export and import', () => {
  let server: ScriptedServer;
  let cwd: string;
  before(async () => {
    server = await startScriptedServer({ answer: stepsAnswer() });
  });
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'thought-tree-export-'));
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));
  after(() => server.close());

  async function run(code: number, ...args: string[]): Promise<CliEnd> {
    const env = { THOUGHT_TREE_BASE_URL: server.baseUrl, THOUGHT_TREE_MODEL: 'openai-compatible/scripted' };
    const end = await runCli(args, { cwd, env });
    assert.equal(end.code, code, `${end.stderr}\n${end.stdout}`);
    return end;
  }
  const thoughts = ['--kind', 'thoughts', '--task', 'game24', '--strategy', 'depth-first'];
  const begun = (): Promise<CliEnd> => run(3, 'start', '4 9 10 13', ...thoughts, '--max-calls', '2', '--dir', 'a');

  it('moves a search elsewhere, where it is the same and continues', async () => {
    await begun();
    const { stdout } = await run(0, 'export', 'a', '--format', 'thought-tree', '--out', 'a.json');
    assert.equal(stdout, '4 nodes in a.json\n');
    const snapshot = JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8'));
    const { strategy, max_depth } = snapshot.search_config;
    assert.deepEqual([strategy, max_depth], ['DFS', 3]);
    assert.deepEqual(snapshot.nodes.root.children_ids, ['node_1', 'node_2', 'node_3']);
    assert.equal(snapshot.nodes.node_3.status, 'pruned');
    assert.equal(snapshot.nodes.node_3.metadata.thought_tree.prunedBy, 'verifier');
    assert.deepEqual(snapshot.search_state.pruned.at(-1), 'node_3');

    const told = await run(0, 'import', 'a.json', '--dir', 'b');
    assert.match(told.stdout, /^4 nodes in b\. To continue:\n {2}thought-tree resume b --folder \.\n$/);
    const again = await run(0, 'export', 'b');
    assert.equal(again.stdout, await readFile(join(cwd, 'a.json'), 'utf8'));
    const [one, other] = await Promise.all(
      ['a', 'b'].map(async (dir) => JSON.parse((await run(0, 'status', dir, '--json')).stdout)),
    );
    assert.deepEqual(other.nodes, one.nodes);
    assert.equal(other.state, 'interrupted');
    const end = await run(0, 'resume', 'b');
    assert.match(end.stdout, /^Answer: \(10 - 4\) \* \(13 - 9\) = 24$/m);
  });

  it('writes a search for people: one page, Markdown, a drawing; and takes its JSON back, whatever its kind', async () => {
    await run(3, 'start', '4 9 10 13', ...thoughts, '--max-calls', '2', '--dir', 'thought-trees/a');
    const page = await run(0, 'export', 'thought-trees/a', '--html', '--out', '.');
    assert.match(page.stdout, /^\d+ nodes? in a\.html\n$/);
    assert.match(await readFile(join(cwd, 'a.html'), 'utf8'), /^<!DOCTYPE html>[\s\S]*<h1 dir="auto">4 9 10 13<\/h1>/);
    await rm(join(cwd, 'a.html'));
    // In a terminal the page goes to a file, too: its HTML would fill the screen.
    const command = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));
    const typed = `'${process.execPath}' '${command}' export thought-trees/a --html`;
    const shown = spawnSync('script', ['-qec', typed, '/dev/null'], { cwd, encoding: 'utf8' }).stdout;
    assert.match(shown, /^\d+ nodes? in a\.html\s*$/);
    assert.match(await readFile(join(cwd, 'a.html'), 'utf8'), /^<!DOCTYPE html>/);
    const { stdout } = await run(0, 'export', 'thought-trees/a', '--markdown');
    assert.match(stdout, /^# 4 9 10 13\n[\s\S]*The whole search is in the folder thought-trees\/a\./);
    assert.match((await run(0, 'export', 'thought-trees/a', '--svg')).stdout, /^<svg /);
    const refused = await run(2, 'export', 'thought-trees/a', '--html', '--format', 'json');
    assert.match(refused.stderr, /cannot be used with/);

    await run(0, 'export', 'thought-trees/a', '--format', 'json', '--out', 'a.json');
    await run(0, 'import', 'a.json', '--dir', 'b');
    // All but the link, which leads to where each of them is.
    const unlinked = (json: string): unknown => ({ ...JSON.parse(json), link: undefined });
    const again = await run(0, 'export', 'b', '--format', 'json');
    assert.deepEqual(unlinked(again.stdout), unlinked(await readFile(join(cwd, 'a.json'), 'utf8')));
    assert.match(JSON.parse(again.stdout).link, /search=b$/);
  });

  it("takes an investigation from an older server's file, gives it back as it was, and draws it", async () => {
    const sessionId = '8f14e45f-ceea-467f-a0e6-3d1d2b9c5a10';
    const node = {
      title: 'Begin',
      state: 'EXPLORE',
      findings: 'Look.\n\n## References\n- src/a.ts - read\n',
      round: 1,
    };
    const file = {
      sessionId,
      query: 'Why?',
      projectDir: '/home/me/project',
      minRoots: 1,
      currentRound: 1,
      currentBatch: 0,
      nodes: { 'R1.A': { id: 'R1.A', parent: null, ...node, children: [] } },
      pendingProposals: {
        'R2.A1': { id: 'R2.A1', parent: 'R1.A', title: 'Next', plannedAction: 'Read', proposedAt: 1_700_000_000_000 },
      },
      usedAgentIds: { abcdef0: 'R1.A' },
      createdAt: 1_700_000_000_000,
      updatedAt: 1_700_000_000_000,
    };
    await writeFile(join(cwd, 'in.json'), JSON.stringify(file));
    await run(0, 'import', 'in.json', '--dir', 'a');
    assert.deepEqual(JSON.parse((await run(0, 'export', 'a')).stdout), file);
    await mkdir(join(cwd, 'out'));
    await run(0, 'export', 'a', '--out', 'out');
    await run(0, 'export', 'a', '--format', 'dot', '--out', 'out');
    assert.deepEqual((await readdir(join(cwd, 'out'))).sort(), [`${sessionId}.json`, `${sessionId}.tot-graph.dot`]);
    assert.match(
      (await run(0, 'export', 'a', '--format', 'dot')).stdout,
      /^digraph Investigation \{.*R1_A \[fillcolor=lightblue/s,
    );
    assert.equal((await run(0, 'export', 'a', '--format', 'references')).stdout, 'src/a.ts\n');
    const { stderr } = await run(1, 'import', join('out', `${sessionId}.tot-graph.dot`));
    assert.match(stderr, /JSON/);
  });

  it('begins with the message that begins a search in its source', async () => {
    const payload = {
      task_id: 'tot-1',
      problem: '4 9 10 13',
      task_type: 'math_reasoning',
      search_config: { strategy: 'DFS', max_depth: 3 },
    };
    await writeFile(join(cwd, 'begin.json'), JSON.stringify({ type: 'initialize_search', payload }));
    assert.match((await run(0, 'import', 'begin.json', '--dir', 'c')).stdout, /^1 node in c\./);
    await mkdir(join(cwd, 'out'));
    assert.equal((await run(0, 'export', 'c', '--out', 'out')).stdout, '1 node in out/tree-snapshot-tot-1.json\n');
    const { task_id, search_config } = JSON.parse(await readFile(join(cwd, 'out', 'tree-snapshot-tot-1.json'), 'utf8'));
    assert.deepEqual([task_id, search_config.strategy, search_config.max_depth], ['tot-1', 'DFS', 3]);
  });

  it('reads the last line that a search printed with --json', async () => {
    const { stdout } = await run(0, 'start', '4 9 10 13', ...thoughts, '--json');
    await writeFile(join(cwd, 'end.json'), stdout.trim().split('\n').at(-1) as string);
    await run(0, 'import', 'end.json', '--title', 'Once more');
    const { stdout: status } = await run(0, 'status', 'thought-trees/once-more');
    assert.match(status, /node_2_1_2 \[6 \* 4 = 24 \(left: 24\)\]/);
  });

  it('reports what it cannot do, and leaves nothing behind', async () => {
    await begun();
    await run(0, 'export', 'a', '--out', 'a.json');
    assert.match((await run(2, 'export', 'a', '--out', 'a.json')).stderr, /There is a file .*a\.json already/);
    assert.match((await run(2, 'import', 'a.json', '--dir', 'a')).stderr, /already exists and is not empty/);
    assert.match((await run(2, 'import', 'a.json', '--dir', '.')).stderr, /needs a folder of its own/);
    assert.match((await run(2, 'import', 'none.json')).stderr, /There is no file .*none\.json/);
    const snapshot = JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8'));
    snapshot.nodes.node_1.parent_id = 'node_7';
    await writeFile(join(cwd, 'b.json'), JSON.stringify(snapshot));
    assert.match((await run(1, 'import', 'b.json')).stderr, /the parent of "node_1", "node_7", is not among the nodes/);
    await writeFile(join(cwd, 'c.json'), '{\n  "nodes": [,]\n}');
    assert.match((await run(1, 'import', 'c.json')).stderr, /c\.json, line 2: this is not valid JSON/);
    assert.deepEqual((await readdir(cwd)).sort(), ['a', 'a.json', 'b.json', 'c.json']);
  });
});
