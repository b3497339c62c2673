import { type Protocol, type Received, refuseTurns, type Said, usageWithCache, type WireAnswer } from './protocol.ts';

interface Content {
  readonly role: string;
  readonly parts: readonly { readonly text: string }[];
}
interface Body {
  readonly contents: readonly Content[];
  readonly systemInstruction?: { readonly parts: Content['parts'] };
  readonly generationConfig: { readonly maxOutputTokens?: number };
}

const bodyOf = ({ body }: Received) => body as unknown as Body;
const PATH = /^\/v1beta\/models\/([^/:]+):streamGenerateContent\?alt=sse$/;
const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', refused: 'SAFETY' } as const;
const said = (parts: Content['parts'] | undefined) => parts?.map(({ text }) => text).join('') ?? '';

function read(request: Received): Said {
  const { contents, systemInstruction, generationConfig } = bodyOf(request);
  const key = request.headers['x-goog-api-key'];
  return {
    model: PATH.exec(request.path)?.[1] ?? '',
    system: said(systemInstruction?.parts),
    turns: contents.map(({ role, parts }) => ({ role: role === 'model' ? 'assistant' : role, text: said(parts) })),
    maxTokens: generationConfig.maxOutputTokens,
    key: typeof key === 'string' && key !== '' ? key : undefined,
    bytes: JSON.stringify(contents),
  };
}

function chunkOf({ model, counts }: WireAnswer, text: string, finishReason?: string): object {
  const promptTokenCount = counts.fresh + counts.cached + counts.written;
  return {
    candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...(finishReason && { finishReason }) }],
    usageMetadata: {
      promptTokenCount,
      // A part of the completion is thought, which is not told with the candidates.
      candidatesTokenCount: counts.completion - 1,
      thoughtsTokenCount: 1,
      totalTokenCount: promptTokenCount + counts.completion,
      cachedContentTokenCount: counts.cached,
    },
    modelVersion: model,
    responseId: 'r1',
  };
}

const line = (chunk: object) => `data: ${JSON.stringify(chunk)}\r\n\r\n`;
const error = (code: number, status: string, message: string, details: readonly object[] = []) => ({
  error: { code, message, status, details },
});
const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_requests', quotaId }],
});

/** `streamGenerateContent` of the Gemini API. */
export const gemini: Protocol = {
  type: 'text/event-stream',
  basePath: '/v1beta',
  refuse: (request) =>
    PATH.test(request.path) ? refuseTurns(read(request).turns, 'assistant') : `no such path: ${request.path}`,
  read,
  begin: () => '',
  piece: (answer, text) => line(chunkOf(answer, text)),
  end: (answer) => line(chunkOf(answer, '', FINISH[answer.finish])),
  whole: (answer) => chunkOf(answer, answer.pieces.join(''), FINISH[answer.finish]),
  errors: (message) => ({
    'rate-limit': {
      status: 429,
      body: error(429, 'RESOURCE_EXHAUSTED', `You exceeded your current quota, see plan and billing. ${message}`, [
        quota('GenerateRequestsPerMinutePerProjectPerModel'),
      ]),
    },
    crash: { status: 500, body: error(500, 'INTERNAL', `An internal error has occurred. ${message}`) },
    overloaded: { status: 503, body: error(503, 'UNAVAILABLE', `The model is overloaded. ${message}`) },
    'bad-key': {
      status: 400,
      body: error(400, 'INVALID_ARGUMENT', `API key not valid. Please pass a valid API key. ${message}`, [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
        },
      ]),
    },
    'no-quota': {
      status: 429,
      body: error(429, 'RESOURCE_EXHAUSTED', `You exceeded your current quota. ${message}`, [
        quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
      ]),
    },
    'no-model': {
      status: 404,
      body: error(404, 'NOT_FOUND', `models/tiny is not found for API version v1beta. ${message}`),
    },
    'too-long': {
      status: 400,
      body: error(
        400,
        'INVALID_ARGUMENT',
        `The input token count (2000000) exceeds the maximum number of tokens allowed (1048576). ${message}`,
      ),
    },
  }),
  within: {
    overloaded: line(error(503, 'UNAVAILABLE', 'The model is overloaded')),
    'rate-limit': line(error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted')),
  },
  malformed: 'data: {"candidates": [{"con\r\n\r\n',
  usage: usageWithCache,
};
