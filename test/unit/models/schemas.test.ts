import assert from 'node:assert/strict';
import type { Model } from '../../../src/core/ports/model.ts';
import { toThoughtTreeError } from '../../../src/core/search/errors.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import { type RawServer, startRawServer } from '../../support/servers/raw-server.ts';
import { modelRequest } from './model-request.ts';

const SCHEMA = {
  type: 'object',
  properties: { thinking: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } },
  required: ['thinking', 'list'],
  additionalProperties: false,
};
const REFUSALS = {
  'vLLM, of a schema': [
    400,
    { object: 'error', message: 'The provided JSON schema contains features not supported by xgrammar.', code: 400 },
  ],
  'vLLM, of all': [400, { error: { message: 'Guided decoding is not available for this model.', code: 400 } }],
  OpenAI: [
    400,
    {
      error: {
        message: "Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.",
        param: 'text.format',
      },
    },
  ],
  'a compatible server': [400, { error: { message: "Unknown parameter: 'response_format'." } }],
  'a pydantic form': [
    422,
    { detail: [{ type: 'extra_forbidden', loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }] },
  ],
  Anthropic: [
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'output_config.format: this model does not support structured outputs',
      },
    },
  ],
} as const;

describe('a schema of an answer', () => {
  let server: RawServer;
  let sent: Record<string, unknown>[];
  let answer: readonly [status: number, body: object];
  let owner: string;
  before(async () => {
    server = await startRawServer(({ method, body }, response) => {
      const [status, said] = method === 'GET' ? [200, { data: [{ id: 'tiny', owned_by: owner }] }] : answer;
      if (method !== 'GET') sent.push(JSON.parse(body) as Record<string, unknown>);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
  });
  after(() => server.close());
  beforeEach(() => {
    sent = [];
    owner = 'vllm';
    answer = [400, { error: { message: 'Not today.' } }];
  });

  const open = (name: string): Promise<Model> =>
    openModel(name, {
      workspace: '.',
      baseUrl: `${server.url}${name.startsWith('ollama') ? '' : '/v1'}`,
      apiKey: 'sk-Zq7xT9vLm3Wc3RkPd8',
    });
  const ask = async (model: Model, schema?: object) =>
    toThoughtTreeError(
      await model
        .generate(modelRequest(schema ? { schema } : {}), { ...ONE_CALL, signal: new AbortController().signal })
        .catch((error: unknown) => error),
    );

  const places: Record<string, (body: Record<string, unknown>) => unknown> = {
    'openai-compatible/tiny': ({ response_format: form }) =>
      (form as { json_schema?: { schema?: object } } | undefined)?.json_schema?.schema,
    'openai/gpt-6-sol': ({ text }) => (text as { format?: { schema?: object } } | undefined)?.format?.schema,
    'anthropic/claude-sonnet-5-5': ({ output_config: config }) =>
      (config as { format?: { schema?: object } } | undefined)?.format?.schema,
    'ollama/qwen3': ({ format }) => format,
  };
  for (const [name, schemaIn] of Object.entries(places))
    it(`is where its provider looks for it, and nowhere without one (${name})`, async () => {
      const model = await open(name);
      assert.equal(model.takesSchemas, true);
      await ask(model, SCHEMA);
      await ask(model);
      const [with_, without] = sent.filter(({ messages, input }) => messages ?? input);
      assert.deepEqual(schemaIn(with_ ?? {}), SCHEMA);
      assert.equal(schemaIn(without ?? {}), undefined);
      assert.ok(sent.every(({ tools }) => tools === undefined));
    });

  it('is for servers and models alone that are known to take it', async () => {
    for (owner of ['llamacpp', 'sglang']) assert.equal((await open('openai-compatible/tiny')).takesSchemas, true);
    for (owner of ['me', 'library']) assert.notEqual((await open('openai-compatible/tiny')).takesSchemas, true);
    assert.notEqual((await open('anthropic/claude-3-haiku')).takesSchemas, true);
  });

  it('is told from other refusals, and costs nothing', async () => {
    const model = await open('openai-compatible/tiny');
    for (const [who, refusal] of Object.entries(REFUSALS)) {
      answer = refusal;
      const { details } = await ask(model, SCHEMA);
      assert.deepEqual([details.refusesSchema, details.charged], [true, false], who);
    }
    for (const message of ['Unsupported parameter: max_tokens', 'The context is too long.', 'Bad response.']) {
      answer = [400, { error: { message } }];
      assert.equal((await ask(model, SCHEMA)).details.refusesSchema, undefined, message);
    }
  });
});
