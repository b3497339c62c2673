import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROFILES, type ProfileName } from '../../../src/kinds/investigation/protocol/profiles.ts';
import type { Reply } from '../../../src/kinds/investigation/protocol/replies.ts';
import { someOf } from '../../support/effort.ts';
import { writeAgentSession } from '../../support/investigation/agent-session.ts';
import { Played, type PlayedCall, SOURCES, withAgents } from '../../support/investigation/played.ts';
import { checkVerdict, type VerdictCase, verdictCases } from '../../support/investigation/verdict-table.ts';
import { McpClient, type ToolResult } from './mcp-client.ts';

const CLOCK = pathToFileURL(join(import.meta.dirname, '../../support/set-clock.ts')).href;
/** How long a client waits before each call, in milliseconds: long enough for an agent to have worked. */
const USUAL_MS = 60_000;

/** A built server with a clock that is set, and the session files that it looks for agents in. */
class Table {
  readonly #folder: string;
  readonly #profile: ProfileName;
  readonly #clock: string;
  #now = Date.now();
  #client: McpClient | undefined;
  #projects = 0;

  private constructor(folder: string, profile: ProfileName) {
    this.#folder = folder;
    this.#profile = profile;
    this.#clock = join(folder, 'clock');
  }

  static async open(profile: ProfileName, { minRounds, requireAgents }: NonNullable<VerdictCase['person']>) {
    const folder = await mkdtemp(join(tmpdir(), 'thought-tree-verdicts-'));
    const table = new Table(folder, profile);
    await table.#pass(0);
    const flags = ['--dir', folder, '--profile', profile];
    if (minRounds !== undefined) flags.push('--min-rounds', String(minRounds));
    if (requireAgents) flags.push('--require-agents');
    const env = { NODE_OPTIONS: `--import ${CLOCK}`, TEST_CLOCK: table.#clock, CLAUDE_CONFIG_DIR: folder };
    table.#client = await McpClient.open(flags, { env });
    return table;
  }

  async close(): Promise<void> {
    await this.#client?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Plays a case; every answer, and the status at its end, is what the rules say to the same calls in memory. */
  async play(each: VerdictCase): Promise<void> {
    const played = new Played(this.#profile, each.start, each.person);
    const { sessionId, projectDir } = await this.#start(each);
    for (const [i, asked] of each.calls.entries()) {
      const isLast = i === each.calls.length - 1;
      const call = withAgents(asked, this.#profile);
      if ('commit' in call && call.agents) await this.#writeSessions(projectDir, call.commit, call.agents);
      await this.#pass(call.after ?? USUAL_MS);
      const { isError, content, structuredContent = {} } = await this.#call(call, sessionId);
      const { graphPath: _, dotPath: __, ...told } = structuredContent;
      if (each.fault && isLast) assert.equal(isError, true);
      else assert.deepEqual(told, asTold(played.play(call), sessionId), content[0]?.text);
      if (!each.fault && isLast) checkVerdict(told, each);
    }
    const { structuredContent: status } = await this.#tool('tot_status', { sessionId });
    assert.deepEqual(status, asTold(played.play({ status: true }), sessionId));
    // Every call looks at all investigations of the folder.
    await rm(join(this.#folder, 'thought-trees'), { recursive: true });
  }

  async #start({ start = {} }: VerdictCase): Promise<{ sessionId: string; projectDir: string }> {
    // The sessions of each case are of a project of its own.
    const isProject = start.projectDir !== undefined || this.#profile === 'strict';
    const projectDir = isProject ? `/project${++this.#projects}` : '';
    const args = { query: 'Why?', ...start, ...(this.#profile !== 'g1' && { projectDir }) };
    const { structuredContent, content } = await this.#tool('tot_start', args);
    assert.ok(structuredContent, content[0]?.text);
    return { sessionId: String(structuredContent['sessionId']), projectDir };
  }

  #call(call: PlayedCall, sessionId: string): Promise<ToolResult> {
    if ('propose' in call) {
      const nodes = call.propose.map(([id, parent, title = 'Title']) => ({ id, parent, title, plannedAction: 'Look' }));
      return this.#tool('tot_propose', { sessionId, nodes, ...(call.quiet && { suppressBreadthWarnings: true }) });
    }
    if ('commit' in call) {
      const { commit, minRounds, allowEarlyTerminal } = call;
      const results = commit.map(([nodeId, state, more]) => ({ nodeId, state, findings: SOURCES, ...more }));
      return this.#tool('tot_commit', { sessionId, results, minRounds, allowEarlyTerminal });
    }
    if ('status' in call) return this.#tool('tot_status', { sessionId });
    if ('end' in call) return this.#tool('tot_end', { sessionId, ...call.end });
    const [nodeId, newState] = call.reclassify;
    return this.#tool('tot_reclassify', { sessionId, nodeId, newState });
  }

  #tool(name: string, args: object): Promise<ToolResult> {
    assert.ok(this.#client);
    return this.#client.raw(name, args);
  }

  async #pass(ms: number): Promise<void> {
    this.#now += ms;
    await writeFile(this.#clock, String(this.#now));
  }

  /** Writes what a client of the project writes whose agents these are. */
  async #writeSessions(
    projectDir: string,
    rows: Extract<PlayedCall, { commit: unknown }>['commit'],
    agents: Readonly<Record<string, string>>,
  ): Promise<void> {
    const sessions = join(this.#folder, 'projects', projectDir.replaceAll('/', '-'));
    for (const [agent, finding] of Object.entries(agents)) {
      if (finding === 'no-sessions' || projectDir === '') continue;
      await mkdir(sessions, { recursive: true });
      await writeFile(join(sessions, 's1.jsonl'), '{}\n');
      const nodes = rows.filter(([, , more]) => more?.agentId === agent).map(([id]) => id);
      const session = { asked: `Research ${nodes.join(', ')}.`, begunAt: this.#now };
      if (finding === 'found')
        await writeAgentSession(join(sessions, 's1', 'subagents', `agent-${agent}.jsonl`), session);
    }
  }
}

/** An answer as it is told: with the id that the server gave, and findings as a document has them. */
function asTold(reply: Reply, sessionId: string): unknown {
  const text = JSON.stringify(reply).replaceAll('"played"', JSON.stringify(sessionId));
  return JSON.parse(text.replaceAll(JSON.stringify(SOURCES), JSON.stringify(SOURCES.trimEnd())));
}

for (const profile of PROFILES) {
  const byPerson = Map.groupBy(verdictCases(profile), ({ person = {} }) => JSON.stringify(person));
  for (const [person, cases] of byPerson)
    describe(`the built server, asked what the verdicts of ${profile} are ${person}`, () => {
      let table: Table;
      before(async () => {
        table = await Table.open(profile, JSON.parse(person));
      });
      after(() => table.close());
      for (const each of someOf(cases, 4)) it(each.name, () => table.play(each));
    });
}
