import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface RawRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that says whatever a test writes. */
export interface RawServer {
  readonly url: string;
  /** How many requests came with a body. */
  readonly count: number;
  close(): Promise<void>;
}

/** Starts a server on this computer that answers each request as given. */
export async function startRawServer(
  answer: (request: RawRequest, response: ServerResponse) => void | Promise<void>,
): Promise<RawServer> {
  let count = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    if (method === 'POST') count++;
    await answer({ method, url, headers, body: Buffer.concat(parts).toString('utf8') }, response);
  };
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get count() {
      return count;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
