import * as z from 'zod';
import type { Toolbox } from '../../../core/ports/tool.ts';

// Our own tools for Claude Code: a server of the Model Context Protocol in this process, which speaks to the SDK over an
// object that it hands us. The part of the protocol that lists and calls tools is all that it needs.

/** The other end, as the SDK makes it. */
interface Transport {
  onmessage?: (message: unknown) => void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
}

/** A server in this process, as the SDK takes it. */
export interface SdkServer {
  readonly type: 'sdk';
  readonly name: string;
  /** The longest use of a tool, in milliseconds. */
  readonly timeout: number;
  readonly instance: { connect(transport: Transport): Promise<void> };
}

/** A command has its own time limit, an hour at most. */
const LONGEST_WAIT_MS = 3_660_000;

/** The name of our server there: its tools are `mcp__checkout__NAME`. */
export const OWN_SERVER = 'checkout';

/** Tells whether it is one of our tools, by the agent's name for it: they look after themselves. */
export function isOwnTool(name: string): boolean {
  return name.startsWith(`mcp__${OWN_SERVER}__`);
}

const Asked = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
const Use = z.looseObject({ name: z.string(), arguments: z.unknown() });
const Initialize = z.looseObject({ protocolVersion: z.string() });

const UNKNOWN_METHOD = -32_601;
const FAILED = -32_603;

/** Our tools as a server; a use of one is stopped with the question. */
export function ownServer(toolbox: Toolbox, signal: AbortSignal): SdkServer {
  return {
    type: 'sdk',
    name: OWN_SERVER,
    timeout: LONGEST_WAIT_MS,
    instance: {
      async connect(transport) {
        transport.onmessage = (message) => {
          const asked = Asked.safeParse(message).data;
          if (asked)
            void reply(toolbox, asked, signal).then(
              (answer) => transport.send(answer),
              () => undefined,
            );
        };
        await transport.start();
      },
    },
  };
}

async function reply(toolbox: Toolbox, asked: z.infer<typeof Asked>, signal: AbortSignal): Promise<object> {
  const { id, method, params } = asked;
  const head = { jsonrpc: '2.0' as const, id };
  try {
    const result = await resultOf(toolbox, { id: String(id), method, params }, signal);
    return result
      ? { ...head, result }
      : { ...head, error: { code: UNKNOWN_METHOD, message: `There is no ${method}.` } };
  } catch (error) {
    return { ...head, error: { code: FAILED, message: error instanceof Error ? error.message : 'It failed.' } };
  }
}

async function resultOf(
  toolbox: Toolbox,
  { id, method, params }: { readonly id: string; readonly method: string; readonly params: unknown },
  signal: AbortSignal,
): Promise<object | undefined> {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = Initialize.parse(params);
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: OWN_SERVER, version: '1' } };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return {
        tools: toolbox.tools.map(({ name, description, parameters }) => {
          // There are few, and they are needed: not to be looked for first.
          return { name, description, inputSchema: parameters, _meta: { 'anthropic/alwaysLoad': true } };
        }),
      };
    case 'tools/call': {
      const { name, arguments: input } = Use.parse(params);
      const { text, isRefused } = await toolbox.use({ id, name, input }, signal);
      return { content: [{ type: 'text', text }], isError: isRefused };
    }
    default:
      return undefined;
  }
}
