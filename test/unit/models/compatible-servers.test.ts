import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Model, ModelRequest } from '../../../src/core/ports/model.ts';
import { toThoughtTreeError } from '../../../src/core/search/errors.ts';
import { testModel } from '../../../src/models/list-models.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { prepareModel } from '../../../src/searches/models/prepare-model.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import { type RawServer, startRawServer } from '../../support/servers/raw-server.ts';
import { modelRequest } from './model-request.ts';

type Sent = { max_tokens?: number; max_completion_tokens?: number; messages: { role: string; content: string }[] };
const CALL = { ...ONE_CALL, signal: new AbortController().signal };

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
const answered = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 30, completion_tokens: 2 },
};
const refusal = (message: string) => ({ error: { message, type: 'invalid_request_error' } });

describe('a server that is compatible in its own way', () => {
  let server: RawServer;
  let list: unknown;
  let refuses: (sent: Sent) => [status: number, body: unknown] | undefined = () => undefined;
  const sent: Sent[] = [];
  before(async () => {
    server = await startRawServer(({ method, url, body }, response) => {
      if (method === 'GET') {
        if (url === '/props') return json(response, 200, { default_generation_settings: { n_ctx: 6144 } });
        return url === '/v1/models' && list ? json(response, 200, list) : json(response, 404, refusal('Not found'));
      }
      if (url !== '/v1/chat/completions') return json(response, 200, { error: `Unexpected endpoint (POST ${url})` });
      sent.push(JSON.parse(body) as Sent);
      const refused = refuses(sent.at(-1) as Sent);
      json(response, refused?.[0] ?? 200, refused?.[1] ?? answered);
    });
  });
  after(() => server.close());
  beforeEach(() => {
    list = { object: 'list', data: [{ id: 'other' }, { id: 'tiny' }] };
    refuses = () => undefined;
    sent.length = 0;
  });
  const open = (path = '/v1', name = 'tiny'): Promise<Model> =>
    openModel(`openai-compatible/${name}`, { workspace: '.', baseUrl: server.url + path });
  const ask = (model: Model, request: Partial<ModelRequest> = {}) => model.generate(modelRequest(request), CALL);
  const refused = async (model: Model, request?: Partial<ModelRequest>) =>
    toThoughtTreeError(await ask(model, request).catch((error: unknown) => error));

  for (const path of ['', '/', '/v1', '/v1/', '/v1/chat/completions', '/v1/models'])
    it(`is reached at the address that a person gave: ${path || 'its root'}`, async () => {
      assert.equal((await ask(await open(path))).text, 'Fine.');
    });

  it('says itself that an address is wrong, at no cost, and is not asked again', async () => {
    list = undefined;
    const { reason, details, message } = await refused(await open('/api'));
    assert.deepEqual([reason, details.charged], ['unknown-model', false]);
    assert.match(message, /Unexpected endpoint.*base URL/);
  });

  it('says how much its model holds, in its list or beside it', async () => {
    for (const field of ['max_model_len', 'context_length', 'context_window', 'max_context_length']) {
      list = {
        data: [
          { id: 'other', [field]: 9 },
          { id: 'tiny', [field]: 8192 },
        ],
      };
      assert.equal((await open()).contextTokens, 8192);
      assert.equal((await open('/v1', 'unlisted')).contextTokens, 6144);
    }
    list = { data: [{ id: 'served-as', max_model_len: 4096 }] };
    assert.equal((await open()).contextTokens, 4096);
  });

  it('is sent its own name for the limit once it has refused the usual one', async () => {
    refuses = ({ max_tokens }) =>
      max_tokens === undefined
        ? undefined
        : [400, refusal("'max_tokens' is not supported. Use 'max_completion_tokens'.")];
    const model = await open();
    const { details } = await refused(model);
    assert.deepEqual([details.asksOtherwise, details.charged], [true, false]);
    assert.equal((await ask(model)).text, 'Fine.');
    assert.equal((await ask(model)).text, 'Fine.');
    assert.deepEqual(
      sent.map((each) => [each.max_tokens, each.max_completion_tokens]),
      [
        [4000, undefined],
        [undefined, 4000],
        [undefined, 4000],
      ],
    );
  });

  it('is sent the system text in the first turn once it has refused its role', async () => {
    for (const [status, words] of [
      [400, 'System role not supported'],
      [500, 'Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...'],
    ] as const) {
      refuses = ({ messages }) => (messages[0]?.role === 'system' ? [status, refusal(words)] : undefined);
      const model = await open();
      assert.equal((await refused(model)).details.asksOtherwise, true);
      const turns = [
        { role: 'user', text: 'first' },
        { role: 'assistant', text: 'second' },
      ] as const;
      await ask(model, { turns, prompt: 'third' });
      assert.deepEqual(sent.at(-1)?.messages, [
        { role: 'user', content: 'You answer.\n\nfirst' },
        { role: 'assistant', content: 'second' },
        { role: 'user', content: 'third' },
      ]);
    }
  });

  it('is not asked in another form for what it refuses otherwise, or twice for the same', async () => {
    refuses = () => [400, refusal('max_tokens is not supported, whatever it is called')];
    const model = await open();
    assert.equal((await refused(model)).details.asksOtherwise, true);
    assert.equal((await refused(model)).details.asksOtherwise, undefined);
    refuses = () => [400, refusal('The system is not allowed to write.')];
    assert.equal((await refused(await open())).details.asksOtherwise, undefined);
  });

  it('works in a test of a model, whatever it refuses first', async () => {
    refuses = ({ messages }) =>
      messages[0]?.role === 'system' ? [400, refusal('System role not supported')] : undefined;
    assert.equal((await testModel(await open())).works, true);
  });

  it('tells its context when it refuses, and has less than was refused where it tells nothing', async () => {
    const model = prepareModel(await open('/v1', 'learning'), {});
    refuses = () => [400, refusal('The maximum context length is 5000 tokens.')];
    assert.equal(model.contextTokens, 6144);
    assert.equal((await refused(model)).details.isTooLong, true);
    assert.equal(model.contextTokens, 5000);
    refuses = () => [500, refusal('Context size has been exceeded.')];
    await refused(model, { maxOutputTokens: 4000 });
    const { contextTokens = 0 } = model;
    assert.ok(contextTokens > 2500 && contextTokens < 4000, String(contextTokens));
    for (let left = 20; left > 0; left--) await refused(model);
    assert.equal(model.contextTokens, 1024);
    assert.equal(model.tools, false);
  });
});
