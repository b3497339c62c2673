import {
  event,
  type Protocol,
  type Received,
  refuseTurns,
  type Said,
  usageWithCache,
  type WireAnswer,
} from './protocol.ts';

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

const bodyOf = ({ body }: Received) => body as unknown as Body;
const FINISH = { stop: 'stop', length: 'length', refused: 'content_filter' } as const;

function read(request: Received): Said {
  const { model, messages, max_tokens } = bodyOf(request);
  const turns = messages.map(({ role, content }) => ({ role, text: content }));
  return {
    model,
    system: turns.find(({ role }) => role === 'system')?.text ?? '',
    turns: turns.filter(({ role }) => role !== 'system'),
    maxTokens: max_tokens,
    key: request.headers.authorization?.replace(/^Bearer /, ''),
    bytes: JSON.stringify(messages),
  };
}

const head = ({ model }: WireAnswer) => ({ id: 'chatcmpl-1', created: 1_790_000_000, model });
const chunk = (answer: WireAnswer, rest: object) =>
  event({ ...head(answer), object: 'chat.completion.chunk', ...rest });

function usageOf({ counts }: WireAnswer): object {
  const prompt_tokens = counts.fresh + counts.cached + counts.written;
  return {
    prompt_tokens,
    completion_tokens: counts.completion,
    total_tokens: prompt_tokens + counts.completion,
    prompt_tokens_details: { cached_tokens: counts.cached },
  };
}

const error = (message: string, type: string, code: string | null) => ({ error: { message, type, param: null, code } });

/** `/v1/chat/completions`, as many servers speak it. */
export const chatCompletions: Protocol = {
  type: 'text/event-stream',
  basePath: '/v1',
  refuse(request) {
    const { stream, stream_options } = bodyOf(request);
    if (request.path !== '/v1/chat/completions') return `no such path: ${request.path}`;
    if (stream !== true || stream_options?.include_usage !== true) return 'no stream with usage';
    return refuseTurns(read(request).turns, 'assistant');
  },
  read,
  begin: (answer) =>
    chunk(answer, { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
  piece: (answer, content) => chunk(answer, { choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  end: (answer) =>
    chunk(answer, { choices: [{ index: 0, delta: {}, finish_reason: FINISH[answer.finish] }] }) +
    chunk(answer, { choices: [], usage: usageOf(answer) }) +
    'data: [DONE]\n\n',
  whole: (answer) => ({
    ...head(answer),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.pieces.join('') },
        finish_reason: FINISH[answer.finish],
      },
    ],
    usage: usageOf(answer),
  }),
  errors: (message) => ({
    'rate-limit': { status: 429, body: error(`Rate limit reached. ${message}`, 'requests', 'rate_limit_exceeded') },
    crash: { status: 500, body: error(`The server had an error. ${message}`, 'server_error', null) },
    overloaded: { status: 503, body: error(`The engine is overloaded. ${message}`, 'server_error', null) },
    'bad-key': {
      status: 401,
      body: error(`Incorrect API key: ${message}`, 'invalid_request_error', 'invalid_api_key'),
    },
    'no-quota': {
      status: 429,
      body: error(`You exceeded your current quota. ${message}`, 'insufficient_quota', 'insufficient_quota'),
    },
    'no-model': {
      status: 404,
      body: error(`The model does not exist. ${message}`, 'invalid_request_error', 'model_not_found'),
    },
    'too-long': {
      status: 400,
      body: error(
        `This model's maximum context length is 8192 tokens. ${message}`,
        'invalid_request_error',
        'context_length_exceeded',
      ),
    },
  }),
  within: {
    overloaded: event(error('The server is overloaded', 'server_error', null)),
    'rate-limit': event(error('Slow down', 'requests', 'rate_limit_exceeded')),
  },
  malformed: 'data: {"choices": [{"delta": {"con\n\n',
  usage: usageWithCache,
};
