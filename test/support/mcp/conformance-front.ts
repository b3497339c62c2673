import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { Investigations } from '../../../src/mcp/investigations.ts';
import type { AppResource } from '../../../src/mcp/resources.ts';
import { newToken, serveHttp } from '../../../src/mcp/serve.ts';
import { buildServer } from '../../../src/mcp/server.ts';
import { TreeProgram } from '../../../src/mcp/tree-program.ts';
import { addFixtures } from './conformance-fixtures.ts';

/**
 * Returns our factory with the fixtures of the suite, behind our own front; the suite knows no token, so that one is
 * added on the way.
 */
export async function startFront(
  workspace: string,
  apps: readonly AppResource[] = [],
): Promise<{ url: string; close(): Promise<void> }> {
  const folder = join(workspace, 'thought-trees');
  const rules = { profile: 'strict', minRounds: 5, requireAgents: false } as const;
  const investigations = new Investigations({ workspace, folder, ...rules });
  const program = new TreeProgram(
    { kinds: KINDS, workspace, folder, allowUsd: 0, allowDelete: false },
    () => undefined,
  );
  const parts = { investigations, rules, program, apps, isReadOnly: false };
  const token = newToken();
  const served = await serveHttp(
    (context) => {
      const server = buildServer(parts, context, false);
      addFixtures(server);
      return server;
    },
    program,
    0,
    token,
  );
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const on = request(served.url, { method, headers: { ...headers, authorization: `Bearer ${token}` } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    on.on('error', () => outgoing.destroy());
    outgoing.on('close', () => on.destroy());
    incoming.pipe(on);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    async close() {
      await served.close();
      proxy.closeAllConnections();
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
      await program.close();
    },
  };
}
