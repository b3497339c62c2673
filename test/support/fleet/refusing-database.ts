import { createServer, type Socket } from 'node:net';

/** A PostgreSQL that asks for a password, remembers those that it got, and lets nobody in. */
export class RefusingDatabase {
  readonly passwords: string[] = [];
  port = 0;
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.connections++;
    this.#sockets.add(socket);
    let isAsked = false;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      if (!isAsked) socket.write(packet('R', Buffer.from([0, 0, 0, 3])));
      else if (data[0] === 'p'.charCodeAt(0)) {
        this.passwords.push(data.subarray(5, -1).toString());
        socket.end(packet('E', Buffer.from('SFATAL\0C28P01\0Mpassword authentication failed for user "me"\0\0')));
      }
      isAsked = true;
    });
  });

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.port = (this.#server.address() as { port: number }).port;
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function packet(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
