import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BARE } from '../../support/cli-process.ts';
import { installPackages } from '../../support/install-packages.ts';
import { SOURCES } from '../../support/investigation/played.ts';

export const COMMAND = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

/** Both protocols that the client library speaks: with a handshake, and without. */
export const MODES = ['legacy', 'auto'] as const;

export interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string; readonly uri?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** What a person answers who is asked. */
export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
}

interface CallOptions {
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string }) => void;
  readonly signal?: AbortSignal;
}

interface LibraryClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  setRequestHandler(method: string, handler: (request: { params: { message: string } }) => Answer): void;
  setNotificationHandler(method: string, handler: (notification: { params: { uri?: string } }) => void): void;
  listTools(): Promise<{
    tools: { name: string; annotations?: object; outputSchema?: object; _meta?: Readonly<Record<string, unknown>> }[];
  }>;
  listResources(): Promise<{ resources: { uri: string; name: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(request: object): Promise<{ messages: { content: { text: string } }[] }>;
  readResource(request: { uri: string }): Promise<{ contents: { text: string }[] }>;
  subscribeResource(request: { uri: string }): Promise<unknown>;
  listen(filter: object): Promise<unknown>;
  complete(request: object): Promise<{ completion: { values: string[] } }>;
  callTool(call: { name: string; arguments: object }, options?: CallOptions): Promise<ToolResult>;
  getInstructions(): string | undefined;
}

interface OpenOptions {
  readonly mode?: (typeof MODES)[number];
  readonly env?: Readonly<Record<string, string>>;
  /** What the person answers; a client without it cannot ask. */
  readonly answer?: (message: string) => Answer;
  /** Whether it shows pages next to answers. */
  readonly showsPages?: boolean;
  /** The command, where it is not the one in dist/. */
  readonly program?: string;
  /** Called with what the server writes to its person. */
  readonly onStderr?: (text: string) => void;
}

/** A module of the client library, which these tests alone need. */
async function load(name: string) {
  const home = await installPackages(join(import.meta.dirname, 'client'), 'mcp-client');
  const library = join(home, 'node_modules', '@modelcontextprotocol', 'client', 'dist');
  return await import(pathToFileURL(join(library, name)).href);
}

/** A client of a server over HTTP. */
export async function openHttpClient(url: string, token: string, mode: (typeof MODES)[number]): Promise<LibraryClient> {
  const { Client, StreamableHTTPClientTransport } = await load('index.mjs');
  const headers = { authorization: `Bearer ${token}` };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } }) as LibraryClient;
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** The built server as a process of its own, and a real client that talks to it. */
export class McpClient {
  readonly library: LibraryClient;
  readonly #transport: { readonly pid: number | null };

  private constructor(client: LibraryClient, transport: { readonly pid: number | null }) {
    this.library = client;
    this.#transport = transport;
  }

  /** @param args flags of `thought-tree mcp` */
  static async open(
    args: readonly string[],
    { mode = 'legacy', env = {}, program = COMMAND, answer, showsPages, onStderr }: OpenOptions = {},
  ): Promise<McpClient> {
    const { Client } = await load('index.mjs');
    const { StdioClientTransport } = await load('stdio.mjs');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...args],
      env: { ...BARE, ...env },
      stderr: onStderr ? 'pipe' : 'inherit',
    });
    if (onStderr) transport.stderr.on('data', (piece: Buffer) => onStderr(piece.toString()));
    const pages = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
    const capabilities = { ...(answer && { elicitation: { form: {} } }), ...(showsPages && pages) };
    const about = { name: 'test', version: '1' };
    const client = new Client(about, { capabilities, versionNegotiation: { mode } }) as LibraryClient;
    if (answer) client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message));
    await client.connect(transport);
    return new McpClient(client, transport);
  }

  get instructions(): string {
    return this.library.getInstructions() ?? '';
  }

  async tools(): Promise<{ name: string; annotations?: object }[]> {
    return (await this.library.listTools()).tools;
  }

  /** What a tool answered, without any check. */
  raw(name: string, args: object, options?: CallOptions): Promise<ToolResult> {
    return this.library.callTool({ name, arguments: args }, options);
  }

  /** The data of an answer; it has to be the same in its text. */
  async call(name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
    const { isError, content, structuredContent } = await this.raw(name, args);
    const [block] = content;
    if (isError || !block || !structuredContent) throw new Error(block?.text ?? 'no answer');
    if (/^(tree|atom)_/.test(name)) return structuredContent;
    const text = JSON.stringify(structuredContent, null, 2);
    if (content.length !== 1 || block.text !== text) throw new Error(`its text says something else: ${block.text}`);
    return structuredContent;
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    if (this.#transport.pid) process.kill(this.#transport.pid, 'SIGKILL');
    await this.library.close().catch(() => undefined);
  }

  close(): Promise<void> {
    return this.library.close();
  }
}

/** What a tool replies. */
export type Reply = Readonly<Record<string, unknown>>;

/** A proposed node. */
export const node = (id: string, parent: string | null): object => ({
  id,
  parent,
  title: `About ${id}`,
  plannedAction: 'Look',
});
/** The result of one. */
export const found = (nodeId: string, state: string, agentId?: string): object => ({
  nodeId,
  state,
  findings: SOURCES,
  ...(agentId && { agentId }),
});

/** Checks that data has at least what is expected. */
export function assertHas(data: unknown, expected: unknown, where: string): void {
  if (typeof expected !== 'object' || expected === null) assert.deepEqual(data, expected, where);
  else {
    if (Array.isArray(expected)) assert.equal((data as unknown[])?.length, expected.length, where);
    for (const [name, value] of Object.entries(expected)) assertHas((data as Reply)?.[name], value, `${where}.${name}`);
  }
}

/** The folder of a test, and clients of servers in it, which are closed after the test. */
interface Clients {
  readonly dir: string;
  open(args?: readonly string[], options?: Parameters<typeof McpClient.open>[1]): Promise<McpClient>;
}

/** Makes a folder for each test of a suite, and closes what was opened in it. */
export function useClients(): Clients {
  let dir = '';
  const clients: McpClient[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'thought-tree-mcp-test-'));
    // What findings of these tests cite.
    await mkdir(join(dir, 'src'));
    for (const name of ['a.ts', 'queue.ts']) await writeFile(join(dir, 'src', name), '');
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close().catch(() => undefined);
    await rm(dir, { recursive: true, force: true });
  });
  return {
    get dir() {
      return dir;
    },
    async open(args = [], options = {}) {
      const client = await McpClient.open(['--dir', dir, ...args], options);
      clients.push(client);
      return client;
    },
  };
}

/** Begins an investigation with a committed root; returns its id. */
export async function begin(client: McpClient, agentId?: string): Promise<string> {
  const { sessionId } = await client.call('tot_start', { query: 'Why is it slow?', projectDir: '' });
  await ok(client, 'tot_propose', { sessionId, nodes: [node('R1.A', null)] });
  await ok(client, 'tot_commit', { sessionId, results: [found('R1.A', 'EXPLORE', agentId)] });
  return sessionId as string;
}

/** Calls a tool that has to do what is asked. */
export async function ok(client: McpClient, tool: string, args: object): Promise<Reply> {
  const reply = await client.call(tool, args);
  assert.equal(reply['status'], 'OK', JSON.stringify(reply));
  return reply;
}
