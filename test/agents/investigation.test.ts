import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClaudeSdk } from '../../src/models/agents/claude-sdk.ts';
import type { MessagesCall, MessagesReply } from './messages-server.ts';
import { type ClaudeMachine, claudeMachine } from './use-claude.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const SERVER = 'mcp__thought-tree__';

const TOOLS = ['tot_start', 'tot_propose', 'tot_commit', 'tot_end'] as const;
const ALL_TOOLS = `select:${TOOLS.map((name) => SERVER + name).join(',')}`;

/** What the leading agent does next: uses a tool, or says how it ended. `last` is what the tool before said. */
type Step = (last: string) => MessagesReply;

/** Results by tool, in the order in which the leading agent got them. */
interface Told {
  readonly tool: string;
  readonly text: string;
}

const FINDINGS = 'The notes name a fruit.\n\n## References\n- notes.md - the only notes';
/** A branch that ends in a checked answer, round by round; its siblings are dead ends. */
const ROUNDS = [
  [['R1.A', null, 'EXPLORE']],
  [
    ['R2.A1', 'R1.A', 'EXPLORE'],
    ['R2.A2', 'R1.A', 'DEAD'],
  ],
  [
    ['R3.A1a', 'R2.A1', 'EXPLORE'],
    ['R3.A1b', 'R2.A1', 'DEAD'],
  ],
  [
    ['R4.A1a1', 'R3.A1a', 'FOUND'],
    ['R4.A1a2', 'R3.A1a', 'DEAD'],
  ],
  [['R5.A1a1v', 'R4.A1a1', 'VERIFY']],
] as const;

/** The leading agent's part: a list of steps that grows with what it is told. */
class Lead {
  sessionId = '';
  readonly told: Told[] = [];
  /** The agents that were spawned, by the nodes that they researched. */
  readonly agents = new Map<string, string>();
  readonly #steps: Step[];

  constructor(projectDir: string) {
    this.#steps = [
      () => use('tot_start', { query: 'Which fruit do the notes name?', projectDir }),
      (last) => {
        this.sessionId = (JSON.parse(last) as { sessionId: string }).sessionId;
        return use('tot_end', { sessionId: this.sessionId });
      },
      // A second root is refused, and left out.
      () => this.#propose([nodeRow('R1.A', null), nodeRow('R1.B', null)]),
      ...ROUNDS.flatMap((rows, round) => [
        () => this.#propose(rows.map(([id, parent]) => nodeRow(id, parent))),
        ...rows.flatMap(([id]) => [() => research(id), (last: string) => this.#heard(id, last)]),
        // An agent that never was is refused; the one that was is named.
        ...(round === 1 ? [() => this.#commit(rows, () => 'a0123456789abcdef')] : []),
        () => this.#commit(rows, (id) => this.agents.get(id)),
      ]),
      () => use('tot_end', { sessionId: this.sessionId }),
      () => ({ text: 'The answer is a nectarine.' }),
    ];
  }

  next(last: string): MessagesReply {
    for (;;) {
      const step = this.#steps.shift();
      if (!step) return { text: 'There is nothing left to do.' };
      const reply = step(last);
      if (!('text' in reply) || reply.text !== '') return reply;
    }
  }

  /** What a sub-agent answered ends with its id; nothing is asked for that. */
  #heard(id: string, last: string): MessagesReply {
    this.agents.set(id, /agentId: (\w+)/.exec(last)?.[1] ?? assert.fail(`no agent's id in: ${last}`));
    return { text: '' };
  }

  #propose(nodes: object[]): MessagesReply {
    return use('tot_propose', { sessionId: this.sessionId, nodes });
  }

  #commit(rows: (typeof ROUNDS)[number], agentOf: (id: string) => string | undefined): MessagesReply {
    const results = rows.map(([nodeId, , state]) => ({ nodeId, state, findings: FINDINGS, agentId: agentOf(nodeId) }));
    return use('tot_commit', { sessionId: this.sessionId, results });
  }
}

function use(tool: string, input: object): MessagesReply {
  return { tool: `${SERVER}${tool}`, input };
}

function nodeRow(id: string, parent: string | null): object {
  return { id, parent, title: `What ${id} is about`, plannedAction: 'Read the notes' };
}

function research(id: string): MessagesReply {
  const prompt = `Research ${id}: read the notes, and end with a section of references.`;
  const input = { description: `research ${id}`, prompt, subagent_type: 'general-purpose', run_in_background: false };
  return { tool: 'Agent', input };
}

