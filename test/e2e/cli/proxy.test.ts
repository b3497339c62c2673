import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SteeredSearch } from './steering/steered-search.ts';

/** A proxy that alone knows where a server is. */
async function startProxy(port: () => number): Promise<{ server: Server; url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((asked, answer) => {
    const { host, pathname } = new URL(asked.url ?? '');
    seen.push(host);
    const { method = '', headers } = asked;
    const there = request({ port: port(), host: '127.0.0.1', path: pathname, method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    there.on('error', () => answer.destroy());
    asked.pipe(there);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe('a network with a proxy', () => {
  let search: SteeredSearch;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  before(async () => {
    search = await SteeredSearch.make();
    proxy = await startProxy(() => Number(new URL(search.server.baseUrl).port));
  });
  after(async () => {
    proxy.server.closeAllConnections();
    proxy.server.close();
    await search.remove();
  });
  const start = (base: string, variables: Record<string, string>, title: string) =>
    search.runWith(
      { HTTP_PROXY: proxy.url, THOUGHT_TREE_MODEL: 'openai-compatible/m', ...variables },
      ...['start', 'Why?', '--title', title, '--size', 'small', '--max-depth', '1', '--base-url', base],
    );

  it('is gone through to a server that only the proxy knows', async () => {
    const { code, stdout, stderr } = await start('http://models.company.example/v1', {}, 'One');
    assert.equal(code, 0, stdout + stderr);
    assert.ok(proxy.seen.length > 0);
    assert.ok(proxy.seen.every((place) => place === 'models.company.example'));
  });

  it('is not gone through to this computer', async () => {
    const before = proxy.seen.length;
    const { code, stdout, stderr } = await start(search.server.baseUrl, {}, 'Two');
    assert.equal(code, 0, stdout + stderr);
    assert.equal(proxy.seen.length, before);
  });

  it('is named where it does not answer', async () => {
    const gone = { HTTP_PROXY: 'http://me:secret@127.0.0.1:1' };
    const { code, stdout } = await start('http://models.company.example/v1', gone, 'Three');
    assert.equal(code, 4, stdout);
    assert.match(stdout, /the proxy 127\.0\.0\.1:1, which HTTP_PROXY names/);
    assert.doesNotMatch(stdout, /secret/);
  });

  it('is named where it asks for a password', async () => {
    const strict = createServer((_, answer) => void answer.writeHead(407).end('<html>Who are you?</html>'));
    await once(strict.listen(0, '127.0.0.1'), 'listening');
    const { port } = strict.address() as AddressInfo;
    const { code, stdout } = await start(
      'http://models.company.example/v1',
      { HTTP_PROXY: `http://127.0.0.1:${port}` },
      'Four',
    );
    strict.close();
    assert.equal(code, 4, stdout);
    assert.match(stdout, new RegExp(`HTTP 407.*the proxy 127\\.0\\.0\\.1:${port}, which HTTP_PROXY names`));
  });

  it('is not gone through to what is below an exception', async () => {
    const before = proxy.seen.length;
    const { code, stdout } = await start(
      'http://models.company.example/v1',
      { NO_PROXY: 'other.example company.example' },
      'Five',
    );
    assert.equal(code, 4, stdout);
    assert.equal(proxy.seen.length, before);
  });
});
