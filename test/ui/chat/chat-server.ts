import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const CLI = join(import.meta.dirname, '../../../dist/cli.cjs');

type Json = Record<string, unknown>;

/** The real server, spoken to as chats do: JSON-RPC, a line each. */
export class ChatServer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (answer: Json) => void>();
  #last = 0;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Json;
      if (typeof answer['id'] === 'number' && !('method' in answer)) this.#waiting.get(answer['id'])?.(answer);
    });
  }

  static async start(workspace: string, ...flags: string[]): Promise<ChatServer> {
    const server = new ChatServer(spawn(process.execPath, [CLI, 'mcp', '--dir', workspace, ...flags]));
    const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
    const clientInfo = { name: 'chat', version: '1' };
    await server.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    server.#send({ method: 'notifications/initialized' });
    return server;
  }

  async ask(method: string, params: Json): Promise<Json> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<Json>();
    this.#waiting.set(id, resolve);
    this.#send({ id, method, params });
    const { result, error } = await promise;
    if (error) throw new Error(JSON.stringify(error));
    return result as Json;
  }

  async call(name: string, args: Json): Promise<Json> {
    return await this.ask('tools/call', { name, arguments: args });
  }

  #send(message: Json): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async close(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.stdin.end();
    await closed;
  }
}