describe('an investigation led by Claude Code', () => {
  let machine: ClaudeMachine;
  let script: (call: MessagesCall) => MessagesReply;

  before(async () => {
    machine = await claudeMachine((call) => script(call));
    await writeFile(join(machine.workspace, 'notes.md'), 'A nectarine.\n');
    // As the document says: the project's own list of servers.
    const server = { type: 'stdio', command: process.execPath, args: [CLI, 'mcp', '--dir', '.', '--require-agents'] };
    await writeFile(join(machine.workspace, '.mcp.json'), JSON.stringify({ mcpServers: { 'thought-tree': server } }));
    await mkdir(join(machine.workspace, '.claude'));
    await writeFile(
      join(machine.workspace, '.claude', 'settings.json'),
      JSON.stringify({ enableAllProjectMcpServers: true }),
    );
  });
  after(() => machine.close());

  it('proposes, has each node researched by a fresh agent, is refused, mends it, and ends', async () => {
    const lead = new Lead(machine.workspace);
    const researched: string[] = [];
    const failures: unknown[] = [];
    script = (call) => {
      try {
        return answer(call);
      } catch (error) {
        failures.push(error);
        return { status: 400, error: 'invalid_request_error', message: String(error) };
      }
    };
    const answer = (call: MessagesCall): MessagesReply => {
      const agent = call.headers['x-claude-code-agent-id'];
      if (agent !== undefined) return subAgent(call, researched);
      if (call.tools.includes(`${SERVER}tot_start`)) return lead.next(lastResult(call));
      // Its client knows our tools by name, and gives them to the model where it asks for them.
      return call.tools.includes('ToolSearch') ? { tool: 'ToolSearch', input: { query: ALL_TOOLS } } : { text: 'ok' };
    };
    const results = await ask(machine, 'Investigate which fruit the notes name.');
    assert.deepEqual(failures, []);
    assert.deepEqual(results, ['The answer is a nectarine.']);

    const { server } = machine;
    const replies = server.log
      .filter((call) => call.headers['x-claude-code-agent-id'] === undefined)
      .map((call) => lastResult(call))
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as { status?: string; errors?: { error: string }[]; reason?: string });
    const refusals = replies.filter(({ status }) => status === 'REJECTED');
    assert.match(refusals[0]?.reason ?? '', /round 1 of at least 5/);
    assert.deepEqual(
      refusals.slice(1).map(({ errors = [] }) => errors.map(({ error }) => error)),
      [['SECOND_ROOT'], ['FAKE_AGENT', 'REUSED_AGENT']],
    );
    const end = replies.at(-1) as { status: string; solutions: { nodeId: string }[]; unverified: number };
    assert.deepEqual([end.status, end.unverified], ['OK', 0]);
    assert.deepEqual(
      end.solutions.map(({ nodeId }) => nodeId),
      ['R4.A1a1'],
    );
    assert.equal(researched.length, 8, 'an agent for each node');
    assert.equal(new Set(lead.agents.values()).size, 8);

    // The agents that were checked are those whose sessions the SDK itself wrote.
    const projects = join(machine.env['CLAUDE_CONFIG_DIR'] as string, 'projects');
    const files = (await readdir(projects, { recursive: true })).filter((file) => /subagents/.test(file));
    for (const id of lead.agents.values())
      assert.ok(
        files.some((file) => file.endsWith(`agent-${id}.jsonl`)),
        id,
      );

    const folder = join(machine.workspace, 'thought-trees');
    const [name] = await readdir(folder);
    const report = await readFile(join(folder, String(name), 'report.md'), 'utf8');
    assert.match(report, /R4\.A1a1/);
    assert.match(report, /notes\.md/);
    const nodes = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('node.json'));
    for (const file of nodes) {
      const { own } = JSON.parse(await readFile(join(folder, file), 'utf8'));
      assert.deepEqual([own.agentId, own.isVerified], [lead.agents.get(own.nodeId), true]);
    }
    assert.equal(nodes.length, 8);
  });
});

/** A sub-agent reads the notes, then says what it found. */
function subAgent({ messages, text }: MessagesCall, researched: string[]): MessagesReply {
  const id = /Research (R\d+\.\w+)/.exec(text)?.[1] ?? assert.fail(`a sub-agent without a node: ${text}`);
  if (messages.length < 3) return { tool: 'Read', input: { file_path: 'notes.md' } };
  researched.push(id);
  return { text: FINDINGS };
}

/** What the last tool said; the client may add remarks of its own behind it. */
function lastResult({ messages }: MessagesCall): string {
  const results = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return textOf(results.findLast(({ type }) => type === 'tool_result')?.content);
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '');
  return content.map(({ text = '' }: { text?: string }) => text).join('\n');
}

/** Asks Claude Code as a person does who works in the folder, and allows what it needs. */
async function ask({ workspace, env }: ClaudeMachine, prompt: string): Promise<string[]> {
  const entry = join(
    env['THOUGHT_TREE_CLAUDE_SDK'] as string,
    'node_modules',
    '@anthropic-ai/claude-agent-sdk',
    'sdk.mjs',
  );
  const sdk = (await import(entry)) as ClaudeSdk;
  const options = {
    cwd: workspace,
    model: 'sonnet',
    env: { ...env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    settingSources: ['project'],
    allowedTools: [`${SERVER}*`, 'Agent', 'Task', 'Read'],
    maxTurns: 100,
  };
  const said: string[] = [];
  for await (const message of sdk.query({ prompt, options: options as never })) {
    const { type, result, subtype } = message as { type: string; result?: string; subtype?: string };
    if (type === 'result') said.push(result ?? String(subtype));
  }
  return said;
}
