import { type Protocol, type Received, refuseTurns, type Said, type WireAnswer } from './protocol.ts';

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly options?: { readonly num_ctx?: number; readonly num_predict?: number };
}

const bodyOf = ({ body }: Received) => body as unknown as Body;

function read(request: Received): Said {
  const { model, messages, options } = bodyOf(request);
  const turns = messages.map(({ role, content }) => ({ role, text: content }));
  return {
    model,
    system: turns.find(({ role }) => role === 'system')?.text ?? '',
    turns: turns.filter(({ role }) => role !== 'system'),
    maxTokens: options?.num_predict,
    key: request.headers.authorization?.replace(/^Bearer /, ''),
    bytes: JSON.stringify(messages),
  };
}

const head = ({ model }: WireAnswer) => ({ model, created_at: '2026-11-22T08:52:19.385406455-07:00' });
const line = (object: object) => `${JSON.stringify(object)}\n`;

function last(answer: WireAnswer, content: string): object {
  const { counts, finish } = answer;
  return {
    ...head(answer),
    message: { role: 'assistant', content },
    done_reason: finish,
    done: true,
    total_duration: 4_883_583_458,
    load_duration: 1_334_875,
    prompt_eval_count: counts.fresh + counts.cached + counts.written,
    prompt_eval_duration: 342_546_000,
    eval_count: counts.completion,
    eval_duration: 4_535_599_000,
  };
}

/** `/api/chat` of Ollama. */
export const ollama: Protocol = {
  type: 'application/x-ndjson',
  basePath: '',
  refuse(request) {
    const { stream, options } = bodyOf(request);
    if (request.path !== '/api/chat') return `no such path: ${request.path}`;
    if (stream === false) return 'no stream';
    if (options?.num_ctx === undefined) return 'the prompt would be cut at 4096 tokens';
    return refuseTurns(read(request).turns, 'assistant');
  },
  read,
  begin: () => '',
  piece: (answer, content) => line({ ...head(answer), message: { role: 'assistant', content }, done: false }),
  end: (answer) => line(last(answer, '')),
  whole: (answer) => last(answer, answer.pieces.join('')),
  errors: (message) => ({
    'rate-limit': { status: 429, body: { error: `too many requests ${message}` } },
    crash: { status: 500, body: { error: `llama runner process has terminated ${message}` } },
    overloaded: {
      status: 503,
      body: { error: `server busy, please try again. maximum pending requests exceeded ${message}` },
    },
    'bad-key': { status: 401, body: { error: `unauthorized ${message}` } },
    'no-quota': { status: 429, body: { error: `you have reached your weekly usage limit, upgrade. ${message}` } },
    'no-model': { status: 404, body: { error: `model 'tiny' not found ${message}` } },
    'too-long': {
      status: 400,
      body: { error: `the input length exceeds the context length of 8192 ${message}` },
    },
  }),
  within: { overloaded: line({ error: 'an error was encountered while running the model' }) },
  malformed: '{"model": "tiny", "mess\n',
  // It does not say what its cache held.
  usage: ({ fresh, cached, written, completion }) => ({ prompt: fresh + cached + written, cached: 0, completion }),
  besides: {
    '/api/show': {
      model_info: { 'general.architecture': 'llama', 'llama.context_length': 32_768 },
      capabilities: ['completion'],
    },
  },
};
