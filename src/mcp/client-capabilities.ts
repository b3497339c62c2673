import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** The extension of clients that show pages next to answers. */
const PAGES = 'io.modelcontextprotocol/ui';

/** Returns what the client of a request can do; undefined where it was said in a session that is not kept. */
export function capabilitiesOf({ server }: McpServer, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  const sent = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  return (sent ? sent[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities()) as ClientCapabilities | undefined;
}

/** A list of tools, as far as it matters here. */
interface Listed {
  readonly tools: readonly { readonly _meta?: { readonly ui?: { readonly visibility?: readonly string[] } } }[];
}
type Handler = (request: unknown, ctx: ServerContext) => Promise<Listed>;

/** A server that lists tools for pages alone to clients that show pages: others would give them to their model. */
export function hidesFromModels(server: McpServer): McpServer {
  const set = server.server.setRequestHandler.bind(server.server) as (method: string, handler: Handler) => void;
  const hiding = (method: string, handler: Handler): void => {
    const listed: Handler = async (request, ctx) => {
      const result = await handler(request, ctx);
      const capabilities = capabilitiesOf(server, ctx);
      if (!capabilities || capabilities.extensions?.[PAGES]) return result;
      return { ...result, tools: result.tools.filter(({ _meta }) => !isForPages(_meta?.ui?.visibility)) };
    };
    set(method, method === 'tools/list' ? listed : handler);
  };
  server.server.setRequestHandler = hiding as never;
  return server;
}

function isForPages(visibility: readonly string[] | undefined): boolean {
  return visibility !== undefined && !visibility.includes('model');
}
