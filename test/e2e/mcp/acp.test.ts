import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { AcpClient } from '../../support/acp-client.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const QUESTION = 'Why do requests time out?';
const NAME = 'why-do-requests-time-out';
const PAID = ['--model', 'openai-compatible/scripted', '--price', '1,1,1'];

describe('a search as a conversation in an editor', () => {
  let dir: string;
  let server: ScriptedServer;
  let latencyMs: number;
  const clients: AcpClient[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'thought-tree-acp-'));
    await writeFile(join(dir, 'queue.md'), '# Queue\n\nA request waits in the queue. It times out.\n');
    latencyMs = 5;
    server = await startScriptedServer({ latencyMs: () => latencyMs });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await server.close();
    await rm(dir, { recursive: true, force: true });
  });

  const open = async (args: readonly string[] = PAID, env = {}): Promise<AcpClient> => {
    const client = new AcpClient(args, { THOUGHT_TREE_BASE_URL: server.baseUrl, ...env });
    clients.push(client);
    const { agentCapabilities } = await client.agent.request('initialize', { protocolVersion: PROTOCOL_VERSION });
    assert.equal(agentCapabilities?.loadSession, true);
    return client;
  };
  const begin = async ({ agent }: AcpClient): Promise<string> =>
    (await agent.request('session/new', { cwd: dir, mcpServers: [] })).sessionId;

  it('costs nothing that was refused, and once it is allowed is led to its report', async () => {
    const client = await open();
    const session = await begin(client);
    await client.until(() => client.updates.some((update) => update.sessionUpdate === 'available_commands_update'));
    for (const answer of ['refuse', 'cancelled'] as const) {
      client.answer = () => answer;
      assert.equal(await client.prompt(session, QUESTION), 'end_turn');
      assert.match(client.text, /did not allow it\. Nothing was done/);
      assert.deepEqual([server.log.length, await readdir(dir)], [0, ['queue.md']]);
    }
    const asked = client.asked[0]?.toolCall.title ?? '';
    assert.match(
      asked,
      /Start the search "Why do requests time out\?"\?.*Forecast: about .*pauses before it spends more/,
    );

    client.answer = () => 'allow';
    assert.equal(await client.prompt(session, QUESTION), 'end_turn');
    const report = await readFile(join(dir, 'thought-trees', NAME, 'report.md'), 'utf8');
    assert.ok(client.text.includes(report), client.text);
    const last = client.plans.at(-1) ?? [];
    assert.ok(last.length > 1 && client.plans.length > 1, String(client.plans.length));
    assert.ok(client.plans.some((entries) => entries.some(({ status }) => status !== 'completed')));
    assert.ok(last.some(({ status }) => status === 'completed'));
    const progress = client.updates.filter((update) => update.sessionUpdate === 'tool_call_update');
    assert.equal(progress.at(-1)?.status, 'completed');
    assert.ok(progress.length > 2);

    // A question about it is one more call, which is asked about first.
    const [calls, questions] = [server.log.length, client.asked.length];
    client.answer = () => 'refuse';
    const about = `What is known about ${last[0]?.content ?? ''}?`;
    await client.prompt(session, about);
    assert.deepEqual([server.log.length, client.asked.length], [calls, questions + 1]);
    assert.match(client.asked.at(-1)?.toolCall.title ?? '', /answer from what was found\?.*at most \$/);
    client.answer = () => 'allow';
    await client.prompt(session, about);
    assert.equal(server.log.length, calls + 1);
    assert.match(client.text, /^An answer for answer\.\s+From these documents:\n- \[1\] .*\/?document\.md\)/);

    // It is steered by the actions that all hosts offer.
    await client.prompt(session, `/act prune ${last[0]?.content ?? ''}`);
    await client.prompt(session, '/status');
    assert.match(client.text, /^Why do requests time out\?: finished; /);
  });

  it('pauses when it is cancelled, and is resumed there, or in a session that is loaded', async () => {
    const client = await open();
    const session = await begin(client);
    const stopped = client.prompt(session, QUESTION);
    await client.until(() => client.plans.length > 0);
    await assert.rejects(client.agent.request('session/prompt', { sessionId: session, prompt: [] }));
    await client.agent.notify('session/cancel', { sessionId: session });
    assert.equal(await stopped, 'cancelled');
    assert.match(client.text, /Why do requests time out\?: paused/);
    const calls = server.log.length;

    await client.prompt(session, 'status');
    assert.equal(server.log.length, calls);
    const again = assert.rejects(client.prompt(session, 'resume'));
    await client.until(() => client.updates.some((update) => update.sessionUpdate === 'tool_call'));
    // The client goes away without a word: what ran is paused.
    await client.close();
    await again;
    assert.match(client.stderr, /resume/);

    const other = await open();
    const { sessions } = await other.agent.request('session/list', { cwd: dir });
    assert.deepEqual(
      sessions.map(({ sessionId, title }) => [sessionId, title]),
      [[session, QUESTION]],
    );
    for (const sessionId of [session, NAME]) {
      other.updates.length = 0;
      await other.agent.request('session/load', { sessionId, cwd: dir, mcpServers: [] });
      assert.match(other.text, /Why do requests time out\?: paused/);
    }
    await assert.rejects(other.agent.request('session/load', { sessionId: 'nothing', cwd: dir, mcpServers: [] }));
    assert.equal(await other.prompt(NAME, '/resume'), 'end_turn');
    assert.match(other.text, /Why do requests time out\?: finished/);
    assert.ok(server.log.length > calls);
  });

  it('keeps a search that was cancelled while it was opened, and calls nothing for it', async () => {
    const client = await open();
    const session = await begin(client);
    latencyMs = 60_000;
    const stopped = client.prompt(session, QUESTION);
    while (!(await readdir(join(dir, 'thought-trees', NAME)).catch((): string[] => [])).includes('search.json'))
      await turn();
    await client.agent.notify('session/cancel', { sessionId: session });
    assert.equal(await stopped, 'cancelled');
    assert.match(client.text, /paused/);
    latencyMs = 5;
    await client.prompt(session, '/resume');
    assert.match(client.text, /Why do requests time out\?: finished/);
  });

  it('cancels what runs in a session that somebody loads again, and knows none whose loading failed', async () => {
    const first = await open([]);
    await first.prompt(await begin(first), QUESTION);
    await first.close();
    const client = await open();
    await client.agent.request('session/load', { sessionId: NAME, cwd: dir, mcpServers: [] });
    latencyMs = 60_000;
    const asked = client.prompt(NAME, '/new What waits in the queue?');
    await client.until(() => client.updates.some((update) => update.sessionUpdate === 'tool_call'));
    await assert.rejects(
      client.agent.request('session/load', { sessionId: NAME, cwd: dir, mcpServers: [] }),
      /still being answered/,
    );
    await client.agent.notify('session/cancel', { sessionId: NAME });
    assert.equal(await asked, 'cancelled');

    await assert.rejects(client.agent.request('session/load', { sessionId: 'nothing', cwd: dir, mcpServers: [] }));
    await assert.rejects(client.prompt('nothing', QUESTION), /not found/);
    assert.equal((await readdir(join(dir, 'thought-trees'))).length, 2);
  });

  it('pauses what runs where a client goes away right after it asked for a session', async () => {
    const client = await open();
    const session = await begin(client);
    latencyMs = 60_000;
    const asked = client.prompt(session, QUESTION);
    await client.until(() => client.updates.some((update) => update.sessionUpdate === 'tool_call'));
    const answers = Promise.allSettled([asked, begin(client)]);
    await turn();
    client.child.stdin?.end();
    const [code] = await once(client.child, 'exit');
    await client.close();
    await answers;
    assert.deepEqual([code, /resume/.test(client.stderr)], [0, true], client.stderr);
  });

  it('takes a folder as one however it is spelled, and begins nothing behind a link', async () => {
    const client = await open([]);
    const session = await begin(client);
    await client.prompt(session, QUESTION);
    await symlink(dir, `${dir}-link`);
    await client.agent.request('session/load', { sessionId: session, cwd: `${dir}-link`, mcpServers: [] });
    assert.match(client.text, /Why do requests time out\?: finished/);

    await rename(join(dir, 'thought-trees'), `${dir}-link-trees`);
    await symlink(`${dir}-link-trees`, join(dir, 'thought-trees'));
    const before = await readdir(`${dir}-link-trees`);
    await client.prompt(session, '/new What waits in the queue?');
    assert.match(client.text, /is a link to another folder.*Put a folder in its place/);
    await assert.rejects(begin(client), /Put a folder in its place/);
    assert.deepEqual(await readdir(`${dir}-link-trees`), before);
    for (const name of ['link', 'link-trees']) await rm(`${dir}-${name}`, { recursive: true, force: true });
  });

  it('shows nothing of an answer that a terminal obeys, that is loaded, or that is a key', async () => {
    const key = 'sk-test-0123456789-abcdef';
    const said = `Echo ${key} \u001b]0;pwned\u0007 \u202eevil\n\n- item\n\n    ![x](http://evil/?q=1)\n\nlast <img src="http://evil">`;
    const { answer } = scriptedTree();
    await server.close();
    server = await startScriptedServer({ answer: (call) => (call.purpose === 'answer' ? said : answer(call)) });
    const client = await open(PAID, { THOUGHT_TREE_API_KEY: key });
    const session = await begin(client);
    await client.prompt(session, `${QUESTION} \u202e`);
    await client.prompt(session, `What is known about ${client.plans.at(-1)?.[0]?.content ?? ''}?`);
    assert.match(client.text, /^Echo \[key\] .*pwned.*evil\n\n- item\n\n {4}!\\\[x\].*last &lt;img/s);
    assert.doesNotMatch(JSON.stringify([client.updates, client.asked]), /\\u001b|\\u0007|\u202e/);
    // The report, too, is a file that may have come with the folder.
    await appendFile(join(dir, 'thought-trees', NAME, 'report.md'), '\n![y](http://evil/?q=2)\n');
    await client.prompt(session, '/report');
    assert.match(client.text, /!\\\[y\]/);
  });

  it('goes on past a limit that a person raises, and does what takes arguments', async () => {
    const client = await open(['--model', 'openai-compatible/scripted', '--price', '100,100,100']);
    const session = await begin(client);
    await client.prompt(session, QUESTION);
    assert.match(client.text, /: paused; .* open.*could exceed the limit of \$5\.00/s);
    // What is left of a branch is seen in the plan.
    assert.ok(client.plans.at(-1)?.some(({ status }) => status === 'pending'));

    const calls = server.log.length;
    client.answer = () => 'refuse';
    await client.prompt(session, '/resume');
    assert.match(client.asked.at(-1)?.toolCall.title ?? '', /Raise to \$10\.00 and Continue.*Forecast: /);
    assert.equal(server.log.length, calls);
    client.answer = () => 'allow';
    await client.prompt(session, '/resume');
    assert.ok(server.log.length > calls);
    await client.prompt(session, '/act grow {"guards": {"usd": 200}}');
    assert.match(client.text, /: finished; /);

    await client.prompt(session, '/act note Mind the gap.');
    const notes = await readFile(join(dir, 'thought-trees', NAME, 'notes.md'), 'utf8');
    assert.match(notes, /Mind the gap\./);
  });

  it('asks nobody where its model only quotes', async () => {
    const client = await open([]);
    const session = await begin(client);
    await client.prompt(session, '/status');
    assert.match(client.text, /Ask a question/);
    assert.equal(await client.prompt(session, QUESTION), 'end_turn');
    assert.match(client.text, /finished/);
    await client.prompt(session, 'What waits in the queue?');
    assert.match(client.text, /queue.*document\.md/is);
    assert.deepEqual([client.asked, server.log.length], [[], 0]);
  });
});
