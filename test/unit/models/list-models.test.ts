import { deepEqual, equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { listModels } from '../../../src/models/list-models.ts';

const KEY = 'sk-Zq7+xT/9vLm=Wc3RkPd8';

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly silent?: boolean;
}

describe('listing models', () => {
  const servers: Server[] = [];
  const asked: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  afterEach(async () => {
    asked.length = 0;
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  /** The address of a server that answers every question with this. */
  async function serve({ status = 200, headers = {}, body, silent }: Reply): Promise<string> {
    const server = createServer((request, response) => {
      asked.push({ url: request.url, headers: request.headers });
      if (silent) return;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** What is said of one provider, while the others are not asked anything that leaves this machine. */
  async function listed(provider: string, reply: Reply, timeoutMs = 100_000) {
    const baseUrl = await serve(reply);
    const ollama = await nowhere();
    const all = await listModels({
      servers: { ollama: { baseUrl: ollama }, [provider]: { baseUrl, apiKey: KEY } },
      timeoutMs,
    });
    const shown = inspect(all, { depth: 9 });
    for (let at = 0; at + 8 <= KEY.length; at++) ok(!shown.includes(KEY.slice(at, at + 8)), shown);
    const one = all.find((entry) => entry.provider === provider);
    ok(one);
    equal(one.host, new URL(baseUrl).host);
    return one;
  }

  async function nowhere(): Promise<string> {
    const baseUrl = await serve({});
    const server = servers.pop();
    await new Promise((resolve) => server?.close(resolve));
    return baseUrl;
  }

  it("reads Anthropic's list", async () => {
    const data = [
      { type: 'model', id: 'claude-opus-5-5', display_name: 'Claude Opus 5.5', created_at: '2026-09-01T00:00:00Z' },
      { type: 'model', id: 'claude-new', display_name: 'Claude New', max_input_tokens: 300_000 },
      { type: 'model', id: 'bad\nid' },
    ];
    deepEqual(
      await listed('anthropic', { body: { data, has_more: false } }).then(({ state, ...rest }) => [state, rest]),
      [
        'ready',
        {
          provider: 'anthropic',
          host: asked[0]?.headers.host,
          models: [
            { name: 'anthropic/claude-opus-5-5', label: 'Claude Opus 5.5', contextTokens: 1_000_000 },
            { name: 'anthropic/claude-new', label: 'Claude New', contextTokens: 300_000 },
          ],
        },
      ],
    );
    const { url, headers } = asked[0] ?? {};
    equal(url, '/models?limit=1000');
    deepEqual([headers?.['x-api-key'], headers?.['anthropic-version']], [KEY, '2023-06-01']);
  });

  it("reads OpenAI's list without models that do not produce text", async () => {
    const ids = ['gpt-5.2', 'text-embedding-3-large', 'whisper-1', 'gpt-4o-mini-tts', 'o3', 'my-model'];
    const data = ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'openai' }));
    const one = await listed('openai', { body: { object: 'list', data } });
    ok(one.state === 'ready');
    deepEqual(one.models, [
      { name: 'openai/gpt-5.2', label: 'gpt-5.2', contextTokens: 400_000 },
      { name: 'openai/o3', label: 'o3', contextTokens: 200_000 },
      { name: 'openai/my-model', label: 'my-model' },
    ]);
    deepEqual([asked[0]?.url, asked[0]?.headers.authorization], ['/models', `Bearer ${KEY}`]);
  });

  it('reads the list of a compatible server, with the reported context', async () => {
    const data = [{ id: 'vendor/model', max_model_len: 65_536 }, { id: 7 }];
    const one = await listed('openai-compatible', { body: { data } });
    ok(one.state === 'ready');
    deepEqual(one.models, [{ name: 'openai-compatible/vendor/model', label: 'vendor/model', contextTokens: 65_536 }]);
  });

  it("reads Google's list of models that generate content", async () => {
    const models = [
      {
        name: 'models/gemini-3.5-flash',
        displayName: 'Gemini 3.5 Flash',
        inputTokenLimit: 1_048_576,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
      },
      { name: 'models/gemini-embedding-2', supportedGenerationMethods: ['embedContent'] },
    ];
    const one = await listed('google', { body: { models } });
    ok(one.state === 'ready');
    deepEqual(one.models, [{ name: 'google/gemini-3.5-flash', label: 'Gemini 3.5 Flash', contextTokens: 1_048_576 }]);
    deepEqual([asked[0]?.url, asked[0]?.headers['x-goog-api-key']], ['/models?pageSize=1000', KEY]);
  });

  it("reads Ollama's list", async () => {
    const models = [
      { name: 'qwen3:8b', model: 'qwen3:8b', details: { parameter_size: '8.2B', quantization_level: 'Q4_K_M' } },
    ];
    const one = await listed('ollama', { body: { models } });
    ok(one.state === 'ready');
    deepEqual(one.models, [{ name: 'ollama/qwen3:8b', label: 'qwen3:8b 8.2B Q4_K_M' }]);
    equal(asked[0]?.url, '/api/tags');
  });

  it('names the variable if a key is missing, and contacts nobody', async () => {
    const all = await listModels({ servers: { ollama: { baseUrl: await nowhere() } }, environment: {} });
    deepEqual(
      all.map((one) => [one.provider, one.state, one.state === 'needs-key' ? one.variable : undefined]),
      [
        ['anthropic', 'needs-key', 'ANTHROPIC_API_KEY'],
        ['openai', 'needs-key', 'OPENAI_API_KEY'],
        ['google', 'needs-key', 'GOOGLE_GENERATIVE_AI_API_KEY'],
        ['ollama', 'unreachable', undefined],
      ],
    );
    equal(asked.length, 0);
  });

  it('says that a key was refused', async () => {
    const one = await listed('openai', { status: 401, body: { error: { message: `bad key ${KEY}` } } });
    deepEqual([one.state, 'refused' in one && one.refused], ['needs-key', true]);
  });

  const failures: [name: string, reply: Reply, why: RegExp][] = [
    ['an error', { status: 500, body: { error: `no ${KEY}` } }, /HTTP 500.*\[key\]/],
    ['no list', { body: { hello: 1 } }, /no list of models/],
    ['a web page', { headers: { 'content-type': 'text/html' }, body: '<html>' }, /a web page/],
    ['a redirect', { status: 302, headers: { location: 'http://elsewhere.example/' } }, /redirects/],
    ['a server that says nothing', { silent: true }, /did not end/],
  ];
  for (const [name, reply, why] of failures)
    it(`tells of ${name}`, async () => {
      const one = await listed('openai-compatible', reply, reply.silent ? 100 : 4000);
      ok(one.state === 'unreachable' && why.test(one.why.text), inspect(one));
    });

  it('reports an invalid address', async () => {
    const servers = { ollama: { baseUrl: 'nonsense' }, openai: { baseUrl: 'file:///etc' } };
    const all = await listModels({ servers });
    for (const { provider, state } of all)
      equal(state, provider === 'ollama' || provider === 'openai' ? 'unreachable' : 'needs-key');
  });

  it('reads a thousand models at most', async () => {
    const data = Array.from({ length: 5000 }, (_, n) => ({ id: `model-${n}` }));
    const one = await listed('openai-compatible', { body: { data } });
    equal(one.state === 'ready' && one.models.length, 1000);
  });
});
