import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClientContext,
  client,
  type InitializeResponse,
  type NewSessionRequest,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import * as z from 'zod';
import { foreign } from '../../core/messages/message.ts';
import { BYTES_A_TOKEN } from '../../core/money/usage-doubt.ts';
import type { ModelAnswer, ModelCall, Usage } from '../../core/ports/model.ts';
import type { Rights } from '../../core/ports/workshop.ts';
import { isThoughtTreeError, type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { endGroup, type ProcessWatch } from '../../processes/process-watch.ts';
import type { AgentLimits, AgentOptions } from '../agents/agent.ts';
import * as say from '../messages.ts';

/** A session to go on from. */
export interface FromSession {
  readonly id: string;
  /** True if nothing was said in it since: then it may be continued where it cannot be forked. */
  readonly isAtItsEnd: boolean;
  /** What it had cost before, in US dollars, as far as this process knows. */
  readonly usd: number;
}

/** One question for an agent, and the process that answers it. */
export interface AcpTurn {
  readonly agent: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it works. */
  readonly folder: string;
  readonly rights: Rights;
  readonly from?: FromSession | undefined;
  /** The question for a session that has what was said before, and for one that has not. */
  readonly prompt: string;
  readonly wholePrompt: string;
  readonly limits: AgentLimits;
  readonly askPermission?: AgentOptions['askPermission'];
  readonly watch: ProcessWatch;
}

/** The answer, and what its session has cost by its own report since it began; undefined if it reported nothing. */
export interface AcpAnswer {
  readonly answer: ModelAnswer;
  readonly session: string;
  readonly reportedUsd: number | undefined;
}

/** The longest message of an agent, and everything said in response to one question, in bytes and characters. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;
const MAX_TEXT = 4 * 1024 * 1024;
/** The time to answer a cancellation, and then to end, in milliseconds. */
const ENDING_MS = 3000;
/** The version of the protocol. */
const VERSION = 1;
/** The time in which it has to begin, in milliseconds. */
const BEGINNING_MS = 120_000;

const Forked = z.looseObject({ sessionId: z.string().max(500) });
/** What `session/fork` is offered by, in the part of the protocol that may still change. */
const CanFork = z.looseObject({ sessionCapabilities: z.looseObject({ fork: z.looseObject({}) }) });
const Tokens = z.int().nonnegative();
const Reported = z.looseObject({
  usage: z.looseObject({ inputTokens: Tokens, outputTokens: Tokens, cachedReadTokens: Tokens.nullish() }),
});
/** As Gemini CLI reports it, besides the protocol. */
const Quota = z.looseObject({
  _meta: z.looseObject({
    quota: z.looseObject({ token_count: z.looseObject({ input_tokens: Tokens, output_tokens: Tokens }) }),
  }),
});

/**
 * Asks an agent in a process of its own, which has ended when this returns or throws.
 * @throws ThoughtTreeError the kind of failure
 */
export async function askAcp(turn: AcpTurn, call: ModelCall): Promise<AcpAnswer> {
  if (call.signal.aborted) throw new ThoughtTreeError('aborted', say.callStopped(), { charged: false });
  const child = spawn(turn.program, [...turn.args], {
    cwd: turn.folder,
    env: { ...turn.env },
    stdio: ['pipe', 'pipe', 'ignore'],
    // A process group of its own, so that what its tools have started ends with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(unusable(turn.agent, error.message)));
    child.once('exit', () => reject(unusable(turn.agent, say.noAnswer().text)));
    call.signal.addEventListener('abort', () => reject(call.signal.reason as Error), { once: true });
  });
  failed.catch(() => undefined);
  turn.watch.add(child);
  const hearing = new Hearing(turn, call);
  try {
    return await Promise.race([failed, converse(child, turn, hearing)]);
  } catch (error) {
    const charged = hearing.isCharged;
    if (call.signal.aborted) throw new ThoughtTreeError('aborted', say.callStopped(), { charged });
    if (isThoughtTreeError(error)) throw new ThoughtTreeError(error.reason, error.say, { ...error.details, charged });
    throw failureOf(turn.agent, error, charged);
  } finally {
    await end(child);
  }
}

async function converse(child: ChildProcess, turn: AcpTurn, hearing: Hearing): Promise<AcpAnswer> {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw unusable(turn.agent, 'no streams');
  stdin.on('error', () => undefined);
  const output = Writable.toWeb(stdin) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(stdout) as ReadableStream<Uint8Array>;
  const stream = ndJsonStream(output, input, { maxMessageBytes: LONGEST_MESSAGE });
  const connection = client({ name: 'thought-tree' })
    .onRequest('session/request_permission', ({ params, signal }) => hearing.permit(params, signal))
    .onNotification('session/update', ({ params: { sessionId, update } }) => hearing.hear(sessionId, update))
    .connect(stream);
  const { agent } = connection;
  try {
    const late = sleep(BEGINNING_MS, undefined, { ref: false }).then(() => {
      throw unusable(turn.agent, say.noAnswer().text);
    });
    const session = await Promise.race([late, begin(agent, turn)]);
    hearing.begin(session.id);
    const text = session.isTold ? turn.prompt : turn.wholePrompt;
    hearing.onOver = () => void agent.notify('session/cancel', { sessionId: session.id }).catch(() => undefined);
    const asked = agent.request('session/prompt', { sessionId: session.id, prompt: [{ type: 'text', text }] });
    const response = await Promise.race([asked, hearing.over.then(() => sleep(ENDING_MS, undefined, { ref: false }))]);
    return hearing.answer(session.id, response ?? undefined, text, session.isTold ? (turn.from?.usd ?? 0) : 0);
  } finally {
    connection.close();
  }
}

/** Begins a session: a fork where the agent can, else a continuation where nothing else was said, else a new one. */
async function begin(agent: ClientContext, turn: AcpTurn): Promise<{ readonly id: string; readonly isTold: boolean }> {
  const told = await agent.request('initialize', {
    protocolVersion: VERSION,
    clientInfo: { name: 'thought-tree', version: '1' },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  if (told.protocolVersion !== VERSION) throw unusable(turn.agent, `protocol ${told.protocolVersion}`);
  const place: NewSessionRequest = { cwd: turn.folder, mcpServers: [] };
  const { from } = turn;
  const gone = (): undefined => undefined;
  if (from) {
    const id = await goOn(agent, told, from, place).catch(gone);
    if (id !== undefined) return { id, isTold: true };
  }
  const { sessionId } = await agent.request('session/new', place);
  return { id: sessionId, isTold: false };
}

/** Returns the session that continues what was said before; undefined if the agent has no way to. */
async function goOn(
  agent: ClientContext,
  { agentCapabilities }: InitializeResponse,
  { id, isAtItsEnd }: FromSession,
  place: NewSessionRequest,
): Promise<string | undefined> {
  const asked = { sessionId: id, ...place };
  if (CanFork.safeParse(agentCapabilities).success)
    return Forked.parse(await agent.request<unknown, unknown>('session/fork', asked)).sessionId;
  if (!isAtItsEnd) return undefined;
  if (agentCapabilities?.sessionCapabilities?.resume) await agent.request('session/resume', asked);
  else if (agentCapabilities?.loadSession) await agent.request('session/load', asked);
  else return undefined;
  return id;
}

/** Kinds of tools that only look. */
const LOOKS: ReadonlySet<string> = new Set(['read', 'search', 'think']);
/** Those that change files. */
const CHANGES: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

/** Collects what an agent says and does for one question, and makes the answer from it. */
class Hearing {
  readonly over: Promise<void>;
  onOver: () => void = () => undefined;
  readonly #turn: AcpTurn;
  readonly #call: ModelCall;
  readonly #end: () => void;
  #session: string | undefined;
  /** What it said since it last used a tool, and before. */
  #text = '';
  readonly #before: string[] = [];
  #length = 0;
  #isOver = false;
  #usd: number | undefined;
  #used = 0;
  #updates = 0;

  constructor(turn: AcpTurn, call: ModelCall) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.#end = resolve;
    this.#turn = turn;
    this.#call = call;
  }

  /** Tells whether anything was said, so that it may cost something. */
  get isCharged(): boolean {
    return this.#updates > 0 || this.#session !== undefined;
  }

  /** What is told from now on is about the question: a session that is loaded tells its past before. */
  begin(session: string): void {
    this.#session = session;
  }

  hear(session: string, update: SessionUpdate): void {
    if (session !== this.#session) return;
    this.#updates++;
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type === 'text') this.#say(update.content.text);
        break;
      case 'tool_call':
        this.#use(update.kind ?? 'other', update.title, update.locations ?? []);
        break;
      case 'usage_update':
        this.#used = Math.max(this.#used, update.used);
        if (update.cost?.currency === 'USD') this.#report(update.cost.amount);
        break;
      default:
    }
  }

  /** Lets an agent look, and change files where it may write; the rest a person is asked about, where there is one. */
  async permit(asked: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const { rights, askPermission, agent } = this.#turn;
    const { kind, title } = asked.toolCall;
    const what = oneLine(title ?? '', 500);
    const isFree = LOOKS.has(kind ?? '') || (CHANGES.has(kind ?? '') && rights === 'write');
    const isRefused = CHANGES.has(kind ?? '') && rights === 'read';
    const isAllowed =
      isFree || (!isRefused && (await askPermission?.({ agent, tool: kind ?? 'other', what }, signal)) === true);
    const wanted = isAllowed ? 'allow_once' : 'reject_once';
    const option = asked.options.find((each) => each.kind === wanted);
    return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
  }

  /** @param before what the session had cost before, in US dollars */
  answer(session: string, response: unknown, prompt: string, before: number): AcpAnswer {
    const { stopReason } = z.looseObject({ stopReason: z.string().optional() }).parse(response ?? {});
    const usage = this.#usage(response, prompt, before);
    const common = { session, reportedUsd: this.#usd };
    if (this.#isOver) return { ...common, answer: { text: '', finish: 'length', usage, session } };
    const finish = stopReason === 'refusal' ? 'refused' : (FINISH[stopReason ?? ''] ?? 'stop');
    const said = this.#text.trim() === '' ? (this.#before.at(-1) ?? '') : this.#text;
    return { ...common, answer: { text: `${this.#done()}${said}`, finish, usage, session } };
  }

  /** Returns what it did before it answered, as reasoning: it is kept with the exact words of the call, and in no document. */
  #done(): string {
    return this.#before.length === 0 ? '' : `<think>\n${this.#before.map(harmless).join('\n')}\n</think>\n\n`;
  }

  /** As reported; what nobody reports is counted by what went over the line, without a price. */
  #usage(response: unknown, prompt: string, before: number): Usage {
    const tokens = tokensTold(response) ?? {
      prompt: Math.max(this.#used, Math.ceil(Buffer.byteLength(prompt) / BYTES_A_TOKEN)),
      cached: 0,
      completion: Math.ceil(this.#length / BYTES_A_TOKEN),
    };
    return this.#usd === undefined ? tokens : { ...tokens, usd: sinceThen(this.#usd, before) };
  }

  #report(usd: number): void {
    if (!Number.isFinite(usd) || usd < 0) return;
    this.#usd = Math.max(this.#usd ?? 0, usd);
    if (sinceThen(this.#usd, this.#turn.from?.usd ?? 0) > this.#turn.limits.usd) this.#stop();
  }

  #use(
    kind: string,
    title: string,
    locations: readonly { readonly path: string; readonly line?: number | null }[],
  ): void {
    if (this.#text.trim() !== '') this.#before.push(this.#text.trim());
    this.#text = '';
    const places = locations.map(({ path, line }) => (line == null ? path : `${path}:${line}`));
    const what = oneLine([title, ...places.filter((place) => !title.includes(place))].join(' '), 500);
    this.#before.push(`[${kind}] ${what}`);
    this.#grow(what.length);
    this.#call.onProgress?.(say.agentUses({ agent: this.#turn.agent, what: oneLine(what, 200) }));
  }

  #say(text: string): void {
    this.#text += text;
    this.#grow(text.length);
    this.#call.onReceived?.(Buffer.byteLength(text));
    this.#call.onText?.(text);
  }

  #grow(length: number): void {
    this.#length += length;
    if (this.#length > MAX_TEXT) this.#stop();
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onOver();
    this.#end();
  }
}

/** Returns the tokens that an agent says a question took; undefined where it says nothing of them. */
function tokensTold(response: unknown): Usage | undefined {
  const told = Reported.safeParse(response).data?.usage;
  const cached = told?.cachedReadTokens ?? 0;
  if (told) return { prompt: told.inputTokens + cached, cached, completion: told.outputTokens };
  const counted = Quota.safeParse(response).data?._meta.quota.token_count;
  return counted && { prompt: counted.input_tokens, cached: 0, completion: counted.output_tokens };
}

/** A fork may begin to count anew. */
function sinceThen(usd: number, before: number): number {
  return usd >= before ? usd - before : usd;
}

const FINISH: Readonly<Record<string, ModelAnswer['finish']>> = { max_tokens: 'length', max_turn_requests: 'length' };

/** Returns words that end no reasoning. */
function harmless(text: string): string {
  return text.replaceAll('<', '‹').replaceAll(/[`~]{3,}/g, '…');
}

function unusable(agent: string, said: string): ThoughtTreeError {
  return new ThoughtTreeError('server-error', say.agentSaid({ agent, said: foreign({ text: oneLine(said, 300) }) }));
}

/** By the specification of the protocol. */
const AuthRequired = z.object({ code: z.literal(-32_000) });

function failureOf(agent: string, error: unknown, charged: boolean): ThoughtTreeError {
  const reason: Reason = AuthRequired.safeParse(error).success ? 'key-refused' : 'server-error';
  const said = foreign({ text: oneLine(error instanceof Error ? error.message : String(error), 300) });
  const who = { agent, said };
  const what = reason === 'key-refused' ? say.agentSaidAdvice({ ...who, advice: say.acpSignIn() }) : say.agentSaid(who);
  return new ThoughtTreeError(reason, what, { charged });
}

/** Ends a process with everything that it started; one that has answered may write its session first. */
async function end(child: ChildProcess): Promise<void> {
  const { pid } = child;
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  if (pid === undefined || isOver()) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  const timer = setTimeout(() => endGroup(pid), ENDING_MS);
  await exited;
  clearTimeout(timer);
}
