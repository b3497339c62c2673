import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Price } from '../../../src/core/ports/model.ts';
import { chance } from './server-random.ts';
import { countTokens } from './server-tokens.ts';
import { scriptedTree } from './server-tree.ts';

/** What one request really used, however it ended. */
export interface RealUse {
  readonly purpose: string;
  readonly node: string;
  readonly prompt: number;
  /** Including reasoning, and what was generated and never read. */
  completion: number;
  usd: number;
}

/** One answer as it is made. */
interface Making {
  readonly text: string;
  readonly maxTokens: number;
  readonly prompt: number;
  /** By chance of its own, from 0 to 1. */
  readonly chance: number;
  readonly usdOf: (completion: number) => number;
}

/** What a server does with an answer, and what it says of it. */
interface Answering {
  /** The text that is streamed. */
  readonly text?: string;
  /** Tokens of reasoning that nobody sees. */
  readonly hidden?: number;
  /** Reasoning that is streamed. */
  readonly shown?: string;
  /** What it says in its usage, given the tokens of its text; nothing if undefined. */
  readonly usage?: (visible: number) => object;
  /** Instead of an answer, though it was made. */
  readonly status?: number;
  /** Streams on until nobody listens. */
  readonly isEndless?: boolean;
  /** Breaks the connection at the end. */
  readonly isCut?: boolean;
  /** What it really charges, in terms of its price. */
  readonly dearer?: number;
}

const plain = (prompt: number, completion: number, more: object = {}): object => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...more,
});

const reasoningOf = ({ chance: by }: Making): number => Math.round(6000 + 4000 * by);
/** Two and a half times as many tokens as were asked for, of words before an answer. */
const padded = ({ text, maxTokens }: Making): string => `${text}\n${'more words '.repeat((10 * maxTokens) / 11)}\n`;
const paddedBefore = ({ text, maxTokens }: Making): string =>
  text.startsWith('---')
    ? padded({ text, maxTokens } as Making)
    : `${'more words '.repeat((10 * maxTokens) / 11)}\n${text}`;

/** Habits of servers, each of which was seen in a real one. */
export const HABITS = {
  honest: ({ prompt }) => ({ usage: (visible) => plain(prompt, visible) }),
  'leaves its reasoning out of the answer’s tokens': (making) => {
    const hidden = reasoningOf(making);
    const details = { completion_tokens_details: { reasoning_tokens: hidden } };
    return {
      hidden,
      usage: (visible) => ({
        ...plain(making.prompt, visible, details),
        total_tokens: making.prompt + visible + hidden,
      }),
    };
  },
  'counts its reasoning in the total alone': (making) => {
    const hidden = reasoningOf(making);
    return {
      hidden,
      usage: (visible) => ({ ...plain(making.prompt, visible), total_tokens: making.prompt + visible + hidden }),
    };
  },
  'counts its reasoning in the details alone': (making) => {
    const hidden = reasoningOf(making);
    const details = { completion_tokens_details: { reasoning_tokens: hidden } };
    return { hidden, usage: (visible) => plain(making.prompt, visible, details) };
  },
  'shows its reasoning and does not count it': (making) => ({
    shown: 'so it is. '.repeat(reasoningOf(making) / 4),
    usage: (visible) => plain(making.prompt, visible),
  }),
  'says zeros': () => ({ usage: () => plain(0, 0) }),
  'says no prompt': () => ({ usage: (visible) => plain(0, visible) }),
  'says no answer': ({ prompt }) => ({ usage: () => plain(prompt, 0) }),
  'says a tenth': ({ prompt }) => ({ usage: (visible) => plain(Math.ceil(prompt / 10), Math.ceil(visible / 10)) }),
  'says nothing': () => ({}),
  'says a total below its parts': ({ prompt }) => ({
    usage: (visible) => ({ ...plain(prompt, visible), total_tokens: visible }),
  }),
  'says its fee as the cost, and the rest elsewhere': ({ prompt, usdOf }) => ({
    usage: (visible) =>
      plain(prompt, visible, {
        cost: usdOf(visible) / 20,
        cost_details: { upstream_inference_cost: usdOf(visible) },
        is_byok: true,
      }),
  }),
  'says a cost of nothing': ({ prompt }) => ({ usage: (visible) => plain(prompt, visible, { cost: 0 }) }),
  'takes three times its price': ({ prompt, usdOf }) => ({
    dearer: 3,
    usage: (visible) => plain(prompt, visible, { cost: 3 * usdOf(visible) }),
  }),
  'answers at greater length than it was asked to': (making) => ({
    text: paddedBefore(making),
    usage: (visible) => plain(making.prompt, visible),
  }),
  'answers at greater length and says the limit': (making) => ({
    text: paddedBefore(making),
    usage: () => plain(making.prompt, making.maxTokens),
  }),
  'answers at greater length and breaks off': (making) => ({
    text: paddedBefore(making),
    isCut: making.chance < 0.5,
    usage: (visible) => plain(making.prompt, visible),
  }),
  'answers without end': () => ({ isEndless: true }),
  'answers, and its gateway says 502': (making) => ({
    ...(making.chance < 0.5 ? { status: 502 } : {}),
    usage: (visible) => plain(making.prompt, visible),
  }),
  'answers, and its gateway says 504': (making) => ({
    ...(making.chance < 0.5 ? { status: 504 } : {}),
    usage: (visible) => plain(making.prompt, visible),
  }),
  'answers, and its gateway says 524': (making) => ({
    ...(making.chance < 0.5 ? { status: 524 } : {}),
    usage: (visible) => plain(making.prompt, visible),
  }),
} as const satisfies Record<string, (making: Making) => Answering>;
export type Habit = keyof typeof HABITS;

