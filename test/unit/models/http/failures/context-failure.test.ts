import assert from 'node:assert/strict';
import { serverFailure, unknownEvent } from '../../../../../src/models/http/failures.ts';

const SERVER = { url: 'http://127.0.0.1:1', query: {}, model: 'm', apiKey: undefined, keyVariable: 'KEY' };
const failureOf = (status: number, body: unknown) => serverFailure(SERVER, { status, body });
const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe('a request that is too long', () => {
  const cases: readonly [what: string, status: number, body: unknown, told?: number][] = [
    ['a sum', 400, said("This model's maximum context length is 4,096 tokens. You requested 9000 tokens."), 4096],
    ['a limit of answers', 400, said("'max_tokens' is too large: 8000. Its maximum context length is 16384."), 16384],
    ['a size among its fields', 400, said('It exceeds the available context size', { n_ctx: 8192 }), 8192],
    ['words, and a code in brackets', 400, said('invalid params, context window exceeds limit (2013)')],
    ['a failure', 500, said('Context size has been exceeded.')],
    ['a shift', 500, said('context shift is disabled')],
    ['a code', 400, said('Try again with less.', { code: 'context_length_exceeded' })],
    ['another status', 422, said('`inputs` tokens + `max_new_tokens` must be <= 8192. Given: 9000'), 8192],
    ['a comparison', 400, said('prompt is too long: 210443 tokens > 200000 maximum'), 200_000],
    ['a web page', 413, '<html><title>413 Request Entity Too Large</title></html>'],
    ['a rate that it never fits', 429, said('Request too large for m (TPM): Limit 6000, Requested 12042'), 6000],
    ['numbers behind a limit', 400, said('Your request exceeded model token limit: 8192 (requested: 9000)'), 8192],
  ];
  for (const [what, status, body, told] of cases)
    it(`is known by ${what}, and what fits with it`, () => {
      const { reason, details, message } = failureOf(status, body);
      assert.deepEqual([reason, details.isTooLong, details.contextTokens], ['bad-request', true, told]);
      assert.equal(details.charged, false);
      assert.match(message, /longer context/);
    });

  for (const [what, status, body] of [
    ['a key', 401, said('This key may not use the context window of this model.')],
    ['a rate', 429, said('Too many requests: the limit is 6000 tokens per minute.')],
    ['a failure', 500, said('The request took too long.')],
    ['a parameter', 400, said('Unsupported parameter: max_tokens')],
    ['a place', 404, said('The model m was not found')],
  ] as const)
    it(`is not meant where it is about ${what}`, () =>
      assert.equal(failureOf(status, body).details.isTooLong, undefined));
});

describe('a failure that is nested without end', () => {
  const DEEP = 20_000;
  const nested = (name: string): unknown => JSON.parse(`${`{"${name}":`.repeat(DEEP)}1${'}'.repeat(DEEP)}`);

  it('is told like any other', () => {
    assert.equal(failureOf(413, nested('error')).details.isTooLong, true);
    assert.equal(failureOf(400, nested('error')).reason, 'bad-request');
    const { message, details } = failureOf(400, said('No tools.', { more: nested('more') }));
    assert.deepEqual([/No tools\./.test(message), details.isTooLong], [true, undefined]);
    assert.equal(unknownEvent(SERVER, nested('event')).reason, 'bad-answer');
  });
});
