import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SOURCES } from '../../support/investigation/played.ts';
import { McpClient, MODES } from './mcp-client.ts';

type Reply = Readonly<Record<string, unknown>>;

const node = (id: string, parent: string | null): object => ({
  id,
  parent,
  title: `About ${id}`,
  plannedAction: 'Look',
});
const found = (nodeId: string, state: string, agentId?: string): object => ({
  nodeId,
  state,
  findings: SOURCES,
  ...(agentId && { agentId }),
});

describe('thought-tree mcp', function () {
  this.timeout(120_000);
  let dir: string;
  const clients: McpClient[] = [];
  const open = async (args: readonly string[] = [], options = {}): Promise<McpClient> => {
    const client = await McpClient.open(['--dir', dir, ...args], options);
    clients.push(client);
    return client;
  };
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'thought-tree-mcp-test-'));
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close().catch(() => undefined);
    await rm(dir, { recursive: true, force: true });
  });

  /** Begins an investigation with a committed root. */
  async function begin(client: McpClient, agentId?: string): Promise<string> {
    const { sessionId } = await client.call('tot_start', { query: 'Why is it slow?', projectDir: '' });
    await ok(client, 'tot_propose', { sessionId, nodes: [node('R1.A', null)] });
    await ok(client, 'tot_commit', { sessionId, results: [found('R1.A', 'EXPLORE', agentId)] });
    return sessionId as string;
  }

  async function ok(client: McpClient, tool: string, args: object): Promise<Reply> {
    const reply = await client.call(tool, args);
    assert.equal(reply['status'], 'OK', JSON.stringify(reply));
    return reply;
  }

  for (const mode of MODES)
    it(`does what its documentation shows (${mode})`, async () => {
      await writeFile(join(dir, 'requests.md'), '# Requests\n\nRequests wait in the queue.\n');
      const client = await open([], { mode });
      const text = await readFile(new URL('../../../doc/mcp.md', import.meta.url), 'utf8');
      const blocks = [...text.matchAll(/^```json\n(.*?)^```/gms)].map((match) => JSON.parse(match[1] as string));
      assert.ok(blocks.length >= 32);
      const named = new Map<string, unknown>();
      const filled = (block: unknown): object =>
        JSON.parse(
          JSON.stringify(block).replaceAll(/"(SESSION|NODE)"/g, (_, name: string) => JSON.stringify(named.get(name))),
        ) as object;
      for (let i = 0; i < blocks.length; i += 2) {
        const { tool, arguments: args } = filled(blocks[i]) as { tool: string; arguments: object };
        const reply = await client.call(tool, args);
        if (tool === 'tot_start') named.set('SESSION', reply['sessionId']);
        if (reply['what'] === 'outline') named.set('NODE', (reply['nodes'] as { node: string }[])[0]?.node);
        assertHas(reply, filled(blocks[i + 1]), tool);
      }
    });

  it('writes nothing before a tool is called, and says how an investigation is led', async () => {
    const client = await open();
    const tools = await client.tools();
    const rounds = ['start', 'propose', 'commit', 'reclassify', 'status', 'end', 'list'].map((name) => `tot_${name}`);
    const trees = ['start', 'wait', 'status', 'read', 'act', 'list'].map((name) => `tree_${name}`);
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...rounds, ...trees, 'atom_next', 'atom_take', 'atom_done', 'panel_changes'],
    );
    assert.match(client.instructions, /fresh agent for every proposed node/);
    assert.deepEqual(await client.call('tot_list', {}), { investigations: [] });
    assert.deepEqual(await readdir(dir), []);
  });

  it('leads a whole investigation, with a server that is killed between any two calls', async () => {
    const calls: [string, object, object?][] = [
      ['tot_propose', { nodes: [node('R1.A', null)] }],
      ['tot_commit', { results: [found('R1.A', 'EXPLORE')] }],
      ['tot_propose', { nodes: [node('R2.A1', 'R1.A'), node('R2.A2', 'R1.A')] }],
      ['tot_commit', { results: [found('R2.A1', 'EXPLORE'), found('R2.A2', 'DEAD')] }],
      ['tot_propose', { nodes: [node('R3.A1a', 'R2.A1'), node('R3.A1b', 'R2.A1')] }],
      ['tot_commit', { results: [found('R3.A1a', 'EXPLORE'), found('R3.A1b', 'DEAD')] }],
      ['tot_propose', { nodes: [node('R4.A1a1', 'R3.A1a'), node('R4.A1a2', 'R3.A1a')] }],
      ['tot_commit', { results: [found('R4.A1a1', 'FOUND'), found('R4.A1a2', 'DEAD')] }],
      ['tot_propose', { nodes: [node('R5.A1a1a', 'R4.A1a1')] }],
      ['tot_end', {}, { status: 'REJECTED' }],
      ['tot_commit', { results: [found('R5.A1a1a', 'VERIFY')] }],
      ['tot_status', {}, { canEnd: true, totalNodes: 8, unverified: 8 }],
      ['tot_end', {}, { totalRounds: 5, deadEnds: 3, references: ['src/a.ts'] }],
    ];
    let client = await open();
    const { sessionId } = await client.call('tot_start', { query: 'Why is it slow?' });
    for (const [tool, args, expected = {}] of calls) {
      await client.kill();
      client = await open();
      assertHas(await client.call(tool, { sessionId, ...args }), { status: 'OK', ...expected }, tool);
    }
    const report = await readFile(join(dir, 'thought-trees', 'why-is-it-slow', 'report.md'), 'utf8');
    assert.match(report, /## What was found\n\n- \[R4\.A1a1 About R4\.A1a1\]\(r1-a-about-r1-a\/.*document\.md\)/);
  });

  it('keeps a commit as a whole or not at all where it is killed in the middle', async () => {
    let kept = 0;
    for (let round = 0; round < 8; round++) {
      const client = await open();
      const sessionId = await begin(client);
      const ids = ['R2.A1', 'R2.A2', 'R2.A3', 'R2.A4'];
      await ok(client, 'tot_propose', { sessionId, nodes: ids.map((id) => node(id, 'R1.A')) });
      const call = client.call('tot_commit', { sessionId, results: ids.map((id) => found(id, 'DEAD')) });
      call.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 4 + round * 4));
      await client.kill();
      const again = await open();
      const { totalNodes, pendingProposals } = await ok(again, 'tot_status', { sessionId });
      const all = [totalNodes, (pendingProposals as string[]).length];
      assert.ok(String(all) === '1,4' || String(all) === '5,0', String(all));
      if (totalNodes === 1) await ok(again, 'tot_commit', { sessionId, results: ids.map((id) => found(id, 'DEAD')) });
      else kept++;
      await again.close();
    }
    assert.ok(kept < 8);
  });

  it('lets two servers work on one investigation at once', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const sessionId = await begin(one);
    const lead = async (client: McpClient, letter: string): Promise<void> => {
      for (let i = 1; i <= 4; i++) {
        const id = `R2.A${letter}${i}`;
        await ok(client, 'tot_propose', { sessionId, nodes: [node(id, 'R1.A')] });
        await ok(client, 'tot_commit', { sessionId, results: [found(id, 'DEAD')] });
      }
    };
    await Promise.all([lead(one, 'x'), lead(other, 'y')]);
    const { totalNodes, pendingProposals } = await ok(one, 'tot_status', { sessionId });
    assert.deepEqual([totalNodes, pendingProposals], [9, []]);
    // Both propose the same node: one of them is refused.
    const both = await Promise.all(
      [one, other].map((client) => client.call('tot_propose', { sessionId, nodes: [node('R2.Az', 'R1.A')] })),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), ['OK', 'REJECTED']);
  });

  it('shows a call as a whole or not at all while another server writes it', async () => {
    const [writer, reader] = await Promise.all([open(), open(['--read-only'])]);
    const sessionId = await begin(writer);
    let isOver = false;
    const write = async (): Promise<void> => {
      for (const letter of 'abcdef') {
        const ids = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `R2.A${letter}${i}`);
        await ok(writer, 'tot_propose', { sessionId, nodes: ids.map((id) => node(id, 'R1.A')) });
        await ok(writer, 'tot_commit', { sessionId, results: ids.map((id) => found(id, 'DEAD')) });
      }
      isOver = true;
    };
    const seen = new Set<string>();
    const read = async (): Promise<void> => {
      while (!isOver) {
        const { totalNodes, pendingProposals } = await ok(reader, 'tot_status', { sessionId });
        seen.add(`${((totalNodes as number) - 1) % 8} ${(pendingProposals as string[]).length % 8}`);
      }
    };
    await Promise.all([write(), read(), read(), read()]);
    assert.deepEqual([...seen], ['0 0']);
  });

  it('looks for agents in their session files, by either form of their ids', async () => {
    const config = join(dir, 'config');
    const project = '/home/me/my.project';
    const sessions = join(config, 'projects', '-home-me-my-project');
    await mkdir(join(sessions, 's1', 'subagents'), { recursive: true });
    await writeFile(join(sessions, 's1.jsonl'), '{}\n');
    for (const id of ['a0123456789abcdef', 'abcdef0'])
      await writeFile(join(sessions, 's1', 'subagents', `agent-${id}.jsonl`), '{}\n');
    const client = await open([], { env: { CLAUDE_CONFIG_DIR: config } });
    const { sessionId } = await client.call('tot_start', { query: 'Why?', projectDir: project });
    await ok(client, 'tot_propose', { sessionId, nodes: [node('R1.A', null)] });
    const commit = (id: string, agentId: string): Promise<Reply> =>
      client.call('tot_commit', { sessionId, results: [found(id, 'EXPLORE', agentId)] });
    assertHas(await commit('R1.A', 'abcdef1'), { status: 'REJECTED', errors: [{ error: 'FAKE_AGENT' }] }, 'missing');
    assertHas(await commit('R1.A', 'a0123456789abcdef'), { status: 'OK', unverified: 0 }, 'today’s');
    await ok(client, 'tot_propose', { sessionId, nodes: [node('R2.A1', 'R1.A')] });
    assertHas(await commit('R2.A1', 'a0123456789abcdef'), { errors: [{ error: 'REUSED_AGENT' }] }, 'used');
    assertHas(await commit('R2.A1', 'abcdef0'), { status: 'OK', unverified: 0 }, 'the older form');
    // The older server knows the older encoding of the path alone, and finds no sessions there.
    const old = await open(['--profile', 'g2'], { env: { CLAUDE_CONFIG_DIR: config } });
    const begun = await old.call('tot_start', { query: 'Why?', projectDir: project });
    await ok(old, 'tot_propose', { sessionId: begun['sessionId'], nodes: [node('R1.A', null)] });
    const result = await ok(old, 'tot_commit', {
      sessionId: begun['sessionId'],
      results: [found('R1.A', 'EXPLORE', 'abcdef1')],
    });
    assert.ok((result['warnings'] as string[]).some((warning) => warning.startsWith('UNVERIFIED_AGENT')));
  });

  it('says that input does not fit, and that an investigation is not there', async () => {
    const client = await open(['--profile', 'g1']);
    assert.equal((await client.raw('tot_start', { query: 'Why?', minRoots: 0 })).isError, true);
    const { sessionId } = await client.call('tot_start', { query: 'Why?', minRoots: 1, unknown: 'ignored' });
    const without = { sessionId, nodes: [{ id: 'R1.A', title: 'A', plannedAction: 'Look' }] };
    assert.equal((await client.raw('tot_propose', without)).isError, true);
    await ok(client, 'tot_propose', { sessionId, nodes: [node('R1.A', null)] });
    assert.equal((await client.raw('tot_commit', { sessionId, results: [found('R1.A', 'FOUND')] })).isError, true);
    const twice = { sessionId, results: [found('R1.A', 'DRILL'), found('R1.A', 'DEAD')] };
    assert.equal((await client.raw('tot_commit', twice)).isError, true);
    for (const tool of ['tot_propose', 'tot_commit', 'tot_reclassify', 'tot_status', 'tot_end']) {
      const args = { sessionId: 'none', nodes: [], results: [], nodeId: 'R1.A', newState: 'DEAD' };
      assertHas(await client.call(tool, args), { status: 'REJECTED' }, tool);
    }
  });

  it('offers only what changes nothing where it may only read', async () => {
    const sessionId = await begin(await open());
    const reader = await open(['--read-only']);
    const tools = await reader.tools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        'tot_status',
        'tot_end',
        'tot_list',
        'tree_wait',
        'tree_status',
        'tree_read',
        'tree_list',
        'atom_next',
        'panel_changes',
      ],
    );
    for (const { annotations } of tools) assertHas(annotations ?? {}, { readOnlyHint: true }, 'annotations');
    assertHas(await reader.call('tot_end', { sessionId }), { status: 'REJECTED', totalNodes: 1 }, 'tot_end');
  });

  it('writes the two files of the latest original, also where an end is refused', async () => {
    const client = await open(['--profile', 'g3']);
    const sessionId = await begin(client);
    const { status, graphPath, dotPath } = await client.call('tot_end', { sessionId });
    assert.equal(status, 'REJECTED');
    assertHas(
      JSON.parse(await readFile(graphPath as string, 'utf8')),
      { sessionId, totalNodes: 1, edges: [] },
      'graph',
    );
    assert.match(await readFile(dotPath as string, 'utf8'), /^digraph Investigation \{/);
  });
});

/** Checks that data has at least what is expected. */
function assertHas(data: unknown, expected: unknown, where: string): void {
  if (typeof expected !== 'object' || expected === null) assert.deepEqual(data, expected, where);
  else {
    if (Array.isArray(expected)) assert.equal((data as unknown[])?.length, expected.length, where);
    for (const [name, value] of Object.entries(expected)) assertHas((data as Reply)?.[name], value, `${where}.${name}`);
  }
}
