import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { readQueueAddress } from '../../../src/fleet/address.ts';
import { Call } from '../../../src/fleet/protocol.ts';
import { pack, unpack } from '../../../src/fleet/queue.ts';
import { AgentMachine, isAlive } from '../../support/fleet/agent-machine.ts';
import { openQueue } from '../../support/fleet/built-queue.ts';
import { runSql, TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith } from '../../support/searches/e2e-search.ts';
import { startScriptedServer } from '../../support/servers/scripted-server.ts';

const READING = ['Read', 'Grep', 'Glob'];

describe('agents of a fleet', () => {
  let fleet: TestFleet;
  let machine: AgentMachine;
  before(async () => {
    fleet = await TestFleet.make();
  });
  beforeEach(() => {
    machine = new AgentMachine(fleet.url);
  });
  afterEach(() => machine.remove());
  after(() => fleet.remove());

  /** The registrations of those that are gone are shown for a while. */
  async function alone(): Promise<void> {
    await machine.until(async () => (await fleet.view()).workers.length === 0, 'all workers are gone');
  }

  it('work in the folder of the search with the rights of their worker, and give the tree that they give without one', async () => {
    await endsWith(0, machine.startAlone());
    const expected = await machine.tree();
    const asked = machine.asked.length;
    renameSync(machine.folder, `${machine.workspace}/before`);

    const other = machine.newFolder('other', 'evil');
    const elsewhere = await machine.worker(['--agents', other, '--slots', '4']);
    const stranger = await machine.worker(['--agents', machine.workspace, '--slots', '4'], machine.strange);
    const worker = await machine.worker(['--agents', `${machine.workspace}/.`, '--slots', '2']);
    await worker.said(/Runs agents in \S+workspace for your own searches .* may use nothing else/);
    const search = machine.start('--allow-tool', 'Bash', '--concurrency', 'fleet');
    const { stderr } = await endsWith(0, search);
    assert.match(stderr, /claude\/sonnet reads the folder by itself/);
    assert.match(stderr, /--allow-tool says nothing to the workers of a fleet/);
    assert.doesNotMatch(stderr, /calls wait/i);
    assert.deepEqual(await machine.tree(), expected);

    const made = machine.asked.slice(asked);
    for (const { cwd, tools, allowedTools, settingSources, model, maxBudgetUsd, mcpServers } of made)
      assert.deepEqual(
        [cwd, tools, allowedTools, settingSources, model, maxBudgetUsd, mcpServers],
        [machine.workspace, READING, [], ['user'], 'sonnet', 0.5, undefined],
      );
    const ended = machine.journal().filter((event) => event.type === 'call-ended' && event.outcome === 'ok');
    assert.ok(ended.length >= 10, `${ended.length} calls`);
    for (const event of ended) {
      assert.ok(event.type === 'call-ended');
      assert.deepEqual({ ...event.usage, usd: 0 }, { prompt: 150, cached: 50, written: 0, completion: 20, usd: 0 });
      assert.ok(Math.abs(Number(event.usage?.usd) - 0.01) < 1e-9, `${event.usage?.usd}`);
    }
    // Every topic is a fork of the one above, and sees nothing of its siblings.
    const leaves = made.filter(({ prompt }) => /Write the document on the topic "(Alder|Birch) \w+"/.test(prompt));
    assert.equal(leaves.length, 4);
    for (const { prompt, before } of leaves) {
      const topic = /"(\w+) /.exec(prompt)?.[1];
      assert.deepEqual([...new Set(before.match(/The notes say of [^:]*/g))], [`The notes say of ${topic}`]);
      assert.doesNotMatch(prompt, /This was said before/);
    }
    for (const each of [elsewhere, stranger, worker]) each.kill('SIGTERM');
    assert.match((await endsWith(0, worker)).stdout, /ok claude\/sonnet document/);
    for (const each of [elsewhere, stranger]) assert.equal((await endsWith(0, each)).stdout, '');
  });

  it('may use what their worker allows, one at a time where that may change the folder', async () => {
    const rules = ['--allow-tool', 'Bash(make:*)', '--allow-tool', 'Edit'];
    const worker = await machine.worker(['--agents', '.', '--model', 'claude/sonnet', '--slots', '4', ...rules]);
    await worker.said(/may use Bash\(make:\*\), Edit\./);
    await endsWith(0, machine.start('--concurrency', 'fleet'));
    for (const { tools, allowedTools } of machine.asked)
      assert.deepEqual(
        [tools, allowedTools],
        [
          [...READING, 'Bash', 'Edit'],
          ['Bash(make:*)', 'Edit'],
        ],
      );
    const calls = machine.journal().filter(({ type }) => type === 'call-started' || type === 'call-ended');
    let [open, most] = [0, 0];
    for (const { type } of calls) {
      open += type === 'call-started' ? 1 : -1;
      most = Math.max(most, open);
    }
    assert.equal(most, 1);
    worker.kill('SIGTERM');
    await endsWith(0, worker);
  });

  it('are waited for where nobody runs them, saying why', async () => {
    await alone();
    const server = await startScriptedServer();
    const plain = await fleet.worker(server.baseUrl, 'plain');
    const search = machine.start();
    await search.said(/claude\/sonnet is an agent and works in \S+workspace, and no worker of the fleet runs agents/);
    await machine.until(async () => {
      const { stdout } = await endsWith(0, fleet.command('fleet'));
      return /No worker runs claude\/sonnet for "Which trees\?": only one that the same user/.test(stdout);
    }, 'the fleet shows it');
    assert.equal(machine.asked.length, 0);
    const worker = await machine.worker(['--agents', '.']);
    await endsWith(0, search);
    const { stdout } = await endsWith(0, fleet.command('fleet'));
    assert.match(stdout, /runs agents in a folder of its computer/);
    assert.doesNotMatch(stdout, /No worker runs/);
    assert.equal(server.log.length, 0);
    for (const each of [plain, worker]) each.kill('SIGTERM');
    assert.equal((await endsWith(0, plain)).stdout, '');
    await endsWith(0, worker);
    await server.close();
  });

  it('end when the search is stopped, and with their worker when that is killed', async () => {
    machine.hang('Alder');
    const worker = await machine.worker(['--agents', '.', '--slots', '1']);
    const search = machine.start('--concurrency', '1');
    const last = (): number => machine.asked.at(-1)?.pid ?? 0;
    await machine.until(() => machine.asked.some(({ prompt }) => prompt.includes('"Alder"')), 'it hangs');
    const pid = last();
    assert.ok(isAlive(pid));
    const pause = machine.command(['pause', machine.folder, '--now']);
    await endsWith(0, pause);
    await machine.until(() => !isAlive(pid), 'the agent is gone');
    await endsWith(130, search);
    const aborted = machine.journal().findLast(({ type }) => type === 'call-ended');
    assert.ok(aborted?.type === 'call-ended' && aborted.outcome === 'aborted' && aborted.charged);

    const asked = machine.asked.length;
    const resumed = machine.command(['resume', machine.folder, '--json']);
    await machine.until(() => machine.asked.length > asked, 'it hangs again');
    const second = last();
    worker.kill('SIGKILL');
    await worker.end;
    await machine.until(() => !isAlive(second), 'the agent is gone with its worker');
    machine.hang();
    const another = await machine.worker(['--agents', '.', '--slots', '1']);
    await endsWith(0, resumed);
    another.kill('SIGTERM');
    await endsWith(0, another);
  });

  it('go on with the answers that came while no search lived', async () => {
    machine.hang('"Alder"');
    const worker = await machine.worker(['--agents', '.', '--slots', '1']);
    const search = machine.start('--concurrency', '1');
    await machine.until(() => machine.asked.length >= 2, 'it works');
    search.kill('SIGKILL');
    await search.end;
    machine.hang();
    await worker.printed(2);
    const asked = machine.asked.length;
    await endsWith(0, machine.command(['resume', machine.folder, '--json']));
    const documents = machine.asked.filter(({ prompt }) => /Write the document on/.test(prompt));
    const topics = documents.map(({ prompt }) => /"(.*?)"/.exec(prompt.slice(prompt.lastIndexOf('Write the')))?.[1]);
    assert.deepEqual(topics.sort(), [...new Set(topics)].sort(), 'none was asked for again');
    assert.equal(topics.length, 6);
    assert.ok(machine.asked.length > asked);
    worker.kill('SIGTERM');
    await endsWith(0, worker);
  });

  it('do nothing for a hostile leader, whatever it names', async () => {
    machine.hang('Alder');
    const worker = await machine.worker(['--agents', '.', '--slots', '4', '--json']);
    const search = machine.start('--concurrency', '1');
    await machine.until(() => machine.asked.some(({ prompt }) => prompt.includes('"Alder"')), 'it hangs');
    // It reads whatever is in the database: the call that is under way, and what the worker says of itself.
    const schema = new URL(fleet.url).searchParams.get('schema') ?? 'thought_tree';
    const underWay = "state = 'active' and name like 'calls.%'";
    const [row] = await runSql(fleet.url, `select name, data from ${schema}.job where ${underWay}`);
    const call = await unpack(Call, row?.['data']);
    assert.ok(call);
    const before = machine.asked.length;
    const queue = await openQueue(readQueueAddress(fleet.url), true);
    const name = String(row?.['name']);
    const token = 'e'.repeat(64);
    const evil = { ...call, token, search: 'e0e0' };
    const request = { ...call.request, prompt: 'Evil?' };
    const { proof: _, ...unproven } = evil;
    const other = machine.newFolder('other', 'evil');
    const rights = { folder: other, cwd: other, workplace: { folder: other, rights: 'write' }, allowedTools: ['Bash'] };
    const forged = [
      { ...evil, request },
      { ...evil, ...rights, request: { ...request, ...rights } },
      { ...evil, request: { ...request, turns: [{ role: 'user', text: '', session: machine.asked[0]?.id }] } },
      { ...unproven, request },
      { ...evil, seconds: 86_400 },
      { ...evil, model: 'claude/opus' },
      { ...evil, origin: `agent:${'0'.repeat(64)}` },
      { ...evil, token: undefined, request },
    ].map((each) => ({ ...each, id: randomUUID() }));
    await queue.openSearch('e0e0', [name]);
    const card = { kind: 'leader' as const, protocol: 1, id: 'evil', title: 'Evil', underWay: 0 };
    const models = ['claude/opus', 'claude/--dangerously-skip-permissions'].map((each) => ({
      name: each,
      origin: call.origin ?? '',
    }));
    await queue.register({ ...card, models });
    for (const each of forged) await queue.send({ id: each.id, queue: name, payload: await pack(each), seconds: 30 });
    const places = forged.map(({ id }) => ({ id, queue: name }));
    await machine.until(
      async () => [...(await queue.states(places)).values()].every((state) => state !== 'waiting'),
      'all of them were taken',
    );
    await machine.until(async () => ((await queue.waiting([name])).get(name) ?? 0) === 0, 'nothing waits');
    let told = 0;
    await machine.until(async () => {
      told += (await queue.answers('e0e0')).length;
      return told >= 5;
    }, 'it is told why not');
    assert.equal(machine.asked.length, before);
    const shown = (await queue.registrations()).find(({ kind }) => kind === 'worker');
    assert.ok(shown?.kind === 'worker');
    assert.deepEqual(
      shown.models.map((each) => each.name),
      ['claude/sonnet'],
    );
    await queue.unregister('evil');
    await queue.close();

    await endsWith(0, machine.command(['pause', machine.folder, '--now']));
    await endsWith(130, search);
    machine.hang();
    await endsWith(0, machine.command(['resume', machine.folder, '--json']));
    worker.kill('SIGTERM');
    const { stdout } = await endsWith(0, worker);
    assert.match(stdout, /"outcome":"bad-request"/);
    assert.ok(machine.asked.every(({ prompt, cwd }) => cwd === machine.workspace && !prompt.includes('Evil')));
  });

  it('hold the caps of their worker, also after a restart', async () => {
    const flags = ['--agents', '.', '--slots', '4', '--max-usd', '0.525'];
    const worker = await machine.worker(flags);
    const search = machine.start('--concurrency', '4');
    await worker.said(/cap of the day is reached/);
    // Each uses 0.01 dollars and may use 0.50: the fourth would be too much.
    assert.equal(machine.asked.length, 3);
    worker.kill('SIGTERM');
    await endsWith(0, worker);
    const again = await machine.worker(flags);
    await again.said(/cap of the day is reached/);
    assert.equal(machine.asked.length, 3);
    search.kill('SIGTERM');
    await endsWith(130, search);
    again.kill('SIGTERM');
    await endsWith(0, again);
  });

  it('are refused with what to do where they cannot work', async () => {
    for (const [flags, why] of [
      [['--model', 'claude/sonnet'], /claude\/sonnet is an agent: name the folder .* --agents FOLDER/],
      [['--allow-tool', 'Bash'], /--allow-tool is for agents: .* --agents FOLDER/],
      [['--agents', 'no-such-folder'], /no-such-folder is no folder in which agents could work/],
    ] as const) {
      const { stderr } = await endsWith(2, machine.command(['worker', ...flags]));
      assert.match(stderr, why);
    }
    const none = { THOUGHT_TREE_CLAUDE_SDK: machine.workspace };
    const missing = machine.command(['worker', '--agents', '.', '--model', 'claude/sonnet'], none);
    assert.match((await endsWith(2, missing)).stderr, /npm install|Claude Agent SDK/);
    execFileSync('git', ['init', '-q', machine.workspace]);
    const graph = machine.start('--kind', 'work-graph');
    assert.match((await endsWith(2, graph)).stderr, /Run it without a queue, or name another model/);
    assert.equal(existsSync(machine.folder), false);

    const late = await machine.worker(['--agents', '.'], none);
    const search = machine.start();
    await late.said(/A search asks for claude\/sonnet, which cannot be run: .*Claude Agent SDK/s);
    await search.said(/A worker of yours runs agents in \S+workspace, but not claude\/sonnet/);
    search.kill('SIGKILL');
    await search.end;
    late.kill('SIGTERM');
    await endsWith(0, late);
  });
});
