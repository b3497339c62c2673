import { createHash } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import { oneLine, withoutCommands } from '../core/text/text.ts';
import type { Permit, ToolAnswer, ToolCall, Wanted } from '../searches/agent-tools/agent-host.ts';
import { type TreeToolName, toolsFor, WINDOW_TOOLS } from '../searches/agent-tools/tool-descriptors.ts';
import { notAllowed } from './messages.ts';
import type { AppResource } from './resources.ts';
import { documentUri } from './resources.ts';
import type { TreeProgram } from './tree-program.ts';

/** The answer of a person. */
const Allowed = z.object({ allow: z.boolean().meta({ title: 'Allow it' }) });

/** A call, and what a person has to allow for it. */
interface Asked {
  readonly name: TreeToolName;
  readonly args: unknown;
  readonly wanted: Wanted;
}

/** Makes the client ask its person, and call the tool again. */
class AskPerson extends Error {
  readonly key: string;
  readonly wanted: Wanted;

  constructor(key: string, wanted: Wanted) {
    super('A person has to be asked.');
    this.key = key;
    this.wanted = wanted;
  }
}

/**
 * Adds the tools over searches of every kind to a server, always in the same order.
 * @param besideWindow whether the client's window offers some of them itself: only pages in its chat get those from here
 */
export function addTreeTools(
  server: McpServer,
  program: TreeProgram,
  isReadOnly: boolean,
  apps: readonly AppResource[],
  besideWindow = false,
): void {
  const elsewhere: readonly TreeToolName[] = besideWindow ? WINDOW_TOOLS : [];
  for (const { name, title, description, input, output, annotations } of toolsFor(
    program.kinds.map(({ descriptor }) => descriptor),
  )) {
    if (isReadOnly && !annotations.readOnlyHint) continue;
    const app = apps.find(({ tools }) => tools.includes(name));
    const isHidden = elsewhere.includes(name);
    const shown = isHidden
      ? { _meta: { ui: { visibility: ['app'] } } }
      : app && { _meta: { ui: { resourceUri: app.uri } } };
    server.registerTool(
      name,
      { title, description, inputSchema: input as z.ZodObject, outputSchema: output, annotations, ...shown },
      (args: object, ctx: ServerContext) => answered(server, program, ctx, (call) => call(name, args)),
    );
  }
}

/** Calls one of the tools over searches, as a part of a call of a client. */
export type CallTree = (name: TreeToolName, args: object) => Promise<ToolAnswer>;

/** Answers a call of a client, whose person is asked where a tool over searches needs their permission. */
export async function answered(
  server: McpServer,
  program: TreeProgram,
  ctx: ServerContext,
  answer: (call: CallTree) => Promise<ToolAnswer>,
): Promise<CallToolResult | InputRequiredResult> {
  const call = callOf(ctx);
  const calling: CallTree = (name, args) =>
    program.call(name, args, call, (wanted) => permit(server, program, { name, args, wanted }, ctx));
  try {
    return resultOf(await answer(calling));
  } catch (error) {
    if (error instanceof AskPerson) return asking(error);
    const { reason, message } = toThoughtTreeError(error);
    const text = reason === 'internal' ? `This failed in a way that nobody foresaw: ${oneLine(message, 500)}` : message;
    return { isError: true, content: [{ type: 'text', text: withoutCommands(text) }] };
  }
}

function callOf({ mcpReq }: ServerContext): ToolCall {
  const token = mcpReq._meta?.progressToken;
  const { signal } = mcpReq;
  if (token === undefined) return { signal };
  let last = -1;
  return {
    signal,
    progress: (done, total, message) => {
      // A number may come a second time with other words; it has to grow all the same.
      last = Math.max(last + 0.001, done);
      const params = { progressToken: token, progress: last, ...(total !== undefined && { total }), message };
      void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

/** The person's answer if the client can ask; else what they allowed on the server's own command line. */
async function permit(server: McpServer, program: TreeProgram, asked: Asked, ctx: ServerContext): Promise<Permit> {
  const { wanted } = asked;
  if (!canAsk(server, ctx)) return program.allowance.permit(wanted);
  const { inputResponses } = ctx.mcpReq;
  const key = keyOf(asked);
  // An answer to another question does not count.
  if (inputResponses?.[key] === undefined) throw new AskPerson(key, wanted);
  const answer = acceptedContent(inputResponses, key, Allowed);
  if (answer?.allow === true) return { mostUsd: wanted.mostUsd };
  throw new ThoughtTreeError('declined', notAllowed());
}

function canAsk(server: McpServer, ctx: ServerContext): boolean {
  const asks = capabilitiesOf(server, ctx)?.elicitation;
  return asks !== undefined && (asks.form !== undefined || Object.keys(asks).length === 0);
}

/** Returns a key that stays while a person thinks: the amount that is left to spend may change meanwhile. */
function keyOf({ name, args, wanted: { question, models, spends, removes } }: Asked): string {
  const asked = JSON.stringify([name, args, question, models, spends, removes]);
  return `allow-${createHash('sha256').update(asked).digest('hex').slice(0, 16)}`;
}

function asking({ key, wanted: { question, details } }: AskPerson): InputRequiredResult {
  const message = [question, ...details].join('\n');
  return inputRequired({ inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema: Allowed }) } });
}

/** Text for models, data for programs, and links to the files that it is about. */
function resultOf({ text, data, files = [] }: ToolAnswer): CallToolResult {
  const links = files.map(({ search, path, title }) => ({
    type: 'resource_link' as const,
    uri: documentUri(search, path),
    name: title,
    mimeType: 'text/markdown',
  }));
  const structuredContent = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  return { content: [{ type: 'text', text }, ...links], structuredContent };
}

/** The extension of clients that show pages next to answers. */
const PAGES = 'io.modelcontextprotocol/ui';

/** Returns what the client of a request can do; undefined where it was said in a session that is not kept. */
function capabilitiesOf({ server }: McpServer, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  const sent = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return (sent ? sent[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities()) as ClientCapabilities | undefined;
}

/** A list of tools, as far as it matters here. */
interface Listed {
  readonly tools: readonly { readonly _meta?: { readonly ui?: { readonly visibility?: readonly string[] } } }[];
}
type Handler = (request: unknown, ctx: ServerContext) => Promise<Listed>;

/**
 * Returns a server that lists tools for pages alone to clients that show pages: others would give them to their model.
 */
export function hidesFromModels(server: McpServer): McpServer {
  const set = server.server.setRequestHandler.bind(server.server) as (method: string, ...rest: unknown[]) => void;
  const hiding = (handler: Handler): Handler => {
    return async (request, ctx) => {
      const result = await handler(request, ctx);
      const capabilities = capabilitiesOf(server, ctx);
      if (!capabilities || capabilities.extensions?.[PAGES]) return result;
      return { ...result, tools: result.tools.filter(({ _meta }) => !isForPages(_meta?.ui?.visibility)) };
    };
  };
  server.server.setRequestHandler = (method: string, ...rest: unknown[]): void => {
    if (method === 'tools/list') set(method, hiding(rest[0] as Handler));
    else set(method, ...rest);
  };
  return server;
}

function isForPages(visibility: readonly string[] | undefined): boolean {
  return visibility !== undefined && !visibility.includes('model');
}
