import assert from 'node:assert/strict';
import { mkdir, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { someUpTo } from '../../support/effort.ts';
import { writeAgentSession } from '../../support/investigation/agent-session.ts';
import { assertHas, begin, found, type McpClient, node, ok, type Reply, useClients } from './mcp-client.ts';

describe('thought-tree mcp, killed or beside others', () => {
  const clients = useClients();

  it('keeps a commit as a whole or not at all where it is killed in the middle', async () => {
    let kept = 0;
    const rounds = [1, ...someUpTo(7, 1).map((round) => 4 * round)];
    for (const round of rounds) {
      const client = await clients.open();
      const sessionId = await begin(client);
      const ids = ['R2.A1', 'R2.A2', 'R2.A3', 'R2.A4'];
      await ok(client, 'tot_propose', { sessionId, nodes: ids.map((id) => node(id, 'R1.A')) });
      const stop = new AbortController();
      const isReached = changesIn(clients.dir, round, stop.signal);
      const call = client.call('tot_commit', { sessionId, results: ids.map((id) => found(id, 'DEAD')) });
      await Promise.race([isReached, call.catch(() => undefined)]);
      await client.kill();
      stop.abort();
      const again = await clients.open();
      const { totalNodes, pendingProposals } = await ok(again, 'tot_status', { sessionId });
      const all = [totalNodes, (pendingProposals as string[]).length];
      assert.ok(String(all) === '1,4' || String(all) === '5,0', String(all));
      if (totalNodes === 1) await ok(again, 'tot_commit', { sessionId, results: ids.map((id) => found(id, 'DEAD')) });
      else kept++;
      await again.close();
    }
    assert.ok(kept < rounds.length);
  });

  it('lets two servers work on one investigation at once', async () => {
    const [one, other] = await Promise.all([clients.open(), clients.open()]);
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
    const [writer, reader] = await Promise.all([clients.open(), clients.open(['--read-only'])]);
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
    const config = join(clients.dir, 'config');
    const project = '/home/me/my.project';
    const sessions = join(config, 'projects', '-home-me-my-project');
    await mkdir(sessions, { recursive: true });
    await writeFile(join(sessions, 's1.jsonl'), '{}\n');
    const spawn = (id: string, of: string): Promise<void> =>
      writeAgentSession(join(sessions, 's1', 'subagents', `agent-${id}.jsonl`), { asked: `Research ${of}.` });
    const client = await clients.open([], { env: { CLAUDE_CONFIG_DIR: config } });
    const { sessionId } = await client.call('tot_start', { query: 'Why?', projectDir: project });
    await ok(client, 'tot_propose', { sessionId, nodes: [node('R1.A', null)] });
    await spawn('a0123456789abcdef', 'R1.A');
    const commit = (id: string, agentId: string): Promise<Reply> =>
      client.call('tot_commit', { sessionId, results: [found(id, 'EXPLORE', agentId)] });
    assertHas(await commit('R1.A', 'abcdef1'), { status: 'REJECTED', errors: [{ error: 'FAKE_AGENT' }] }, 'missing');
    assertHas(await commit('R1.A', 'a0123456789abcdef'), { status: 'OK', unverified: 0 }, 'today’s');
    await ok(client, 'tot_propose', { sessionId, nodes: [node('R2.A1', 'R1.A')] });
    await spawn('abcdef0', 'R2.A1');
    assertHas(await commit('R2.A1', 'a0123456789abcdef'), { errors: [{ error: 'REUSED_AGENT' }] }, 'used');
    assertHas(await commit('R2.A1', 'abcdef0'), { status: 'OK', unverified: 0 }, 'the older form');
    // The older server knows the older encoding of the path alone, and finds no sessions there.
    const old = await clients.open(['--profile', 'g2'], { env: { CLAUDE_CONFIG_DIR: config } });
    const begun = await old.call('tot_start', { query: 'Why?', projectDir: project });
    await ok(old, 'tot_propose', { sessionId: begun['sessionId'], nodes: [node('R1.A', null)] });
    const result = await ok(old, 'tot_commit', {
      sessionId: begun['sessionId'],
      results: [found('R1.A', 'EXPLORE', 'abcdef1')],
    });
    assert.ok((result['warnings'] as string[]).some((warning) => warning.startsWith('UNVERIFIED_AGENT')));
  });
});

/** Resolves once so many changes were seen in a folder and those below it, or it is stopped. */
async function changesIn(folder: string, count: number, signal: AbortSignal): Promise<void> {
  let seen = 0;
  try {
    for await (const _ of watch(folder, { recursive: true, signal })) if (++seen >= count) return;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
