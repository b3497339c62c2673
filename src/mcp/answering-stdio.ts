import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** How long calls may take that were asked before the end of input, in milliseconds. */
const MOST_WAITED_MS = 60_000;

/** Standard streams whose end of input does not drop what was asked before it. */
export class AnsweringStdio extends StdioServerTransport {
  readonly #input: PassThrough;
  readonly #pending = new Set<string | number>();
  #over: (() => void) | undefined;

  constructor() {
    const input = new PassThrough();
    super(input, process.stdout);
    this.#input = input;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage?.bind(this);
    this.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) this.#pending.add(message.id);
      deliver?.(message);
    };
    await super.start();
    process.stdin.pipe(this.#input, { end: false });
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message) && 'id' in message && message.id !== undefined) this.#pending.delete(message.id);
    if (this.#pending.size === 0) this.#over?.();
  }

  /** Resolves once the client has ended its input, and has the answers to all that it asked, or went away. */
  async ended(): Promise<void> {
    await new Promise<void>((resolve) => {
      for (const event of ['end', 'close']) process.stdin.once(event, () => resolve());
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#over = resolve;
    const timer = setTimeout(resolve, MOST_WAITED_MS);
    process.stdout.once('error', () => resolve());
    // Behind all that was read; only then it is known what is still to be answered.
    this.#input.write('\n', () => setImmediate(() => this.#pending.size === 0 && resolve()));
    await promise;
    clearTimeout(timer);
  }
}
