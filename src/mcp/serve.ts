import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import packageJson from '../../package.json' with { type: 'json' };
import { instructionsFor } from '../kinds/investigation/protocol/instructions.ts';
import { setupFor } from '../kinds/investigation/protocol/start.ts';
import { addInvestigationTools } from './investigation-tools.ts';
import { Investigations, type InvestigationsParts } from './investigations.ts';

/** What a person decided about a server, on its command line. */
export interface ServeRequest extends InvestigationsParts {
  readonly isReadOnly: boolean;
}

/** Serves agents over this process's standard streams until the client goes away. Nothing is written before a tool is called. */
export async function serveMcp({ isReadOnly, ...parts }: ServeRequest): Promise<void> {
  const at = new Investigations(parts);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  process.stdin.once('end', () => resolve());
  process.stdin.once('close', () => resolve());
  serveStdio(() => buildServer(at, parts, isReadOnly));
  await closed;
}

/** One server; a client may be answered by several of them, so that all state is on disk. */
function buildServer(
  at: Investigations,
  { profile, minRounds, requireAgents }: InvestigationsParts,
  isReadOnly: boolean,
): McpServer {
  const setup = setupFor(profile, { query: '' }, { sessionId: '', minRounds, requireAgents });
  const info = { name: 'tree-of-thoughts', title: 'Thought Tree', version: packageJson.version };
  const server = new McpServer(info, { instructions: instructionsFor(setup) });
  addInvestigationTools(server, at, isReadOnly);
  return server;
}
