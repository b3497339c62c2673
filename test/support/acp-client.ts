import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  type ClientConnection,
  client,
  ndJsonStream,
  type PlanEntry,
  type PromptRequest,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { BARE } from './cli-process.ts';

const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** What the person of a client answers who is asked for permission. */
type Answer = 'allow' | 'refuse' | 'cancelled';

/** `thought-tree acp` as a process of its own, and the client of the protocol's own library that talks to it. */
export class AcpClient {
  readonly child: ChildProcess;
  readonly updates: SessionUpdate[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  answer: () => Answer = () => 'allow';
  stderr = '';
  readonly #connection: ClientConnection;
  readonly #watchers = new Set<() => void>();

  /** @param args flags of `thought-tree acp` */
  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [COMMAND, 'acp', ...args], { env: { ...BARE, ...env } });
    const { stdin, stdout, stderr } = this.child;
    if (!stdin || !stdout || !stderr) throw new Error('no streams');
    stderr.on('data', (piece: Buffer) => {
      this.stderr += piece.toString();
    });
    this.#connection = client({ name: 'test' })
      .onRequest('session/request_permission', ({ params }) => {
        this.asked.push(params);
        const answer = this.answer();
        return { outcome: answer === 'cancelled' ? { outcome: answer } : { outcome: 'selected', optionId: answer } };
      })
      .onNotification('session/update', ({ params }) => {
        this.updates.push(params.update);
        for (const look of this.#watchers) look();
      })
      .connect(
        ndJsonStream(
          Writable.toWeb(stdin) as WritableStream<Uint8Array>,
          Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
        ),
      );
  }

  get agent(): ClientConnection['agent'] {
    return this.#connection.agent;
  }

  /** The words of the agent so far. */
  get text(): string {
    return this.updates
      .map((update) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
      )
      .join('');
  }

  get plans(): readonly (readonly PlanEntry[])[] {
    return this.updates.flatMap((update) => (update.sessionUpdate === 'plan' ? [update.entries] : []));
  }

  /** Resolves once the updates so far look as they should. */
  until(is: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!is()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Forgets the updates so far, and sends a prompt. */
  async prompt(sessionId: string, text: string): Promise<string> {
    this.updates.length = 0;
    const asked: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] };
    return (await this.agent.request('session/prompt', asked)).stopReason;
  }

  /** Goes away; resolves once the agent has ended. */
  async close(): Promise<void> {
    this.child.stdin?.end();
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    this.#connection.close();
  }
}
