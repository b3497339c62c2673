import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { someOf } from '../../support/effort.ts';
import { endsAsPinned, looksAsPinned, reportsAsPinned, titlesOf, withPinned } from '../../support/pinned/checks.ts';
import type { Place } from '../../support/pinned/place.ts';
import { statusOf } from '../../support/pinned/said.ts';
import { PINNED, SEARCH } from '../../support/pinned/scripts.ts';
import { runCli } from '../cli/run-cli.ts';
import { McpClient } from '../mcp/mcp-client.ts';

/** Each command of these tests is a process of its own. */
const LONGEST = 240_000;

describe('the built command and the pinned searches', function () {
  this.timeout(LONGEST);

  const names = Object.keys(PINNED);
  const drawn = new Set(someOf(names));
  for (const name of names) {
    it(`shows ${name} as it was, and does not change it by that`, () => withPinned(name, runCli, looksAsPinned));

    it(`reports ${name} as it was`, () => withPinned(name, runCli, reportsAsPinned));

    it(`brings ${name} to its end, and asks nothing again that was paid for`, () =>
      withPinned(name, runCli, endsAsPinned));

    if (!drawn.has(name)) continue;
    it(`has a history of ${name} from its opening on: what is written over is kept, and every moment can be shown`, () =>
      withPinned(name, runCli, async ({ place }) => {
        const before = await statusOf(place);
        const notes = (): string => readFileSync(join(place.workspace, SEARCH, 'notes.md'), 'utf8');
        await place.ends(0, 'note', SEARCH, '.', 'The first.');
        const first = notes();
        await place.ends(0, 'log', SEARCH, '--name', 'first');
        await place.ends(0, 'note', SEARCH, '.', 'The second.');
        assert.match(notes(), /The second\./);
        const then = JSON.parse(await place.ends(0, 'status', `${SEARCH}@first`, '--json')) as { nodes: unknown };
        assert.deepEqual(withoutReceipts(then.nodes), withoutReceipts(before.nodes));
        assert.match(await place.ends(0, 'undo', SEARCH), /Undone/);
        assert.equal(notes(), first);
        assert.match(await place.ends(0, 'log', SEARCH, '--mine'), /@first\n.*note/s);
      }));

    it(`makes a page and a drawing of ${name}`, () =>
      withPinned(name, runCli, async ({ place, kept }) => {
        const page = await place.ends(0, 'export', SEARCH, '--html');
        for (const title of titlesOf(kept)) assert.ok(asText(page).includes(title), title);
        assert.match(await place.ends(0, 'export', SEARCH, '--svg'), /^<svg /);
      }));
  }
});

/** Returns nodes without their receipts: nobody checks those of a moment that is over. */
function withoutReceipts(nodes: unknown): unknown {
  return (nodes as readonly object[]).map((node) => ({ ...node, receipt: undefined }));
}

describe('the built MCP server and the pinned searches', function () {
  this.timeout(LONGEST);

  /** The only investigation of a pinned search's workspace, and a client that is told it goes on with it. */
  async function goOn(
    place: Place,
    profile: string,
    use: (call: ToolCall, known: Reply) => Promise<void>,
  ): Promise<void> {
    const client = await McpClient.open(['--dir', place.workspace, '--profile', profile], { env: place.env });
    try {
      const { investigations } = await client.call('tot_list', {});
      const [known] = investigations as [Reply];
      const { sessionId } = known;
      await use((tool, args = {}) => client.call(tool, { sessionId, ...args }), known);
    } finally {
      await client.close();
    }
  }

  it('go on with the investigation of an agent, whose rounds are counted by its journal', () =>
    withPinned('investigation-by-agent', runCli, async ({ place }) => {
      await goOn(place, 'g1', async (call, { currentRound, totalNodes, pendingProposals }) => {
        assert.deepEqual([currentRound, totalNodes, pendingProposals], [1, 3, 1]);
        await ok(call('tot_commit', { results: [found('R2.A2', 'DEAD')] }));
        assert.equal((await ok(call('tot_status')))['currentRound'], 2);
        await ok(
          call('tot_propose', { nodes: [{ id: 'R3.A1a', parent: 'R2.A1', title: 'Last', plannedAction: 'Look' }] }),
        );
        await ok(call('tot_commit', { results: [found('R3.A1a', 'VALID')] }));
        const { totalRounds, deadEnds } = await ok(call('tot_end'));
        assert.deepEqual([totalRounds, deadEnds], [3, 2]);
      });
      assert.equal((await statusOf(place)).state, 'finished');
    }));

  it('go on with the investigation of an older server, whose agents are known', () =>
    withPinned('investigation-imported', runCli, async ({ place }) => {
      await goOn(place, 'g2', async (call, { currentRound, totalNodes, pendingProposals }) => {
        assert.deepEqual([currentRound, totalNodes, pendingProposals], [2, 3, 1]);
        const again = await call('tot_commit', { results: [{ ...found('R3.A1a', 'DEAD'), agentId: 'abcdef1' }] });
        assert.match(JSON.stringify(again), /REUSED_AGENT/);
        await ok(call('tot_commit', { results: [{ ...found('R3.A1a', 'DEAD'), agentId: 'abcdef9' }] }));
        const { currentRound: now, totalNodes: all } = await ok(call('tot_status'));
        assert.deepEqual([now, all], [3, 4]);
      });
    }));
});

type Reply = Readonly<Record<string, unknown>>;
type ToolCall = (tool: string, args?: object) => Promise<Reply>;

async function ok(reply: Promise<Reply>): Promise<Reply> {
  const said = await reply;
  assert.equal(said['status'], 'OK', JSON.stringify(said));
  return said;
}

function found(nodeId: string, state: string): object {
  return { nodeId, state, findings: `Looked at ${nodeId}.\n\n## References\n- src/b.ts - read\n` };
}

/** The text of a page. */
function asText(page: string): string {
  const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return page.replace(/<[^>]+>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => names[name] ?? '');
}
