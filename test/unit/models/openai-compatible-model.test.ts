import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Model } from '../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from '../../support/servers/scripted-server.ts';
import { modelRequest } from './model-request.ts';

const never = new AbortController().signal;

describe('openai-compatible model', () => {
  const servers: ScriptedServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function open(options: ScriptedServerOptions, more: { apiKey?: string; timeoutMs?: number } = {}) {
    const server = await startScriptedServer(options);
    servers.push(server);
    const model = await openModel('openai-compatible/vendor/tiny', {
      workspace: '.',
      baseUrl: server.baseUrl,
      ...more,
    });
    return { server, model };
  }

  it('sends system, turns and prompt in order, the limit, the purpose and the node', async () => {
    const { server, model } = await open({ answer: () => 'fine' }, { apiKey: ' sk-secret ' });
    const turns = [
      { role: 'user', text: 'first' },
      { role: 'assistant', text: 'second' },
    ] as const;
    const answer = await model.generate(modelRequest({ turns, prompt: 'third' }), { ...ONE_CALL, signal: never });
    equal(answer.text, 'fine');
    equal(answer.finish, 'stop');
    const [request] = server.log;
    ok(request);
    deepEqual(request.messages, [
      { role: 'system', content: 'You answer.' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'second' },
      { role: 'user', content: 'third' },
    ]);
    equal(request.model, 'vendor/tiny');
    equal(request.maxTokens, 4000);
    equal(request.authorization, 'Bearer sk-secret');
    equal(request.purpose, 'document');
    equal(request.headers['x-thought-tree-node'], 'bundling/source-maps');
    equal(model.name, 'openai-compatible/vendor/tiny');
    equal(model.free, false);
  });

  it('encodes nodes of any script and sends an empty one for the root', async () => {
    const { server, model } = await open({ answer: () => 'fine' });
    await model.generate(modelRequest({ node: '构建/为什么-慢' }), { ...ONE_CALL, signal: never });
    await model.generate(modelRequest({ node: '', purpose: 'children' }), { ...ONE_CALL, signal: never });
    equal(
      server.log[0]?.headers['x-thought-tree-node'],
      `${encodeURIComponent('构建')}/${encodeURIComponent('为什么-慢')}`,
    );
    equal(server.log[0]?.node, '构建/为什么-慢');
    equal(server.log[1]?.headers['x-thought-tree-node'], '');
    equal(server.log[1]?.authorization, undefined);
  });

  it('reports pieces as they arrive', async () => {
    const gate = Promise.withResolvers<void>();
    const pieces: string[] = [];
    const { model } = await open({
      answer: async function* () {
        yield 'before ';
        await gate.promise; // opened by the first piece alone
        yield 'and after: 好';
      },
    });
    const onText = (piece: string) => {
      pieces.push(piece);
      gate.resolve();
    };
    const answer = await model.generate(modelRequest(), { ...ONE_CALL, signal: never, onText });
    deepEqual(pieces, ['before ', 'and after: 好']);
    equal(answer.text, pieces.join(''));
  });

  it('reports the usage, including cached tokens', async () => {
    const { server, model } = await open({ answer: () => 'a long answer', cost: () => 0.25 });
    const first = await model.generate(modelRequest(), { ...ONE_CALL, signal: never });
    const second = await model.generate(
      modelRequest({
        turns: [
          { role: 'user', text: 'Write about source maps.' },
          { role: 'assistant', text: first.text },
        ],
        prompt: 'And the children?',
      }),
      { ...ONE_CALL, signal: never },
    );
    // 11 and 24 bytes: 3 + 6 tokens; 13 bytes answered: 4; 17 bytes more: 5.
    deepEqual(first.usage, { prompt: 9, cached: 0, completion: 4, usd: 0.25 });
    deepEqual(second.usage, { prompt: 9 + 4 + 5, cached: 9, completion: 4, usd: 0.25 });
    deepEqual(server.billed, { prompt: 27, cached: 9, completion: 8 });
  });

  it('has no usage if the server reports none, or nonsense', async () => {
    const silent = await open({ answer: () => 'fine', fault: () => 'no-usage' });
    const answer = await silent.model.generate(modelRequest(), { ...ONE_CALL, signal: never });
    deepEqual(answer, { text: 'fine', finish: 'stop' });
    const odd = await open({ answer: () => 'fine', cost: () => -1 });
    const { usage } = await odd.model.generate(modelRequest(), { ...ONE_CALL, signal: never });
    equal(usage && 'usd' in usage, false);
  });

  it('says when the answer was cut by the limit', async () => {
    const { model } = await open({ answer: () => '0123456789' });
    const answer = await model.generate(modelRequest({ maxOutputTokens: 2 }), { ...ONE_CALL, signal: never });
    equal(answer.text, '01234567');
    equal(answer.finish, 'length');
  });

  it('can be stopped in the middle, and closes the connection', async () => {
    const { server, model } = await open({ fault: () => 'stall' });
    const stop = new AbortController();
    const call = { ...ONE_CALL, signal: stop.signal, onText: () => stop.abort() };
    await rejects(model.generate(modelRequest(), call), failing('aborted', true));
    await server.until(([request]) => request?.closedByClient === true);
    equal(server.log.length, 1);
  });

  it('can be stopped before anything arrived, and before anything was sent', async () => {
    const stop = new AbortController();
    const { server, model } = await open({ fault: () => 'hang', onRequest: () => stop.abort() });
    await rejects(model.generate(modelRequest(), { ...ONE_CALL, signal: stop.signal }), failing('aborted', true));
    await server.until(([request]) => request?.closedByClient === true);
    await rejects(model.generate(modelRequest(), { ...ONE_CALL, signal: stop.signal }), failing('aborted', false));
    equal(server.log.length, 1);
  });

  for (const kind of ['hang', 'stall'] as const)
    it(`gives up on a server that does not answer (${kind})`, async () => {
      const { server, model } = await open({ fault: () => kind }, { timeoutMs: 150 });
      await rejects(
        model.generate(modelRequest(), { ...ONE_CALL, signal: never }),
        failing('timed-out', true, /--timeout/),
      );
      await server.until(([request]) => request?.closedByClient === true);
    });

  it('serves many calls at once', async () => {
    const nodes = Array.from({ length: 32 }, (_, i) => `node-${i}`);
    const all = Promise.withResolvers<void>();
    let arrived = 0;
    const { server, model } = await open({
      onRequest: () => {
        if (++arrived === nodes.length) all.resolve();
      },
      answer: async function* ({ node }) {
        await all.promise; // none is answered before the last has come
        yield `# ${node.replace('-', ' ')}\n`;
      },
    });
    const texts = await Promise.all(
      nodes.map(async (node) => (await model.generate(modelRequest({ node }), { ...ONE_CALL, signal: never })).text),
    );
    for (const [i, text] of texts.entries()) ok(text.includes(`# node ${i}\n`));
    equal(server.peak.others, 32);
  });

  it('stops an answer that does not end', async () => {
    const text = 'x'.repeat(256 * 1024);
    let sent = 0;
    const { server, model } = await open({
      answer: async function* () {
        for (; ; sent++) yield text;
      },
    });
    const request = modelRequest({ maxOutputTokens: 1e9 });
    await rejects(model.generate(request, { ...ONE_CALL, signal: never }), failing('bad-answer', true, /longer than/));
    await server.until(([entry]) => entry?.closedByClient === true);
    ok(sent < 64);
  });
});

