import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { McpClient, MODES } from './mcp-client.ts';

const PAID = ['--model', 'openai-compatible/scripted', '--price', '1,1,1', '--allow-usd', '50', '--allow-delete'];
const LONG = { question: 'Why is the build slow?', size: 'all', max_depth: 8 };

interface Row {
  readonly node: string;
  readonly title: string;
  readonly status: string;
}

describe('searches over MCP', () => {
  let dir: string;
  let server: ScriptedServer;
  const clients: McpClient[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'thought-tree-mcp-searches-'));
    await writeFile(
      join(dir, 'queue.md'),
      '# Queue\n\nA request waits in the queue.\n\n## Timeouts\n\nIt times out.\n',
    );
    await writeFile(join(dir, 'lease.md'), '# Lease\n\nRequests time out while a lease is taken over.\n');
    server = await startScriptedServer({ latencyMs: 30 });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close().catch(() => undefined);
    await server.close().catch(() => undefined);
    await rm(dir, { recursive: true, force: true });
  });

  const open = async (args: readonly string[] = [], options: Parameters<typeof McpClient.open>[1] = {}) => {
    const env = { THOUGHT_TREE_BASE_URL: server.baseUrl };
    const client = await McpClient.open(['--dir', dir, ...args], { env, ...options });
    clients.push(client);
    return client;
  };

  const outline = async (client: McpClient, search: unknown): Promise<Row[]> =>
    (await client.call('tree_read', { search, what: 'outline' }))['nodes'] as Row[];

  /** The documents that a client sees: its resources without pages. */
  /** The resources that are documents: the page of the app comes before them. */
  const documentsOf = async ({ library }: McpClient): Promise<{ uri: string; name: string }[]> =>
    (await library.listResources()).resources.filter(({ uri }) => uri.startsWith('tree://'));

  /** Waits until a search looks as it should. */
  const until = async (client: McpClient, search: unknown, is: (state: string) => boolean): Promise<string> => {
    for (;;) {
      const { state } = await client.call('tree_status', { search });
      if (is(state as string)) return state as string;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  for (const mode of MODES)
    it(`are begun, read as resources, completed and explained (${mode})`, async () => {
      const client = await open([], { mode });
      const { library } = client;
      const progress: string[] = [];
      const began = await client.raw(
        'tree_start',
        { question: 'Why do requests time out?', size: 'small', wait_seconds: 40 },
        { onprogress: ({ message }) => void progress.push(message ?? '') },
      );
      assert.match(progress.at(-1) ?? '', /nodes done/);
      const { search } = began.structuredContent as { search: string };
      assert.deepEqual(began.content[1]?.uri, `tree://${search}/report.md`);
      const resources = await documentsOf(client);
      assert.equal(resources[0]?.uri, `tree://${search}/report.md`);
      for (const { uri, name } of resources) {
        const { contents } = await library.readResource({ uri });
        assert.equal(contents[0]?.text, await readFile(join(dir, 'thought-trees', search, name), 'utf8'));
      }
      for (const path of [
        '../../queue.md',
        '%2e%2e/%2e%2e/queue.md',
        '..%2f..%2fqueue.md',
        '.search/journal.jsonl',
        'search.json',
        '%00',
        'x/document.md',
      ])
        await assert.rejects(library.readResource({ uri: `tree://${search}/${path}` }), /not found|Resource/i);
      await assert.rejects(library.readResource({ uri: 'tree://../queue.md' }), /not found|Resource/i);
      const names = await library.complete({
        ref: { type: 'ref/prompt', name: 'explain-node' },
        argument: { name: 'search', value: 'why' },
      });
      assert.deepEqual(names.completion.values, [search]);
      const paths = await library.complete({
        ref: { type: 'ref/resource', uri: 'tree://{search}/{+path}' },
        argument: { name: 'path', value: '' },
        context: { arguments: { search } },
      });
      assert.deepEqual(
        paths.completion.values,
        resources.map(({ name }) => name),
      );
      assert.deepEqual(
        (await library.listPrompts()).prompts.map(({ name }) => name),
        ['investigate', 'do-work', 'explain-node'],
      );
      const node = resources[1]?.name.replace('/document.md', '') ?? '';
      const explain = await library.getPrompt({ name: 'explain-node', arguments: { search, node } });
      assert.match(explain.messages[0]?.content.text ?? '', new RegExp(`"${node}" of the search "${search}"`));
      const investigate = await library.getPrompt({ name: 'investigate', arguments: { question: 'Why?' } });
      assert.match(investigate.messages[0]?.content.text ?? '', /fresh agent for every proposed node/);
    });

  it('send nothing of a home folder, for which only a person may decide', async () => {
    const client = await open(PAID, { env: { THOUGHT_TREE_BASE_URL: server.baseUrl, HOME: dir } });
    const refused = await client.raw('tree_start', { question: 'Why do requests time out?' });
    assert.equal(refused.isError, true);
    assert.match(String(refused.content[0]?.text), /is your home folder.* only if a person agrees/);
    assert.deepEqual(server.log, []);
    assert.deepEqual(await readdir(dir), ['lease.md', 'queue.md']);
  });

  for (const mode of MODES)
    it(`tell clients which documents changed, also where others change them (${mode})`, async () => {
      const [client, other] = [await open(['--allow-delete'], { mode }), await open(['--allow-delete'])];
      const { library } = client;
      const updated: string[] = [];
      let lists = 0;
      library.setNotificationHandler(
        'notifications/resources/updated',
        ({ params }) => void updated.push(params.uri ?? ''),
      );
      library.setNotificationHandler('notifications/resources/list_changed', () => void lists++);
      const { search } = await client.call('tree_start', {
        question: 'Why do requests time out?',
        size: 'small',
        wait_seconds: 40,
      });
      const [, first] = await documentsOf(client);
      assert.ok(first);
      if (mode === 'legacy') await library.subscribeResource({ uri: first.uri });
      else await library.listen({ resourceSubscriptions: [first.uri], resourcesListChanged: true });
      await library.readResource({ uri: first.uri });
      // Its node.json changes too, which nobody asked for.
      await other.call('tree_act', { search, node: first.name.replace('/document.md', ''), action: 'prune' });
      while (updated.length === 0 || lists === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual([...new Set(updated)], [first.uri]);
      assert.ok(lists > 0);
    });

  it('go on in the background, and are steered through the server that runs them', async () => {
    const [runner, other] = [await open(PAID), await open(PAID)];
    const { search, state } = await runner.call('tree_start', LONG);
    assert.equal(state, 'running');
    await server.until((log) => log.length > 12);
    assert.equal((await other.call('tree_status', { search }))['run_by'], 'another program');
    const [{ node }] = (await outline(other, search)) as [Row];
    // The other server's allowance cannot limit what this one spends.
    const expanded = await other.raw('tree_act', { search, action: 'grow', arguments: { size: 'all' } });
    assert.match(expanded.content[0]?.text ?? '', /another program runs this search/);
    await other.call('tree_act', { search, node, action: 'prune' });
    assert.equal((await outline(runner, search)).find((row) => row.node === node)?.status, 'pruned');
    await other.call('tree_act', { search, action: 'pauseNow' });
    await until(runner, search, (now) => now === 'paused');
    const calls = server.log.length;
    // It says that it is paused a moment before its program lets go of it.
    while ((await runner.call('tree_status', { search }))['run_by'] !== 'nobody');
    await other.call('tree_act', { search, action: 'resume' });
    await server.until((log) => log.length > calls + 3);
    assert.equal((await runner.call('tree_status', { search }))['run_by'], 'another program');
  });

  for (const mode of MODES)
    it(`are paused when the client goes away, which says how to continue (${mode})`, async () => {
      let said = '';
      const client = await open(PAID, { mode, onStderr: (text) => (said += text) });
      const { search } = await client.call('tree_start', LONG);
      await server.until((log) => log.length > 8);
      await client.close();
      const other = await open(PAID);
      const status = await other.call('tree_status', { search });
      assert.deepEqual([status['state'], status['run_by']], ['paused', 'nobody']);
      assert.match(said, /A search was paused\. To continue: .* resume .*why-is-the-build-slow/);
      const calls = server.log.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(server.log.length, calls);
    });

  for (const mode of MODES)
    it(`are paused when the call that waits for them is cancelled, and lose nothing (${mode})`, async () => {
      const client = await open(PAID, { mode });
      const { search } = await client.call('tree_start', LONG);
      await server.until((log) => log.length > 8);
      const cancel = new AbortController();
      const waiting = client.raw(
        'tree_wait',
        { search, seconds: 50 },
        { signal: cancel.signal, onprogress: () => cancel.abort() },
      );
      await assert.rejects(waiting);
      await until(client, search, (state) => state === 'paused');
      const before = await outline(client, search);
      const resumed = await client.call('tree_act', { search, action: 'resume' });
      assert.equal((resumed['done'] as { ok: boolean }).ok, true);
      await client.call('tree_wait', { search, seconds: 1 });
      const after = new Set((await outline(client, search)).map(({ node }) => node));
      assert.deepEqual(
        before.filter(({ node }) => !after.has(node)),
        [],
      );
    });

  it('are not resumed where that could only pay for another report', async () => {
    const client = await open(PAID);
    const { search } = await client.call('tree_start', { question: LONG.question, size: 'small' });
    await until(client, search, (state) => state === 'finished');
    const { nodes } = await client.call('tree_read', { search, what: 'outline' });
    const { node } = (nodes as Row[]).find(({ status }) => status === 'expanded') ?? assert.fail();
    await client.call('tree_act', { search, action: 'add', node, arguments: { title: 'What I ask' } });
    await client.call('tree_act', { search, action: 'prune', node });
    const calls = server.log.length;
    const { isError, content } = await client.raw('tree_act', { search, action: 'resume' });
    assert.equal(isError, true);
    assert.match(content[0]?.text ?? '', /Nothing is left to work on/);
    assert.equal(server.log.length, calls);
  });

  it('continue after their server was killed between two calls', async () => {
    const client = await open(PAID);
    const { search } = await client.call('tree_start', LONG);
    await server.until((log) => log.length > 8);
    await client.kill();
    const next = await open(PAID);
    const state = await until(next, search, (now) => now === 'interrupted' || now === 'paused');
    assert.equal(state, 'interrupted');
    const calls = server.log.length;
    await next.call('tree_act', { search, action: 'resume' });
    await server.until((log) => log.length > calls + 3);
    assert.equal((await next.call('tree_status', { search }))['run_by'], 'this program');
  });

  it('answer input that does not fit, and searches that are not there, with an error that says so', async () => {
    const client = await open();
    for (const [tool, args] of [
      ['tree_start', { question: '' }],
      ['tree_start', { question: 'Why?', size: 'huge' }],
      ['tree_start', { question: 'Why?', kind: 'nothing' }],
      ['tree_start', { question: 'Why?', options: { hooks: '/bin/sh' } }],
      ['tree_start', { question: 'Why?', kind: 'investigation', options: { projectDir: '/' } }],
      ['tree_start', { question: 'Why?', kind: 'thoughts', options: { strategy: 'none' } }],
      ['tree_start', { question: 'Why?', model: 'vscode/any' }],
      ['tree_start', { question: 'Why?', model: 'nobody/any' }],
      ['tree_wait', { search: 'none', seconds: 1000 }],
      ['tree_status', { search: '../..' }],
      ['tree_read', { search: 'none', what: 'everything' }],
      ['tree_act', { search: 'none', action: 'prune' }],
    ] as const) {
      const { isError, content } = await client.raw(tool, args);
      assert.equal(isError, true, `${tool} ${JSON.stringify(args)}`);
      assert.doesNotMatch(content[0]?.text ?? '', /nobody foresaw/);
    }
  });

  for (const mode of MODES)
    it(`are only read by a server that may only read (${mode})`, async () => {
      const writer = await open();
      const { search } = await writer.call('tree_start', { question: 'Why?', size: 'small', wait_seconds: 40 });
      await writer.close();
      const before = await filesIn(dir);
      const client = await open(['--read-only'], { mode });
      const { library } = client;
      for (const { name } of await client.tools())
        for (const what of ['outline', 'node', 'report', 'words'])
          await client.raw(name, { search, what, seconds: 0, sessionId: 'none' });
      for (const { uri } of await documentsOf(client)) await library.readResource({ uri });
      for (const tool of ['tree_start', 'tree_act', 'tot_start']) {
        const refused = await client.raw(tool, { search, question: 'Why?', query: 'Why?' }).then(
          ({ isError }) => isError === true,
          () => true,
        );
        assert.ok(refused, tool);
      }
      await client.close();
      assert.deepEqual(await filesIn(dir), before);
    });
});

/** Everything in a folder, with what is in each file and when it was written. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const told = files.sort().map(async (file): Promise<[string, string]> => {
    const [text, about] = [await readFile(file, 'utf8'), await stat(file)];
    return [file, `${about.mtimeMs} ${text}`];
  });
  return Object.fromEntries(await Promise.all(told));
}
