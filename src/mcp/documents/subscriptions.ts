import type { McpServer } from '@modelcontextprotocol/server';
import type { TreeProgram } from '../tree-program.ts';
import { documentAt, documentUri } from './document-uri.ts';

/** The most addresses that one client of the older protocol may subscribe to. */
const MOST = 1000;

/**
 * Tells a client when documents change, and when there are others. Clients of the older protocol say which by requests; for
 * the others the library lets through what they listen to.
 */
export function tellChanges(server: McpServer, program: TreeProgram, isOld: boolean): void {
  const wanted = new Set<string>();
  if (isOld) {
    server.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      const named = documentAt(uri);
      if (named && wanted.size < MOST) {
        wanted.add(uri);
        await program.follow(named.search);
      }
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      wanted.delete(uri);
      return {};
    });
  }
  const stop = program.listen(({ search, paths, isListChanged }) => {
    for (const uri of paths.map((path) => documentUri(search, path)))
      if (!isOld || wanted.has(uri)) void server.server.sendResourceUpdated({ uri }).catch(() => undefined);
    if (isListChanged) server.sendResourceListChanged();
  });
  server.server.onclose = stop;
}
