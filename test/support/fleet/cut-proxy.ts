import { connect, createServer, type Socket } from 'node:net';

/** A way to a server of this computer that can be cut. */
export interface CutProxy {
  readonly port: number;
  /** Ends all connections and lets none begin, for some milliseconds. */
  cut(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function cutProxy(target: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const there = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, there],
      [there, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut: async (ms) => {
      isCut = true;
      end();
      await new Promise((resolve) => setTimeout(resolve, ms));
      isCut = false;
    },
    close: async () => {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
