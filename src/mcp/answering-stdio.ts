import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** The time that calls may take which were asked before the end of input, in milliseconds. */
const MOST_WAITED_MS = 60_000;
/** The longest message, in bytes. */
const LONGEST = 10_000_000;
/** The characters that are kept of either end of a longer one: its id is there. */
const END = 2000;
/** By the JSON-RPC specification. */
const INVALID_REQUEST = -32_600;

/** The id of a message where its writer puts it: before what it asks, or last, with version and method in any order. */
const FIRST =
  /^\s{0,9}\{\s{0,9}(?:"(?:jsonrpc|method)"\s{0,9}:\s{0,9}"[^"\\]{1,200}"\s{0,9},\s{0,9}){0,2}"id"\s{0,9}:\s{0,9}(\d{1,15}|"[^"\\]{1,200}")/;
const LAST =
  /"id"\s{0,9}:\s{0,9}(\d{1,15}|"[^"\\]{1,200}")(?:\s{0,9},\s{0,9}"(?:jsonrpc|method)"\s{0,9}:\s{0,9}"[^"\\]{1,200}"){0,2}\s{0,9}\}\s{0,9}$/;

/**
 * Standard streams whose end of input does not drop what was asked before it, and on which a message that is too long is
 * refused: the library would close them.
 */
export class AnsweringStdio extends StdioServerTransport {
  readonly #input: PassThrough;
  readonly #pending = new Set<string | number>();
  #over: (() => void) | undefined;
  /** The line that is being read, and how long it is; of one that is too long, only its beginning. */
  #line: Buffer[] = [];
  #length = 0;
  #tail = Buffer.alloc(0);

  constructor() {
    const input = new PassThrough();
    super(input, process.stdout, { maxBufferSize: 2 * LONGEST });
    this.#input = input;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage?.bind(this);
    this.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) this.#pending.add(message.id);
      deliver?.(message);
      // Nobody is answered who has taken it back.
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#settle(message.params?.['requestId']);
    };
    await super.start();
    process.stdin.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message) && 'id' in message) this.#settle(message.id);
  }

  #settle(id: unknown): void {
    this.#pending.delete(id as string | number);
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
    this.#endLine();
    // Behind all that was read; only then it is known what is still to be answered.
    this.#input.write('\n', () => setImmediate(() => this.#pending.size === 0 && resolve()));
    await promise;
    clearTimeout(timer);
  }

  /** Hands whole lines on. */
  #take(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
      this.#keep(rest.subarray(0, at));
      this.#endLine();
      rest = rest.subarray(at + 1);
    }
    this.#keep(rest);
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= LONGEST) this.#line.push(part);
    else {
      this.#line = [Buffer.concat(this.#line).subarray(0, END)];
      this.#tail = Buffer.concat([this.#tail, part.subarray(-END)]).subarray(-END);
    }
  }

  #endLine(): void {
    const line = Buffer.concat([...this.#line, Buffer.from('\n')]);
    if (this.#length <= LONGEST) this.#input.write(line);
    else this.#refuse(FIRST.exec(line.toString())?.[1] ?? LAST.exec(this.#tail.toString())?.[1]);
    this.#line = [];
    this.#length = 0;
    this.#tail = Buffer.alloc(0);
  }

  /** @param id as it was written; what has none asks for no answer */
  #refuse(id: string | undefined): void {
    if (id === undefined) return;
    const message = `This message has more than ${LONGEST / 1_000_000} MB. Send less at once.`;
    const error = { code: INVALID_REQUEST, message };
    void this.send({ jsonrpc: '2.0', id: JSON.parse(id) as string | number, error }).catch(() => undefined);
  }
}