describe('openModel', () => {
  const opening = (name: string, options: { baseUrl?: string; apiKey?: string; timeoutMs?: number } = {}) =>
    openModel(name, { workspace: '.', ...options });

  it('refuses what cannot work, and says what to do', async () => {
    const baseUrl = 'http://127.0.0.1:1/v1';
    const cases: [Promise<Model>, RegExp][] = [
      [opening('gpt'), /no model "gpt".*workspace\/quotes.*openai-compatible\/NAME/],
      [opening('nobody/gpt'), /no model "nobody\/gpt"/],
      [opening('openai-compatible/', { baseUrl }), /no model "openai-compatible\/"/],
      [opening('workspace/other'), /Use workspace\/quotes/],
      [opening('openai-compatible/x'), /--base-url or THOUGHT_TREE_BASE_URL/],
      [opening('openai-compatible/x', { baseUrl: 'localhost:1234/v1' }), /http:\/\/ or https:\/\//],
      [opening('openai-compatible/x', { baseUrl: 'file:///etc' }), /http:\/\/ or https:\/\//],
      [opening('openai-compatible/x', { baseUrl: 'nonsense' }), /http:\/\/ or https:\/\//],
      [opening('openai-compatible/x', { baseUrl: 'https://me:hidden@host/v1' }), /user name or password/],
      [opening('openai-compatible/x', { baseUrl, apiKey: 'hid\nden' }), /THOUGHT_TREE_API_KEY/],
      [opening('openai-compatible/x', { baseUrl, timeoutMs: 0 }), /--timeout/],
    ];
    for (const [opened, words] of cases)
      await rejects(opened, (error) => {
        ok(error instanceof ThoughtTreeError);
        equal(error.reason, 'bad-input');
        ok(words.test(error.message), error.message);
        ok(!error.message.includes('hid'), error.message);
        return true;
      });
  });

  it('keeps the query of a base URL, and never shows it', async () => {
    const paths: string[] = [];
    const server = await startScriptedServer({ onRequest: ({ path }) => paths.push(path), fault: () => '400' });
    const model = await opening('openai-compatible/x', { baseUrl: `${server.baseUrl}/?version=2&code=hidden` });
    await rejects(
      model.generate(modelRequest(), { ...ONE_CALL, signal: never }),
      (error: Error) => !/hidden/.test(error.message),
    );
    deepEqual(paths, ['/v1/chat/completions?version=2&code=hidden']);
    await server.close();
  });
});

function failing(reason: string, charged: boolean, words = /./) {
  return (error: unknown) => {
    ok(error instanceof ThoughtTreeError, String(error));
    deepEqual([error.reason, error.details.charged], [reason, charged], error.message);
    ok(words.test(error.message), error.message);
    return true;
  };
}
