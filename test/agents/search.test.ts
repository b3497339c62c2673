import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventsOf, runCli, startCli } from '../e2e/cli/run-cli.ts';
import { answerTo, lastAsked } from '../support/agents/tree-answers.ts';
import { CliProcess } from '../support/cli-process.ts';
import { TestFleet } from '../support/fleet/test-fleet.ts';
import type { MessagesCall, MessagesReply } from './messages-server.ts';
import { type ClaudeMachine, claudeMachine } from './use-claude.ts';

const lastPrompt = ({ text }: MessagesCall) => lastAsked(text);
const answer = ({ text }: MessagesCall): MessagesReply => ({ text: answerTo(text) });

describe('a search led by Claude Code', () => {
  let machine: ClaudeMachine;
  let script: (call: MessagesCall) => MessagesReply = answer;
  const options = [
    '--model',
    'claude/sonnet',
    '--size',
    'all',
    '--max-depth',
    '2',
    '--concurrency',
    '2',
    '--no-context',
  ];

  beforeEach(async () => {
    script = answer;
    machine = await claudeMachine((call) => script(call));
  });
  afterEach(() => machine.close());

  const search = (): string => join(machine.workspace, 'thought-trees', 'which-trees');
  const cli = (...args: string[]) => ({ args, options: { cwd: machine.workspace, env: { ...machine.env } } });
  const start = cli.bind(undefined, 'start', 'Which trees?', '--title', 'Which trees');

  async function sessionsInNodes(): Promise<Map<string, string>> {
    const files = (await readdir(search(), { recursive: true })).filter((file) => file.endsWith('node.json'));
    const read = files.map(async (file) => [file, JSON.parse(await readFile(join(search(), file), 'utf8'))] as const);
    return new Map((await Promise.all(read)).map(([file, node]) => [file, node.agentSession]));
  }

  it('forks every topic from the one above, and none sees its siblings', async () => {
    const { args, options: where } = start(...options, '--json');
    const { code, stdout, stderr } = await runCli(args, where);
    assert.equal(code, 0, stderr);
    await assertForked(stdout);
  });

  it('does the same where a worker of a fleet runs the agent', async () => {
    const fleet = await TestFleet.make();
    const queue = { THOUGHT_TREE_QUEUE: fleet.url };
    const env = { ...machine.env, ...queue };
    const worker = new CliProcess(['worker', '--agents', machine.workspace, '--slots', '2'], env, machine.workspace);
    try {
      await worker.said(/Takes calls/);
      const { args, options: where } = start(...options, '--json');
      const { code, stdout, stderr } = await runCli(args, { ...where, env });
      assert.equal(code, 0, stderr);
      await assertForked(stdout);
    } finally {
      worker.kill('SIGTERM');
      await worker.end;
      await fleet.remove();
    }
  });

  async function assertForked(stdout: string): Promise<void> {
    const documents = machine.server.log.filter((call) => lastPrompt(call)?.kind === 'Write the document on');
    assert.equal(documents.length, 6);
    for (const call of documents) {
      const { topic } = lastPrompt(call) ?? { topic: '' };
      const [parent] = topic.split(' ');
      const words = [...new Set(call.text.match(/w-[A-Z]\w+( leaf| root)?/g))];
      assert.deepEqual(words, topic.includes(' ') ? [`w-${parent}`] : [], `${topic} sees more than the nodes above it`);
      assert.ok(!call.text.includes('This was said before'), 'it was forked');
    }
    const sessions = await sessionsInNodes();
    assert.equal(sessions.size, 6);
    assert.equal(new Set(sessions.values()).size, 6);
    const known = await machine.sessions();
    for (const session of sessions.values()) assert.ok(known.has(session));
    const ended = eventsOf(stdout).filter((event) => event.type === 'call-ended');
    // A pick that is not needed any more is stopped.
    const answered = ended.filter(({ purpose, outcome }) => purpose !== 'pick' || outcome !== 'aborted');
    for (const { outcome, usage } of answered) assert.deepEqual([outcome, Number(usage?.usd) > 0], ['ok', true]);
    assert.ok(machine.server.log.length >= answered.length && machine.server.log.length <= ended.length);
  }

  it('is killed, leaves no process, and continues from there, even on a machine without the sessions', async () => {
    script = (call) => (lastPrompt(call)?.topic.includes(' ') ? { hang: true } : answer(call));
    const { args, options: where } = start(...options);
    const { child, end } = startCli(args, where);
    await machine.server.until(() => machine.server.log.some((call) => lastPrompt(call)?.topic.includes(' ')));
    child.kill('SIGKILL');
    await end;
    await machine.server.until(() => machine.server.open === 0);
    while ((await machine.processes()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await machine.forget();
    script = answer;
    const before = machine.server.log.length;
    const resumed = cli('resume', search(), '--json');
    const { code, stderr } = await runCli(resumed.args, resumed.options);
    assert.equal(code, 0, stderr);
    const after = machine.server.log.slice(before).filter((call) => lastPrompt(call)?.kind === 'Write the document on');
    const below = after.filter((call) => lastPrompt(call)?.topic.includes(' '));
    assert.equal(below.length, 4);
    for (const call of below) {
      assert.ok(call.text.includes('This was said before'));
      assert.ok(call.text.includes(`w-${lastPrompt(call)?.topic.split(' ')[0]}`));
    }
  });
});