export interface DishonestServer {
  readonly baseUrl: string;
  /** What it was really asked for, in order of arrival. */
  readonly used: readonly RealUse[];
  close(): Promise<void>;
}

interface Wire {
  readonly messages: readonly { readonly content: string }[];
  readonly max_tokens: number;
}

const TREE = scriptedTree({ fanout: (_path, depth) => [8, 5, 4, 3][depth] ?? 0, documentWords: 250 });
const PIECE = 4096;

/** Returns a server of `/v1/chat/completions` with one bad habit, and its own count of what it was really asked for. */
export async function startDishonestServer(habit: Habit, price: Price): Promise<DishonestServer> {
  const used: RealUse[] = [];
  const attempts = new Map<string, number>();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const wire = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Wire;
    const purpose = String(request.headers['x-thought-tree-call']);
    const node = decodeURIComponent(String(request.headers['x-thought-tree-node'] ?? ''));
    const attempt = (attempts.get(`${purpose} ${node}`) ?? 0) + 1;
    attempts.set(`${purpose} ${node}`, attempt);
    const prompt = wire.messages.reduce((sum, { content }) => sum + countTokens(content), 0);
    const usdOf = (completion: number): number => (prompt * price.prompt + completion * price.completion) / 1e6;
    const call = { n: used.length + 1, purpose, node, attempt, model: 'm', messages: [] };
    const text = TREE.answer({ ...call, prompt: wire.messages.at(-1)?.content ?? '', maxTokens: wire.max_tokens });
    const by = chance(habit, purpose, node, attempt);
    const acts: Answering = HABITS[habit]({ text, maxTokens: wire.max_tokens, prompt, chance: by, usdOf });
    const use: RealUse = { purpose, node, prompt, completion: 0, usd: 0 };
    used.push(use);
    const made = (completion: number): void => {
      use.completion += completion;
      use.usd = (acts.dearer ?? 1) * usdOf(use.completion);
    };
    made(acts.hidden ?? 0);
    const said = acts.text ?? text;
    if (acts.status !== undefined) {
      made(countTokens(said));
      response.writeHead(acts.status, { 'content-type': 'text/html' }).end('<html>Gateway</html>');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (acts.shown !== undefined) await stream(response, acts.shown, 'reasoning_content', made);
    if (acts.isEndless) for (;;) await stream(response, 'and so on, '.repeat(400), 'content', made);
    await stream(response, said, 'content', made);
    if (acts.isCut) {
      response.destroy();
      return;
    }
    const visible = countTokens(said);
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    if (acts.usage) response.write(event({ choices: [], usage: acts.usage(visible) }));
    response.end('data: [DONE]\n\n');
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    used,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends a text about as fast as it is read, and counts what is made of it, read or not. */
async function stream(
  response: ServerResponse,
  text: string,
  field: 'content' | 'reasoning_content',
  made: (tokens: number) => void,
): Promise<void> {
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE);
    if (response.destroyed) throw new Error('The client went away');
    made(countTokens(piece));
    if (!response.write(event({ choices: [{ index: 0, delta: { [field]: piece }, finish_reason: null }] })))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
    await sleep(text.length > 4 * PIECE ? 1 : 0);
  }
}

function event(data: object): string {
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', ...data })}\n\n`;
}
