import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { someOf } from '../../support/effort.ts';
import { assertHas, begin, found, MODES, node, ok, useClients } from './mcp-client.ts';

describe('thought-tree mcp', () => {
  const clients = useClients();

  for (const mode of someOf(MODES, 1))
    it(`does what its documentation shows (${mode})`, async () => {
      await writeFile(join(clients.dir, 'requests.md'), '# Requests\n\nRequests wait in the queue.\n');
      const client = await clients.open([], { mode });
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
    const client = await clients.open();
    const tools = await client.tools();
    const rounds = ['start', 'propose', 'commit', 'reclassify', 'status', 'end', 'list'].map((name) => `tot_${name}`);
    const trees = ['start', 'wait', 'status', 'read', 'act', 'list', 'compare'].map((name) => `tree_${name}`);
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...rounds, ...trees, 'atom_next', 'atom_take', 'atom_done'],
    );
    assert.match(client.instructions, /fresh agent for every proposed node/);
    assert.deepEqual(await client.call('tot_list', {}), { investigations: [] });
    assert.deepEqual(await readdir(clients.dir), ['src']);
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
    let client = await clients.open();
    const { sessionId } = await client.call('tot_start', { query: 'Why is it slow?' });
    for (const [tool, args, expected = {}] of calls) {
      await client.kill();
      client = await clients.open();
      assertHas(await client.call(tool, { sessionId, ...args }), { status: 'OK', ...expected }, tool);
    }
    const report = await readFile(join(clients.dir, 'thought-trees', 'why-is-it-slow', 'report.md'), 'utf8');
    assert.match(report, /## What was found\n\n- \[About R4\.A1a1\]\(r1-a-about-r1-a\/.*document\.md\)/);
  });

  it('says that input does not fit, and that an investigation is not there', async () => {
    const client = await clients.open(['--profile', 'g1']);
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

  for (const mode of MODES)
    it(`lists what only pages use to clients that show pages (${mode})`, async () => {
      const named = async (showsPages: boolean): Promise<string[]> =>
        (await (await clients.open([], { mode, showsPages })).tools()).map(({ name }) => name);
      assert.ok((await named(true)).includes('panel_changes'));
      assert.ok(!(await named(false)).includes('panel_changes'));
    });

  it('offers only what changes nothing where it may only read', async () => {
    const sessionId = await begin(await clients.open());
    const reader = await clients.open(['--read-only']);
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
        'tree_compare',
        'atom_next',
      ],
    );
    for (const { annotations } of tools) assertHas(annotations ?? {}, { readOnlyHint: true }, 'annotations');
    assertHas(await reader.call('tot_end', { sessionId }), { status: 'REJECTED', totalNodes: 1 }, 'tot_end');
  });

  it('writes the two files of the latest original, also where an end is refused', async () => {
    const client = await clients.open(['--profile', 'g3']);
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
