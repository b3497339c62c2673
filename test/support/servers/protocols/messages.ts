import {
  event,
  type Protocol,
  type Received,
  refuseTurns,
  type Said,
  usageWithCache,
  type WireAnswer,
} from './protocol.ts';

interface Block {
  readonly type: string;
  readonly text: string;
  readonly cache_control?: { readonly type: string };
}
interface Body {
  readonly model: string;
  readonly system?: readonly Block[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
}

const bodyOf = ({ body }: Received) => body as unknown as Body;
const STOP = { stop: 'end_turn', length: 'max_tokens', refused: 'refusal' } as const;

function read(request: Received): Said {
  const { model, system, messages, max_tokens } = bodyOf(request);
  const key = request.headers['x-api-key'];
  return {
    model,
    system: system?.map(({ text }) => text).join('') ?? '',
    turns: messages.map(({ role, content }) => ({ role, text: content.map(({ text }) => text).join('') })),
    maxTokens: max_tokens,
    key: typeof key === 'string' && key !== '' ? key : undefined,
    // Marks are no part of what a cache compares.
    bytes: JSON.stringify(messages).replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
  };
}

/** Returns where the marks are: `system`, or the number of a turn, from 0. */
export function marksIn(request: Received): (string | number)[] {
  const { system, messages } = bodyOf(request);
  const marked = (blocks: readonly Block[] | undefined) => blocks?.some((block) => block.cache_control) ?? false;
  const turns = messages.flatMap(({ content }, at) => (marked(content) ? [at] : []));
  return marked(system) ? ['system', ...turns] : turns;
}

function refuse(request: Received): string | undefined {
  const { stream, max_tokens } = bodyOf(request);
  if (request.path !== '/v1/messages') return `no such path: ${request.path}`;
  if (request.headers['anthropic-version'] !== '2023-06-01') return 'anthropic-version: header is required';
  if (max_tokens === undefined) return 'max_tokens: Field required';
  if (stream !== true) return 'no stream';
  const marks = marksIn(request).length;
  if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
  return refuseTurns(read(request).turns, 'assistant');
}

const inputOf = ({ counts }: WireAnswer) => ({
  input_tokens: counts.fresh,
  cache_creation_input_tokens: counts.written,
  cache_read_input_tokens: counts.cached,
});
const named = (type: string, rest: object) => event({ type, ...rest }, type);
const error = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_1' });
const messageOf = (answer: WireAnswer, rest: object) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: answer.model,
  stop_sequence: null,
  ...rest,
});

/** The Messages API of Anthropic. */
export const messages: Protocol = {
  type: 'text/event-stream',
  basePath: '/v1',
  refuse,
  read,
  begin: (answer) =>
    named('message_start', {
      message: messageOf(answer, { content: [], stop_reason: null, usage: { ...inputOf(answer), output_tokens: 1 } }),
    }) +
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    named('ping', {}),
  piece: (_answer, text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  end: (answer) =>
    named('content_block_stop', { index: 0 }) +
    named('message_delta', {
      delta: { stop_reason: STOP[answer.finish], stop_sequence: null },
      usage: { output_tokens: answer.counts.completion },
    }) +
    named('message_stop', {}),
  whole: (answer) =>
    messageOf(answer, {
      content: [{ type: 'text', text: answer.pieces.join('') }],
      stop_reason: STOP[answer.finish],
      usage: { ...inputOf(answer), output_tokens: answer.counts.completion },
    }),
  errors: (message) => ({
    'rate-limit': { status: 429, body: error('rate_limit_error', `This would exceed your rate limit. ${message}`) },
    crash: { status: 500, body: error('api_error', `Internal server error. ${message}`) },
    overloaded: { status: 529, body: error('overloaded_error', `Overloaded. ${message}`) },
    'bad-key': { status: 401, body: error('authentication_error', `invalid x-api-key: ${message}`) },
    'no-quota': {
      status: 400,
      body: error('invalid_request_error', `Your credit balance is too low to access the Anthropic API. ${message}`),
    },
    'no-model': { status: 404, body: error('not_found_error', `model: tiny ${message}`) },
    'too-long': {
      status: 400,
      body: error('invalid_request_error', `prompt is too long: 213425 tokens > 200000 maximum ${message}`),
    },
  }),
  within: {
    overloaded: named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
    'rate-limit': named('error', { error: { type: 'rate_limit_error', message: 'Slow down' } }),
  },
  malformed: 'event: content_block_delta\ndata: {"type": "content_block_de\n\n',
  usage: (counts) => ({ ...usageWithCache(counts), written: counts.written }),
};
