import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppResource } from '../../../src/mcp/resources.ts';
import { startFront } from '../../support/mcp/conformance-front.ts';
import { COMMAND, MODES, openHttpClient } from './mcp-client.ts';

describe('thought-tree mcp --http', () => {
  let dir: string;
  let server: ChildProcess | undefined;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'thought-tree-mcp-http-'));
    await writeFile(join(dir, 'queue.md'), '# Queue\n\nRequests wait in the queue.\n');
  });
  afterEach(async () => {
    if (server && server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await rm(dir, { recursive: true, force: true });
  });

  /** Starts a server on a free port; what it says once it serves. */
  async function serve(env: NodeJS.ProcessEnv = {}): Promise<{ url: string; token: string; said: () => string }> {
    let text = '';
    server = spawn(process.execPath, [COMMAND, 'mcp', '--dir', dir, '--http', '0', '--allow-delete'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = Promise.withResolvers<void>();
    server.stderr?.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('\n')) said.resolve();
    });
    await said.promise;
    const [, url = '', token = ''] = /^(http:\S+) \(token: (.*)\)\n/.exec(text) ?? [];
    return { url, token, said: () => text };
  }

  /** The status of a request with these headers. */
  async function statusOf(url: string, headers: Record<string, string>, method = 'POST'): Promise<number> {
    const { hostname, port, pathname } = new URL(url);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const sent = request({
      hostname,
      port,
      path: pathname,
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    });
    sent.end(method === 'POST' ? body : undefined);
    const [response] = (await once(sent, 'response')) as [{ statusCode?: number; resume(): void }];
    response.resume();
    return response.statusCode ?? 0;
  }

  for (const mode of MODES)
    it(`serves programs that know the token, and writes nothing before a tool is called (${mode})`, async () => {
      const { url, token } = await serve();
      assert.match(token, /^[\da-f]{48}$/);
      const client = await openHttpClient(url, token, mode);
      assert.ok((await client.listTools()).tools.some(({ name }) => name === 'tree_start'));
      assert.deepEqual(await readdir(dir), ['queue.md']);
      const started = await client.callTool({
        name: 'tree_start',
        arguments: { question: 'Why do requests wait?', size: 'small', wait_seconds: 30 },
      });
      assert.equal(started.structuredContent?.['state'], 'finished');
      const { search } = started.structuredContent as { search: string };
      const report = await client.readResource({ uri: `tree://${search}/report.md` });
      assert.match(report.contents[0]?.text ?? '', /Why do requests wait/);
      await client.close();
    });

  it('refuses whoever has no token, pages of browsers, and names that are not this computer’s', async () => {
    const { url, token, said } = await serve({ THOUGHT_TREE_MCP_TOKEN: 'my-own-token' });
    assert.equal(token, 'as in THOUGHT_TREE_MCP_TOKEN');
    assert.ok(!said().includes('my-own-token'));
    const authorization = 'Bearer my-own-token';
    const { port } = new URL(url);
    assert.equal(await statusOf(url, { authorization }), 200);
    for (const wrong of [
      '',
      'Bearer',
      'Bearer my-own-toke',
      'Bearer my-own-token2',
      'Basic bXktb3duLXRva2Vu',
      'my-own-token',
    ])
      assert.equal(await statusOf(url, wrong === '' ? {} : { authorization: wrong }), 401, wrong);
    assert.equal(await statusOf(url, { authorization, origin: 'https://example.com' }), 403);
    assert.equal(await statusOf(url, { authorization, origin: 'null' }), 403);
    assert.equal(await statusOf(url, { authorization, host: 'example.com' }), 403);
    assert.equal(await statusOf(url, { authorization, host: `thought-tree.example:${port}` }), 403);
    assert.equal(await statusOf(url, { authorization, origin: `http://localhost:${port}` }), 200);
    assert.equal(await statusOf(url.replace('/mcp', '/other'), { authorization }), 404);
    assert.equal(await statusOf(url, { authorization }, 'GET'), 405);
    assert.deepEqual(await readdir(dir), ['queue.md']);
  });

  it('answers clients that name neither form, or one, in JSON, and with a stream those that ask for it', async () => {
    const { url, token } = await serve();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} });
    for (const accept of [undefined, '*/*', 'application/json', 'text/event-stream']) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, accept: accept ?? '' };
      const { port } = new URL(url);
      const sent = request({ port, path: '/mcp', method: 'POST', headers });
      if (accept === undefined) sent.removeHeader('accept');
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const text = Buffer.concat(await response.toArray()).toString();
      const isStream = accept === 'text/event-stream';
      assert.equal(response.headers['content-type'], isStream ? accept : 'application/json', text);
      const message = JSON.parse(isStream ? (/^data: (\{.*)$/m.exec(text)?.[1] ?? '') : text) as { id: number };
      assert.equal(message.id, 7, text);
      assert.match(text, /tree_start/);
    }
  });

  it('is reached from this computer alone', async () => {
    const { url, token } = await serve();
    const others = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    for (const { address } of others) {
      const { port } = new URL(url);
      await assert.rejects(
        statusOf(`http://${address}:${port}/mcp`, { authorization: `Bearer ${token}` }),
        /ECONNREFUSED/,
      );
    }
  });

  it('tells who listens which documents changed', async () => {
    const { url, token } = await serve();
    const client = await openHttpClient(url, token, 'auto');
    const updated: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void updated.push(params.uri ?? ''),
    );
    const question = 'Why do requests wait?';
    const started = await client.callTool({
      name: 'tree_start',
      arguments: { question, size: 'small', wait_seconds: 30 },
    });
    const { search, best } = started.structuredContent as { search: string; best: [{ node: string }] };
    const [{ node }] = best;
    const uri = `tree://${search}/${node}/document.md`;
    await client.listen({ resourceSubscriptions: [uri] });
    await client.callTool({ name: 'tree_act', arguments: { search, node, action: 'prune' } });
    while (updated.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual([...new Set(updated)], [uri]);
    await client.close();
  });

  it('says that its port is taken', async () => {
    const { url } = await serve();
    const second = spawn(process.execPath, [COMMAND, 'mcp', '--dir', dir, '--http', new URL(url).port], {
      stdio: 'pipe',
    });
    let text = '';
    second.stderr.on('data', (piece: Buffer) => (text += piece.toString()));
    const [code] = (await once(second, 'close')) as [number];
    assert.notEqual(code, 0);
    assert.match(text, /^thought-tree: Nothing can be served on port \d+: .*EADDRINUSE.*\n$/);
  });

  for (const mode of MODES)
    it(`names the page that shows what a tool answers (${mode})`, async () => {
      const mimeType = 'text/html;profile=mcp-app';
      const app: AppResource = {
        uri: 'ui://thought-tree/test',
        name: 'test',
        title: 'A page',
        description: 'for this test',
        mimeType,
        meta: { ui: { prefersBorder: true } },
        tools: ['tree_status'],
        read: async () => '<!doctype html><p>A page</p>',
      };
      const front = await startFront(dir, [app]);
      try {
        const client = await openHttpClient(front.url, 'any', mode);
        const { tools } = await client.listTools();
        const named = tools.filter(({ _meta }) =>
          Object.hasOwn((_meta?.['ui'] as object | undefined) ?? {}, 'resourceUri'),
        );
        assert.deepEqual(
          named.map(({ name, _meta }) => [name, _meta?.['ui']]),
          [['tree_status', { resourceUri: app.uri }]],
        );
        const { contents } = await client.readResource({ uri: app.uri });
        assert.deepEqual(contents, [
          { uri: app.uri, mimeType, text: '<!doctype html><p>A page</p>', _meta: { ui: { prefersBorder: true } } },
        ]);
        await client.close();
      } finally {
        await front.close();
      }
    });
});
