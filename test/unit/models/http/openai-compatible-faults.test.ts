import { deepEqual, equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { openModel } from '../../../../src/models/open-model.ts';
import { ONE_CALL } from '../../../support/models/one-call.ts';
import { startScriptedServer } from '../../../support/servers/scripted-server.ts';
import type { Fault, FaultKind } from '../../../support/servers/server-faults.ts';
import { modelRequest } from '../model-request.ts';

const KEY = 'sk-very-secret+/key';

/** What a model makes of a failing server: the error, checked for what no message may hold. */
async function failureAt(baseUrl: string, name = 'tiny', maxOutputTokens = 4000): Promise<ThoughtTreeError> {
  const model = await openModel(`openai-compatible/${name}`, { workspace: '.', baseUrl, apiKey: KEY });
  const call = { ...ONE_CALL, signal: new AbortController().signal };
  const error = await model.generate(modelRequest({ maxOutputTokens }), call).then(
    ({ text }) => new Error(`It answered: ${text.slice(0, 100)}`),
    (thrown: unknown) => thrown,
  );
  ok(error instanceof ThoughtTreeError, inspect(error));
  const shown = inspect(error, { depth: 10, showHidden: true });
  ok(!shown.includes(KEY) && !shown.includes(encodeURIComponent(KEY)), shown);
  ok(error.message.length <= 600 && !/[<\n]/.test(error.message), error.message);
  return error;
}

async function failureOf(fault: Fault | FaultKind): Promise<ThoughtTreeError> {
  const server = await startScriptedServer({ fault: () => fault });
  try {
    const error = await failureAt(server.baseUrl);
    // The list of models came through the connection that is reset: a new one is tried.
    equal(server.log.length, fault === 'reset' ? 2 : 1, 'it must not try again by itself');
    return error;
  } finally {
    await server.close();
  }
}

/** A server that does what the scripted one never would. */
async function withServer<T>(listener: RequestListener, use: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** JSON that parses, and in which whatever descends needs more than the stack. */
const DEEP = `${'{"error":'.repeat(20_000)}1${'}'.repeat(20_000)}`;

const sending = (type: string, body: string): RequestListener => {
  return (_request, response) => response.writeHead(200, { 'content-type': type }).end(body);
};

describe('openai-compatible model, failing', () => {
  const in5s = new Date(Math.ceil(Date.now() / 1000) * 1000 + 5000).toUTCString();
  const cases: [name: string, fault: Fault | FaultKind, reason: string, charged: boolean, words?: RegExp][] = [
    ['refused request', '400', 'bad-request', false, /HTTP 400.*This is not a request/],
    ['wrong key', '401', 'key-refused', false, /THOUGHT_TREE_API_KEY/],
    ['payment', '402', 'quota-exceeded', false],
    ['model', '404', 'unknown-model', false, /tiny at http:\/\/127.*no such model/],
    ['rate', '429', 'rate-limited', false, /concurrency/],
    ['quota', 'insufficient_quota', 'quota-exceeded', false, /exceeded your current quota/],
    ['crash', '500', 'server-error', false],
    ['overload', '503', 'server-error', false],
    ['reset', 'reset', 'cut-off', true, /broke off/],
    ['cut', 'cut', 'cut-off', true],
    ['malformed event', 'malformed', 'cut-off', true, /not JSON/],
    ['no finish', 'no-finish', 'cut-off', true, /no finish reason/],
    ['error within', 'stream-error', 'server-error', true, /in the middle of an answer/],
    ['web page', 'html', 'bad-answer', true, /a web page instead of an answer.*base URL/],
    ['rate within', { kind: 'stream-error', body: { message: 'slow down', code: 429 } }, 'rate-limited', true],
    ['quota within', { kind: 'stream-error', body: { type: 'insufficient_quota' } }, 'quota-exceeded', true],
    ['text within', { kind: 'stream-error', body: 'overloaded' }, 'server-error', true, /overloaded/],
    ['model by 400', { kind: '400', body: { detail: 'Model "tiny" not found' } }, 'unknown-model', false],
    ['details', { kind: '400', body: { detail: [{ msg: 'too long' }] } }, 'bad-request', false, /too long/],
    ['quota by 401 code', { kind: '401', body: [{ error: { code: 'billing_not_active' } }] }, 'quota-exceeded', false],
    ['key in the body', { kind: '401', body: { error: `no: ${KEY}` } }, 'key-refused', false, /no: \[key\]/],
    ['key in the text', { kind: '500', body: `${'x'.repeat(230)}${KEY}` }, 'server-error', false],
    ['page with an error', { kind: '503', body: '<html><p>Hello' }, 'server-error', false, /a web page/],
    [
      'rate worded as quota',
      { kind: '429', body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'see plan and billing' } } },
      'rate-limited',
      false,
    ],
  ];
  for (const [name, fault, reason, charged, words = /./] of cases)
    it(`${name}: ${reason}`, async () => {
      const error = await failureOf(fault);
      deepEqual([error.reason, error.details.charged], [reason, charged], error.message);
      ok(words.test(error.message), error.message);
    });

  const waits: [headers: Record<string, string>, from: number | undefined, to?: number][] = [
    [{}, undefined],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '2', 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after': '86400' }, 3_600_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    [{ 'retry-after': in5s }, 0, 6000],
  ];
  for (const [headers, from, to = from] of waits)
    for (const kind of ['429', '503'] as const)
      it(`waits as told by ${kind} with ${JSON.stringify(headers)}`, async () => {
        const { retryAfterMs } = (await failureOf({ kind, headers })).details;
        if (from === undefined || to === undefined) equal(retryAfterMs, undefined);
        else ok(retryAfterMs !== undefined && retryAfterMs >= from && retryAfterMs <= to, `${retryAfterMs}`);
      });

  it('follows no redirect to another host', async () => {
    const other = await startScriptedServer();
    const location = `${other.baseUrl}/chat/completions`;
    const error = await failureOf({ kind: 'redirect', location });
    equal(error.reason, 'redirected');
    equal(error.details.charged, false);
    ok(error.message.includes(`redirects to ${location}`), error.message);
    equal(other.log.length, 0);
    await other.close();
  });

  it('reports a missing server', async () => {
    const server = await startScriptedServer();
    await server.close();
    const error = await failureAt(server.baseUrl);
    deepEqual([error.reason, error.details.charged], ['unreachable', false]);
    ok(/ECONNREFUSED.*Check that the server runs/.test(error.message), error.message);
  });

  it('reports an unknown host name', async () => {
    const error = await failureAt('http://nowhere.invalid/v1');
    deepEqual([error.reason, error.details.charged], ['unreachable', false]);
  });

  it('keeps messages short, whatever the names', async () => {
    const server = await startScriptedServer({ fault: () => ({ kind: '400', body: 'y'.repeat(200_000) }) });
    await failureAt(`${server.baseUrl}/${'z'.repeat(2000)}`, 'n'.repeat(2000));
    await server.close();
  });

  it('accepts the answer of a server that does not stream', async () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'content_filter' }];
    const usage = { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 9 } };
    await withServer(sending('application/json', JSON.stringify({ choices, usage })), async (baseUrl) => {
      const model = await openModel('openai-compatible/tiny', { workspace: '.', baseUrl });
      const answer = await model.generate(modelRequest(), { ...ONE_CALL, signal: new AbortController().signal });
      deepEqual(answer, { text: 'whole', finish: 'refused', usage: { prompt: 3, cached: 3, completion: 1 } });
    });
  });

  const bodies: [name: string, type: string, body: string, reason: string, isFree?: true][] = [
    [
      'an error with status 200',
      'application/json',
      '{"error": {"code": "rate_limit_exceeded"}}',
      'rate-limited',
      true,
    ],
    ['JSON that is cut', 'application/json', '{"choices": [', 'server-error'],
    ['nothing', 'text/event-stream', '', 'cut-off'],
    ['no events', 'text/event-stream', 'hello', 'cut-off'],
    ['events of another form', 'text/event-stream', 'data: {"choices": 7}\n\n', 'bad-answer'],
    ['an error as text', 'text/event-stream', 'data: {"error": "no memory"}\n\n', 'server-error', true],
    ['an error without a bottom', 'text/event-stream', `data: {"error": ${DEEP}}\n\n`, 'bad-answer'],
    ['events without a bottom', 'text/event-stream', `data: {"id": ${DEEP}}\n\n`, 'bad-answer'],
    ['JSON without a bottom', 'application/json', DEEP, 'server-error'],
    ['a picture', 'image/png', 'x', 'bad-answer'],
    ['bytes without end', 'text/event-stream', 'x'.repeat(33 * 1024 * 1024), 'bad-answer'],
  ];
  for (const [name, type, body, reason, isFree] of bodies)
    it(`${name}: ${reason}`, async () => {
      const error = await withServer(sending(type, body), (baseUrl) => failureAt(baseUrl));
      deepEqual([error.reason, error.details.charged], [reason, isFree !== true], error.message);
    });
});
