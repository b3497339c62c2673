import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import type { ModelRequest } from '../../../src/core/ports/model.ts';
import { contextSize, toolCallsOf } from '../../../src/models/ollama-model.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import { type ProtocolServer, type Script, startProtocolServer } from '../../support/servers/protocol-server.ts';
import { ollama } from '../../support/servers/protocols/ollama.ts';
import type { Protocol } from '../../support/servers/protocols/protocol.ts';
import { startRawServer } from '../../support/servers/raw-server.ts';
import { modelRequest } from './model-request.ts';

const call = { ...ONE_CALL, signal: new AbortController().signal };

describe('ollama model', () => {
  const servers: ProtocolServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function open(protocol: Protocol = ollama, script: Script = () => ({ does: 'answer', pieces: ['fine'] })) {
    const server = await startProtocolServer(protocol, script);
    servers.push(server);
    const model = await openModel('ollama/qwen3', { workspace: '.', baseUrl: server.baseUrl });
    return { server, model };
  }

  const sizesOf = (server: ProtocolServer) =>
    server.seen.map(({ body }) => (body['options'] as { num_ctx: number }).num_ctx);

  it('makes the context as large as the request needs, never smaller again, and not larger than the model', async () => {
    const { server, model } = await open();
    const long = (bytes: number): Partial<ModelRequest> => ({ prompt: 'x'.repeat(bytes), maxOutputTokens: 1000 });
    for (const bytes of [300, 12_000, 300, 40_000, 90_000]) await model.generate(modelRequest(long(bytes)), call);
    deepEqual(sizesOf(server), [4096, 8192, 8192, 16_384, 32_768]);
    equal(model.contextTokens, 32_768);
  });

  it('asks that a prompt that does not fit be refused, not cut, and that the model stay loaded', async () => {
    const { server, model } = await open();
    await model.generate(modelRequest(), call);
    const { truncate, shift, keep_alive, stream } = server.seen[0]?.body ?? {};
    deepEqual(
      { truncate, shift, keep_alive, stream },
      { truncate: false, shift: false, keep_alive: '30m', stream: true },
    );
  });

  it('gives the model time to be loaded, in addition to the time for the answer', async () => {
    const ready = setTimeout(1300);
    const server = await startProtocolServer(ollama, () => ({ does: 'answer', pieces: ['fine'], ready }));
    servers.push(server);
    const model = await openModel('ollama/qwen3', { workspace: '.', baseUrl: server.baseUrl, timeoutMs: 1000 });
    equal((await model.generate(modelRequest(), call)).text, 'fine');
    equal(model.keepsTime, true, 'a limit without the time for loading would end it');
  });

  it('asks for the context length once', async () => {
    const { server, model } = await open();
    await model.generate(modelRequest(), call);
    await model.generate(modelRequest(), call);
    deepEqual(
      server.besides.map(({ path, body }) => [path, body]),
      [['/api/show', { model: 'qwen3' }]],
    );
  });

  for (const [name, shown] of [
    ['nothing', {}],
    ['nonsense', { model_info: { 'general.architecture': 'x', 'x.context_length': -3 } }],
    ['a list', { model_info: [] }],
  ] as const)
    it(`has no length if the server says ${name}`, async () => {
      const { server, model } = await open({ ...ollama, besides: { '/api/show': shown } });
      await model.generate(modelRequest({ prompt: 'x'.repeat(200_000), maxOutputTokens: 1000 }), call);
      equal(model.contextTokens, undefined);
      deepEqual(sizesOf(server), [131_072]);
    });

  it('accepts the address of the compatible endpoint as well', async () => {
    const { server } = await open();
    const model = await openModel('ollama/qwen3', { workspace: '.', baseUrl: `${server.baseUrl}/v1/` });
    equal((await model.generate(modelRequest(), call)).text, 'fine');
  });

  it('costs nothing, but counts', async () => {
    const { model } = await open();
    equal(model.free, false);
    deepEqual(model.price, { prompt: 0, cached: 0, completion: 0 });
  });

  it('says how to get a missing model', async () => {
    const { model } = await open(ollama, () => ({ does: 'error', error: 'no-model' }));
    const error = await model.generate(modelRequest(), call).catch((thrown: Error) => thrown);
    ok(error instanceof Error && /ollama pull qwen3/.test(error.message), String(error));
  });

  it('passes over fields that are null, and names an error of any form', async () => {
    let lines: object[] = [];
    const server = await startRawServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    });
    const model = await openModel('ollama/qwen3', { workspace: '.', baseUrl: server.url });
    const nothing = { error: null, done_reason: null, message: null };
    lines = [
      { ...nothing, done: null, message: { content: 'fine', tool_calls: null } },
      { ...nothing, message: { content: null } },
      { ...nothing, done: true, prompt_eval_count: 30, eval_count: 9 },
    ];
    equal((await model.generate(modelRequest(), call)).text, 'fine');
    lines = [{ error: { message: 'The disk is full.' } }];
    await rejects(model.generate(modelRequest(), call), /The disk is full/);
    await server.close();
  });

  it('has no usage if a count is missing', async () => {
    const body = `${JSON.stringify({ message: { content: 'ok' }, done: true, eval_count: 3 })}\n`;
    const { model } = await open(ollama, () => ({ does: 'send', type: 'application/x-ndjson', body }));
    deepEqual(await model.generate(modelRequest(), call), { text: 'ok', finish: 'stop' });
  });

  it('gives every use of a tool a unique id, in one answer or in several', () => {
    const calls = [1, 2].map((line) => ({ function: { name: 'read_lines', arguments: { line } } }));
    const ids = [...toolCallsOf(calls), ...toolCallsOf(calls)].map(({ id }) => id);
    equal(new Set(ids).size, 4);
    for (const id of ids) match(id, /^[\w-]{1,64}$/); // what other providers take
  });

  it('has room for tools, and for what they gave', () => {
    const tools = [{ name: 'read', description: 'x'.repeat(9000), parameters: {} }];
    const toolResults = [{ id: '1', name: 'read', text: 'y'.repeat(30_000) }];
    const toolCalls = [{ id: '1', name: 'read', input: { path: 'z'.repeat(600) } }];
    const used = { turns: [{ role: 'assistant' as const, text: '', toolCalls }], prompt: '', toolResults };
    const all = contextSize(modelRequest({ ...used, tools, maxOutputTokens: 4000 }), undefined);
    ok(all >= 4000 + (9000 + 30_000 + 600) / 3);
    ok(contextSize(modelRequest({ tools, maxOutputTokens: 2000 }), undefined) >= 2000 + 9000 / 3);
  });

  it('has room for the estimate and the answer, whatever the request', () => {
    const text = fc.string({ maxLength: 5000 });
    fc.assert(
      fc.property(text, text, fc.array(text), fc.nat(20_000), (system, prompt, said, maxOutputTokens) => {
        const turns = said.map((words) => ({ role: 'user', text: words }) as const);
        const size = contextSize(modelRequest({ system, prompt, turns, maxOutputTokens }), undefined);
        const bytes = Buffer.byteLength([system, prompt, ...said].join(''));
        ok(size >= bytes / 3 + maxOutputTokens && size >= 4096 && Number.isInteger(Math.log2(size)));
        equal(contextSize(modelRequest({ system, prompt, turns, maxOutputTokens }), 2048), 2048);
      }),
    );
  });
});
