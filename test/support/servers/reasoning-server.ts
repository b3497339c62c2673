import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countTokens } from './server-tokens.ts';
import { scriptedTree } from './server-tree.ts';

/** A request as the server saw it. */
export interface ReasonedRequest {
  readonly purpose: string;
  readonly node: string;
  readonly maxTokens: number;
  /** The effort that was asked for. */
  readonly effort: string | undefined;
  readonly isCut: boolean;
}

export interface ReasoningServer {
  readonly baseUrl: string;
  readonly log: readonly ReasonedRequest[];
  close(): Promise<void>;
}

interface Body {
  readonly input?: readonly { readonly content: string | readonly { readonly text: string }[] }[];
  readonly messages?: readonly { readonly content: string }[];
  readonly max_output_tokens?: number;
  readonly max_tokens?: number;
  readonly reasoning?: { readonly effort?: string };
  readonly reasoning_effort?: string;
}

const TREE = scriptedTree({ fanout: (_path, depth) => [6, 2][depth] ?? 0 });

/**
 * A server whose model reasons before it answers, and counts that against the limit of tokens, as OpenAI's do: with the
 * Responses API and chat completions.
 * @param reasons tokens of reasoning by the effort that was asked for, if any
 * @param context the longest prompt and answer in tokens: longer requests are refused in the words of vLLM
 */
export async function startReasoningServer(
  reasons: (effort: string | undefined) => number,
  context = Number.POSITIVE_INFINITY,
): Promise<ReasoningServer> {
  const log: ReasonedRequest[] = [];
  const server = createServer((request, response) => {
    answer(request).then(
      (events) =>
        events.startsWith('{')
          ? response.writeHead(400, { 'content-type': 'application/json' }).end(events)
          : response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events),
      () => response.destroy(),
    );
  });

  async function answer(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
    const purpose = String(request.headers['x-thought-tree-call']);
    const node = decodeURIComponent(String(request.headers['x-thought-tree-node'] ?? ''));
    const texts = (body.messages ?? body.input ?? []).map(({ content }) =>
      typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
    );
    const prompt = texts.at(-1) ?? '';
    const call = { n: log.length + 1, purpose, node, attempt: 1, model: 'm', messages: [], prompt };
    const effort = body.reasoning?.effort ?? body.reasoning_effort;
    const maxTokens = body.max_output_tokens ?? body.max_tokens ?? 0;
    const length = texts.reduce((sum, each) => sum + countTokens(each), 0);
    if (length + maxTokens > context) return refusal(length, maxTokens, context);
    const reasoning = Math.min(maxTokens, reasons(effort));
    const whole = TREE.answer({ ...call, maxTokens });
    const text = whole.slice(0, 4 * (maxTokens - reasoning));
    const isCut = text !== whole;
    log.push({ purpose, node, maxTokens, effort, isCut });
    const counts = { sent: length, reasoning, all: reasoning + countTokens(text) };
    return body.input ? asResponse(text, isCut, counts) : asCompletion(text, isCut, counts);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    log,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Counts {
  readonly sent: number;
  readonly reasoning: number;
  readonly all: number;
}

function refusal(sent: number, maxTokens: number, context: number): string {
  const message = `This model's maximum context length is ${context} tokens. However, you requested ${sent + maxTokens} tokens (${sent} in the messages, ${maxTokens} in the completion). Please reduce the length of the messages or completion.`;
  return JSON.stringify({ object: 'error', message, type: 'BadRequestError', param: null, code: 400 });
}

function asCompletion(content: string, isCut: boolean, { sent, reasoning, all }: Counts): string {
  const usage = {
    prompt_tokens: sent,
    completion_tokens: all,
    total_tokens: sent + all,
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
  const chunk = (rest: object): string =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', ...rest })}\n\n`;
  return [
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: isCut ? 'length' : 'stop' }] }),
    chunk({ choices: [], usage }),
    'data: [DONE]\n\n',
  ].join('');
}

function asResponse(text: string, isCut: boolean, { sent, reasoning, all }: Counts): string {
  const item = { id: 'msg_1', type: 'message', role: 'assistant' };
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  const where = { item_id: 'msg_1', output_index: 1, content_index: 0 };
  const status = isCut ? 'incomplete' : 'completed';
  const thought = { id: 'rs_1', type: 'reasoning', summary: [] };
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    model: 'm',
    error: null,
    store: false,
  };
  const usage = {
    input_tokens: sent,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: all,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: sent + all,
  };
  const said = text === '' ? [] : [{ ...item, status, content }];
  const incomplete_details = isCut ? { reason: 'max_output_tokens' } : null;
  const begun = { ...response, status: 'in_progress', incomplete_details: null, output: [], usage: null };
  const ended = { ...response, status, incomplete_details, output: [thought, ...said], usage };
  const events: [type: string, rest: object][] = [
    ['response.created', { response: begun }],
    ['response.output_item.added', { output_index: 0, item: thought }],
    ['response.output_item.done', { output_index: 0, item: thought }],
    ...(text === ''
      ? []
      : ([
          ['response.output_item.added', { output_index: 1, item: { ...item, status: 'in_progress', content: [] } }],
          ['response.output_text.delta', { ...where, delta: text, logprobs: [] }],
          ['response.output_item.done', { output_index: 1, item: { ...item, status, content } }],
        ] as [string, object][])),
    [`response.${status}`, { response: ended }],
  ];
  return events
    .map(([type, rest], n) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: n, ...rest })}\n\n`)
    .join('');
}
