import assert from 'node:assert/strict';
import { serverFailure } from '../../../../../src/models/http/failures.ts';

const SERVER = { url: 'http://127.0.0.1:1', query: {}, model: 'm', apiKey: undefined, keyVariable: 'KEY' };
const detailsOf = (status: number | undefined, body: unknown): boolean =>
  serverFailure(SERVER, { ...(status === undefined ? {} : { status }), body }).details.refusesTools === true;

describe('a request that is refused for its tools', () => {
  for (const [server, status, body] of [
    ['Ollama', 400, { error: 'registry.ollama.ai/library/gemma3:latest does not support tools' }],
    ['Ollama, in an answer', undefined, { error: 'gemma3 does not support tools' }],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      },
    ],
    ['OpenRouter', 404, { error: { message: 'No endpoints found that support tool use.', code: 404 } }],
    ['llama.cpp', 500, { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } }],
    [
      'FastAPI',
      422,
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'Extra inputs are not permitted' }] },
    ],
    ['a gateway', 501, 'Function calling is not implemented: functions are not supported.'],
  ] as const)
    it(`is known as such (${server})`, () => assert.equal(detailsOf(status, body), true));

  for (const [what, status, body] of [
    ['too long', 400, { error: { message: 'maximum context length is 8192, 200 in the functions: not supported' } }],
    ['a wrong key', 401, { error: { message: 'This key does not allow tools.' } }],
    ['a rate limit', 429, { error: { message: 'Requests with tools are not permitted so often.' } }],
    ['another parameter', 400, { error: { message: 'Unsupported parameter: max_tokens' } }],
    ['an unknown model', 404, { error: { message: 'The model m does not exist' } }],
    ['a failure', 500, { error: { message: 'The server had an error while processing your request.' } }],
  ] as const)
    it(`is not meant where the failure is another one (${what})`, () => assert.equal(detailsOf(status, body), false));
});
