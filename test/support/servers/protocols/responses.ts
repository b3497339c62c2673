import {
  event,
  type Protocol,
  type Received,
  refuseTurns,
  type Said,
  usageWithCache,
  type WireAnswer,
} from './protocol.ts';

interface Item {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text: string }[];
}
interface Body {
  readonly model: string;
  readonly input: readonly Item[];
  readonly max_output_tokens?: number;
  readonly stream?: boolean;
  readonly store?: boolean;
}

const bodyOf = ({ body }: Received) => body as unknown as Body;
const textOf = ({ content }: Item) =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('');

function read(request: Received): Said {
  const { model, input, max_output_tokens } = bodyOf(request);
  const system = input.filter(({ role }) => role === 'system' || role === 'developer');
  const turns = input.filter((item) => !system.includes(item));
  return {
    model,
    system: system.map(textOf).join(''),
    turns: turns.map((item) => ({ role: item.role, text: textOf(item) })),
    maxTokens: max_output_tokens,
    key: request.headers.authorization?.replace(/^Bearer /, ''),
    bytes: JSON.stringify(input),
  };
}

const ITEM = { id: 'msg_1', type: 'message', role: 'assistant' };

function responseOf(answer: WireAnswer, status: string, output: readonly object[]): object {
  const { counts, finish, model } = answer;
  const input_tokens = counts.fresh + counts.cached + counts.written;
  const ended = status !== 'in_progress';
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    status,
    error: null,
    incomplete_details: ended && finish === 'length' ? { reason: 'max_output_tokens' } : null,
    model,
    output,
    store: false,
    usage: ended
      ? {
          input_tokens,
          input_tokens_details: { cached_tokens: counts.cached, cache_write_tokens: counts.written },
          output_tokens: counts.completion,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: input_tokens + counts.completion,
        }
      : null,
  };
}

function contentOf({ pieces, finish }: WireAnswer): object[] {
  const text = pieces.join('');
  const said = { type: 'output_text', text, annotations: [], logprobs: [] };
  return finish === 'refused' ? [{ type: 'refusal', refusal: 'I will not.' }] : [said];
}

const statusOf = ({ finish }: WireAnswer) => (finish === 'length' ? 'incomplete' : 'completed');
const named = (type: string, rest: object, sequence_number: number) => event({ type, sequence_number, ...rest }, type);
const error = (message: string, type: string, code: string | null) => ({ error: { message, type, param: null, code } });
const where = { item_id: 'msg_1', output_index: 0, content_index: 0 };

/** `/v1/responses` of OpenAI. */
export const responses: Protocol = {
  type: 'text/event-stream',
  basePath: '/v1',
  refuse(request) {
    const { stream, store } = bodyOf(request);
    if (request.path !== '/v1/responses') return `no such path: ${request.path}`;
    if (stream !== true) return 'no stream';
    if (store !== false) return 'it would be stored';
    return refuseTurns(read(request).turns, 'assistant');
  },
  read,
  begin: (answer) =>
    named('response.created', { response: responseOf(answer, 'in_progress', []) }, 0) +
    named('response.in_progress', { response: responseOf(answer, 'in_progress', []) }, 1) +
    named('response.output_item.added', { output_index: 0, item: { ...ITEM, status: 'in_progress', content: [] } }, 2) +
    named('response.content_part.added', { ...where, part: { type: 'output_text', text: '', annotations: [] } }, 3),
  piece: (answer, delta, index) =>
    answer.finish === 'refused'
      ? named('response.refusal.delta', { ...where, delta: 'I will not.' }, 4 + index)
      : named('response.output_text.delta', { ...where, delta, logprobs: [] }, 4 + index),
  end(answer) {
    const status = statusOf(answer);
    const item = { ...ITEM, status, content: contentOf(answer) };
    const n = 4 + answer.pieces.length;
    const last = answer.finish === 'refused' ? 'refusal' : 'output_text';
    const text = answer.pieces.join('');
    return (
      named(`response.${last}.done`, { ...where, text, refusal: 'I will not.', logprobs: [] }, n) +
      named('response.content_part.done', { ...where, part: contentOf(answer)[0] }, n + 1) +
      named('response.output_item.done', { output_index: 0, item }, n + 2) +
      named(`response.${status}`, { response: responseOf(answer, status, [item]) }, n + 3)
    );
  },
  whole(answer) {
    const status = statusOf(answer);
    return responseOf(answer, status, [{ ...ITEM, status, content: contentOf(answer) }]);
  },
  errors: (message) => ({
    'rate-limit': { status: 429, body: error(`Rate limit reached. ${message}`, 'tokens', 'rate_limit_exceeded') },
    crash: { status: 500, body: error(`The server had an error. ${message}`, 'server_error', null) },
    overloaded: { status: 503, body: error(`Slow down. ${message}`, 'service_unavailable_error', null) },
    'bad-key': {
      status: 401,
      body: error(`Incorrect API key provided: ${message}`, 'invalid_request_error', 'invalid_api_key'),
    },
    'no-quota': {
      status: 429,
      body: error(`You exceeded your current quota. ${message}`, 'insufficient_quota', 'insufficient_quota'),
    },
    'no-model': {
      status: 400,
      body: error(`The requested model 'tiny' does not exist. ${message}`, 'invalid_request_error', 'model_not_found'),
    },
    'too-long': {
      status: 400,
      body: error(
        `Your input exceeds the context window of this model. ${message}`,
        'invalid_request_error',
        'context_length_exceeded',
      ),
    },
  }),
  within: {
    overloaded: named(
      'response.failed',
      { response: { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: 'Overloaded' } } },
      9,
    ),
    'rate-limit': named('error', { code: 'rate_limit_exceeded', message: 'Slow down', param: null }, 9),
  },
  malformed: 'event: response.output_text.delta\ndata: {"type": "response.output_te\n\n',
  usage: (counts) => ({ ...usageWithCache(counts), written: counts.written }),
};
