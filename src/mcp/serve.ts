import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Kinds } from '../engine/kind/kinds.ts';
import { AnsweringStdio } from './answering-stdio.ts';
import { APP_RESOURCES } from './app-resources.ts';
import { Investigations, type InvestigationsParts } from './investigations/investigations.ts';
import { MCP_KINDS } from './mcp-kinds.ts';
import { newToken, serveHttp } from './serve-http.ts';
import { buildServer, type ServerParts } from './server.ts';
import { TreeProgram, type TreeProgramParts } from './tree-program.ts';

/** The decisions of a person about a server, on its command line. */
export interface ServeRequest extends InvestigationsParts, Omit<TreeProgramParts, 'kinds'> {
  /** The kinds of the command line; those that only agents lead are added. */
  readonly kinds: Kinds;
  readonly isReadOnly: boolean;
  readonly besideWindow?: boolean | undefined;
  /** The port to serve on, on this computer only; over standard streams if undefined. 0 for any. */
  readonly http?: number | undefined;
  /** Tells the person, in one line, what no client hears. */
  readonly tell: (text: string) => void;
}

/** The variable that has the token of a server over HTTP. */
const TOKEN = 'THOUGHT_TREE_MCP_TOKEN';

/**
 * Serves agents until the client goes away, or somebody ends the process. Nothing is written before a tool is called.
 * @returns the folders of the searches that it ran, which are paused now
 */
export async function serveMcp(request: ServeRequest): Promise<string[]> {
  const parts = partsOf(request);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  if (request.http === undefined) {
    const transport = new AnsweringStdio();
    serveStdio((context) => buildServer(parts, context), { transport });
    await Promise.race([closed, transport.ended()]);
  } else await overHttp(parts, request.http, request.tell, closed);
  return await parts.program.close();
}

async function overHttp(
  parts: ServerParts,
  port: number,
  tell: (text: string) => void,
  closed: Promise<void>,
): Promise<void> {
  const given = process.env[TOKEN]?.trim();
  const token = given || newToken();
  const server = await serveHttp((context) => buildServer(parts, context, false), parts.program, port, token);
  tell(given ? `${server.url} (token: as in ${TOKEN})` : `${server.url} (token: ${token})`);
  await closed;
  await server.close();
}

function partsOf({ kinds, isReadOnly, besideWindow, tell, ...request }: ServeRequest): ServerParts {
  const known = new Set(kinds.map(({ face }) => face.name));
  const all = [...kinds, ...MCP_KINDS.filter(({ face }) => !known.has(face.name))];
  const program = new TreeProgram({ ...request, kinds: all }, tell);
  const investigations = new Investigations(request);
  return { investigations, rules: request, program, apps: APP_RESOURCES, isReadOnly, besideWindow };
}
