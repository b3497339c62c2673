import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installPackages } from '../../support/install-packages.ts';

const COMMAND = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

/** Both protocols that the client library speaks: with a handshake, and without. */
export const MODES = ['legacy', 'auto'] as const;

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

interface LibraryClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string; annotations?: object; outputSchema?: object }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<ToolResult>;
  getInstructions(): string | undefined;
}

/** The built server as a process of its own, and a real client that talks to it. */
export class McpClient {
  readonly #client: LibraryClient;
  readonly #transport: { readonly pid: number | null };

  private constructor(client: LibraryClient, transport: { readonly pid: number | null }) {
    this.#client = client;
    this.#transport = transport;
  }

  /** @param args flags of `thought-tree mcp` */
  static async open(
    args: readonly string[],
    { mode = 'legacy', env = {} }: { mode?: (typeof MODES)[number]; env?: Readonly<Record<string, string>> } = {},
  ): Promise<McpClient> {
    const home = await installPackages(join(import.meta.dirname, 'client'), 'mcp-client');
    const library = join(home, 'node_modules', '@modelcontextprotocol', 'client', 'dist');
    const load = async (name: string) => await import(pathToFileURL(join(library, name)).href);
    const { Client } = await load('index.mjs');
    const { StdioClientTransport } = await load('stdio.mjs');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, 'mcp', ...args],
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stderr: 'inherit',
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } }) as LibraryClient;
    await client.connect(transport);
    return new McpClient(client, transport);
  }

  get instructions(): string {
    return this.#client.getInstructions() ?? '';
  }

  async tools(): Promise<{ name: string; annotations?: object }[]> {
    return (await this.#client.listTools()).tools;
  }

  /** What a tool answered, without any check. */
  raw(name: string, args: object): Promise<ToolResult> {
    return this.#client.callTool({ name, arguments: args });
  }

  /** The data of an answer; it has to be the same in its text. */
  async call(name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
    const { isError, content, structuredContent } = await this.raw(name, args);
    const [block] = content;
    if (isError || !block || !structuredContent) throw new Error(block?.text ?? 'no answer');
    const text = JSON.stringify(structuredContent, null, 2);
    if (content.length !== 1 || block.text !== text) throw new Error(`its text says something else: ${block.text}`);
    return structuredContent;
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    if (this.#transport.pid) process.kill(this.#transport.pid, 'SIGKILL');
    await this.#client.close().catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
