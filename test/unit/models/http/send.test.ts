import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { send } from '../../../../src/models/http/send.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK';

/** A server that does with each request of each connection what a test says; both are counted from 0. */
async function startServer(does: (socket: Socket, connection: number, request: number) => void) {
  const sent: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const connection = sockets.size;
    let requests = 0;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      sent.push(`${connection} ${data.toString().split('\r\n\r\n')[1]}`);
      does(socket, connection, requests++);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    sent,
    ask: async (body: string, signal?: AbortSignal) => {
      const init = { method: 'POST', body, ...(signal ? { signal } : {}) };
      const response = await send(`http://127.0.0.1:${port}/v1`, init);
      return await response.text();
    },
    askStatus: async () => (await send(`http://127.0.0.1:${port}/v1`)).status,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('a request', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  afterEach(() => server.close());

  for (const end of ['end', 'resetAndDestroy'] as const)
    it(`is sent once more, on a new connection, where one that was kept open turns out to be closed (${end})`, async () => {
      server = await startServer((socket, connection, request) => {
        if (connection === 0 && request > 0) socket[end]();
        else socket.write(ANSWER);
      });
      assert.equal(await server.ask('a'), 'OK');
      assert.equal(await server.ask('b'), 'OK');
      assert.deepEqual(server.sent, ['0 a', '0 b', '1 b']);
    });

  it('is not sent again where a new connection is reset, or an answer had begun', async () => {
    server = await startServer((socket, connection, request) => {
      if (request === 0 && connection === 0) socket.write(ANSWER);
      else if (connection === 0) socket.write(`${ANSWER.slice(0, -1)}`, () => socket.resetAndDestroy());
      else socket.resetAndDestroy();
    });
    assert.equal(await server.ask('a'), 'OK');
    await assert.rejects(server.ask('b'));
    await assert.rejects(server.ask('c'), { code: 'ECONNRESET' });
    assert.deepEqual(server.sent, ['0 a', '0 b', '1 c']);
  });

  it('that is stopped is not sent again', async () => {
    const stop = new AbortController();
    server = await startServer((socket, _connection, request) => {
      if (request === 0) socket.write(ANSWER);
      else stop.abort();
    });
    await server.ask('a');
    await assert.rejects(server.ask('b', stop.signal), { name: 'AbortError' });
    assert.deepEqual(server.sent, ['0 a', '0 b']);
  });

  for (const [status, told] of [
    [204, 204],
    [205, 205],
    [304, 304],
    [600, 500],
    [999, 500],
  ])
    it(`ends with any status: ${status}`, async () => {
      server = await startServer((socket) => socket.write(ANSWER.replace('200', String(status))));
      assert.equal(await server.askStatus(), told);
    });

  it('fails where a server changes to another protocol', async () => {
    server = await startServer((socket) =>
      socket.write('HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    );
    await assert.rejects(server.askStatus(), { code: 'ECONNRESET' });
  });

  for (const [encoding, encode] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync })) {
    const bytes = encode('some text, '.repeat(99));
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`;

    it(`reads a body that was compressed without being asked for (${encoding})`, async () => {
      server = await startServer((socket) => {
        socket.write(head);
        for (const byte of bytes) socket.write(Buffer.of(byte));
      });
      assert.equal(await server.ask('a'), 'some text, '.repeat(99));
    });

    it(`fails where such a body breaks off (${encoding})`, async () => {
      server = await startServer((socket) => socket.end(Buffer.concat([Buffer.from(head), bytes.subarray(0, 9)])));
      await assert.rejects(server.ask('a'));
    });
  }
});
