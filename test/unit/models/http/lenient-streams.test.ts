import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Model, ModelAnswer } from '../../../../src/core/ports/model.ts';
import { toThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { openAnthropicModel } from '../../../../src/models/anthropic-model.ts';
import { openGoogleModel } from '../../../../src/models/google-model.ts';
import { openOpenAICompatibleModel } from '../../../../src/models/openai-compatible-model.ts';
import { effort } from '../../../support/effort.ts';
import { ONE_CALL } from '../../../support/models/one-call.ts';
import { type RawServer, startRawServer } from '../../../support/servers/raw-server.ts';
import { modelRequest } from '../model-request.ts';
import { TOOL } from './tool-cases.ts';

const json = JSON.stringify;
const TEXT = 'It waits in the queue.';
const USAGE = { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 };
const piece = (content: unknown, more: object = {}) => ({ choices: [{ index: 0, delta: { content }, ...more }] });
const END = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const COUNTED = { choices: [], usage: USAGE };
const data = (...events: object[]): string => events.map((event) => `data: ${json(event)}\n\n`).join('');

describe('the events of an answer', () => {
  let server: RawServer;
  let body: string | Buffer;
  let chunks = 0;
  let type = 'text/event-stream';
  let close: 'end' | 'destroy' | undefined = 'end';
  before(async () => {
    server = await startRawServer((_, response) => {
      response.writeHead(200, { 'content-type': type });
      const bytes = Buffer.from(body);
      for (let at = 0; at < bytes.length; at += chunks || bytes.length)
        response.write(bytes.subarray(at, at + (chunks || bytes.length)));
      if (close === 'end') response.end();
      // Only once its client has it all.
      else if (close === 'destroy') response.write('\n', () => response.destroy());
    });
  });
  after(() => server.close());
  beforeEach(() => {
    chunks = 0;
    type = 'text/event-stream';
    close = 'end';
  });

  const open = { chat: openOpenAICompatibleModel, messages: openAnthropicModel, gemini: openGoogleModel };
  async function answerOf(sent: string | Buffer, by: keyof typeof open = 'chat'): Promise<ModelAnswer> {
    body = sent;
    const model: Model = await open[by]('tiny', { baseUrl: `${server.url}/v1`, apiKey: 'sk-Zq7xT9vLm3Wc3RkPd8' });
    return await model.generate(modelRequest({ tools: [TOOL] }), { ...ONE_CALL, signal: new AbortController().signal });
  }
  const failureOf = async (sent: string, by: keyof typeof open = 'chat') =>
    toThoughtTreeError(await answerOf(sent, by).catch((error: unknown) => error));

  describe('of chat completions', () => {
    const [first, second] = [piece(TEXT.slice(0, 7)), piece(TEXT.slice(7))];
    const said = [first, second];
    const forms: Record<string, string> = {
      'usage without choices': data(...said, END, { usage: USAGE }),
      'usage with null for choices': data(...said, END, { choices: null, usage: USAGE }),
      'usage in the last choice': data(...said, { choices: [{ delta: {}, finish_reason: 'stop', usage: USAGE }] }),
      'usage beside another name': data(...said, { ...END, x_groq: { id: 'r', usage: USAGE } }),
      'usage as texts': data(...said, END, { choices: [], usage: { prompt_tokens: '30', completion_tokens: '9' } }),
      'usage in the words of others': data(...said, END, {
        choices: [],
        usage: { input_tokens: 30, output_tokens: 9 },
      }),
      'timings alone': data(...said, { ...END, timings: { prompt_n: 20, cache_n: 10, predicted_n: 9 } }),
      'unknown events': data({ type: 'ping' }, first, { vertex_event: { a: [1] } }, second, END, COUNTED),
      'an unknown event first': data({ hello: 'you', choices: 7 }, ...said, END, COUNTED),
      'odd fields': data(
        { id: 7, created: '1', ...first, choices: [{ ...first.choices[0], index: '0', logprobs: 'x' }] },
        { ...second, usage: 'none yet' },
        END,
        COUNTED,
      ),
      'odd roles and reasons': data(
        { choices: [{ delta: { role: 'model', content: TEXT }, finish_reason: '' }] },
        { choices: [{ delta: { role: 7 }, finish_reason: 'stop' }] },
        COUNTED,
      ),
      'a message for a piece': data({ choices: [{ message: { role: 'assistant', content: TEXT } }] }, END, COUNTED),
      'content in parts': data(piece([{ type: 'text', text: TEXT }, { type: 'new' }, 7]), END, COUNTED),
      'no reason, but usage behind it': data(...said, COUNTED),
      'no reason, but usage and an end': `${data(first, { ...second, usage: USAGE })}data: [DONE]\n\n`,
      'a broken event behind the end': `${data(...said, { ...END, usage: USAGE })}data: {"choices": [{"de\n\n`,
      'an error behind the end': data(...said, END, COUNTED, { error: { message: 'The log is full.' } }),
      'no empty line at the end': data(...said, END, COUNTED).trimEnd(),
      'lines that are no events': `hello\ndata: \ndata: ping\n\n: note\n\n${data(...said)}id: 7\n${data(END, COUNTED)}`,
    };
    for (const [form, sent] of Object.entries(forms))
      it(`are read with ${form}`, async () => {
        const { text, finish, usage } = await answerOf(sent);
        assert.deepEqual([text, finish, usage?.prompt, usage?.completion], [TEXT, 'stop', 30, 9]);
      });

    it('are read however their lines end and wherever they are cut', async () => {
      const snow = data(piece('雪 ☃ '), piece('🚦'), END, COUNTED);
      for (const end of ['\n', '\r\n', '\r'])
        for (chunks = 1; chunks < 4; chunks++)
          assert.equal((await answerOf(snow.replaceAll('\n', end))).text, '雪 ☃ 🚦');
      assert.equal((await answerOf(`\ufeff${snow}`)).text, '雪 ☃ 🚦');
    });

    it('may ask for tools with arguments that are no text, or in the oldest form', async () => {
      const used = { name: TOOL.name, arguments: { path: 'src/a.ts' } };
      for (const delta of [{ tool_calls: [{ index: '0', id: 7, function: used }] }, { function_call: used }]) {
        const { finish, toolCalls } = await answerOf(data({ choices: [{ delta }] }, END, COUNTED));
        assert.equal(finish, 'tools');
        assert.deepEqual(
          toolCalls?.map(({ name, input }) => ({ name, input })),
          [{ name: TOOL.name, input: { path: 'src/a.ts' } }],
        );
      }
    });

    it('may ask for several tools without a place for each, or with the same one', async () => {
      const used = (id: string | undefined, index: number | undefined, path: string) => ({
        choices: [{ delta: { tool_calls: [{ id, index, function: { name: TOOL.name, arguments: json({ path }) } }] } }],
      });
      for (const [id, index] of [
        [undefined, undefined],
        ['call', 0],
      ] as const) {
        const uses = ['a', 'b'].map((path) => used(id && `${id}-${path}`, index, path));
        const { toolCalls = [] } = await answerOf(data(...uses, END, COUNTED));
        assert.deepEqual(
          toolCalls.map(({ input }) => input),
          [{ path: 'a' }, { path: 'b' }],
        );
        assert.equal(new Set(toolCalls.map((each) => each.id)).size, 2);
      }
    });

    it('that break off are no answer, although usage came with each of them', async () => {
      const { reason } = await failureOf(data({ ...piece('It wai'), usage: USAGE }));
      assert.equal(reason, 'cut-off');
    });

    it('have ended where the server says so, although it neither counts nor says why', async () => {
      const { text, finish, usage } = await answerOf(`${data(...said)}data: [DONE]\n\n`);
      assert.deepEqual([text, finish, usage], [TEXT, 'stop', undefined]);
    });

    it('are read although their connection is cut behind the end, or never closed', async () => {
      for (close of ['destroy', undefined] as const) {
        const { text, usage } = await answerOf(`${data(...said, END, COUNTED)}data: [DONE]\n\n`);
        assert.deepEqual([text, usage?.completion], [TEXT, 9]);
      }
      close = 'destroy';
      assert.equal((await answerOf(data(...said, END))).text, TEXT);
    });

    it('are read whatever type their server names, as is a whole answer; other texts are not', async () => {
      const whole = json({ choices: [{ message: { content: TEXT }, finish_reason: 'stop' }], usage: USAGE });
      for (type of ['text/plain; charset=utf-8', 'application/octet-stream', 'application/json'])
        for (const sent of [data(...said, END, COUNTED), whole]) {
          const { text, usage } = await answerOf(sent);
          assert.deepEqual([text, usage?.completion], [TEXT, 9], type);
        }
      type = 'text/plain';
      assert.match((await failureOf('Internal error')).message, /text\/plain instead of an answer/);
    });

    it('that break off behind the end of what was asked for are used, as what they cost is paid', async () => {
      const list = 'So:\n<output>["a", "b"]</output>\n';
      const broken = [
        data(piece(list)),
        data(piece(list), { error: { message: 'Gone.' } }),
        `${data(piece(list))}data: {"`,
      ];
      for (const sent of broken) assert.equal((await answerOf(sent)).text, list, sent);
      for (const said of [list.slice(0, -12), `<think>\n${list}`])
        assert.equal((await failureOf(data(piece(said)))).reason, 'cut-off', said);
    });

    it('may name an error in several ways, with the words of the server', async () => {
      for (const sent of [
        data({ error: { message: 'The disk is full.' } }),
        data(piece('It'), { object: 'error', message: 'The disk is full.', code: 500 }),
        `${data(piece('It'))}event: error\ndata: ${json({ message: 'The disk is full.' })}\n\n`,
        data({ error: 'The disk is full.' }),
      ])
        assert.match((await failureOf(sent)).message, /The disk is full\./);
    });

    it('cost nothing where they are nothing but an error, unless a gateway gave up or an answer had begun', async () => {
      const error = (code: unknown) => ({ error: { message: 'No.', code } });
      for (const [sent, charged] of [
        [data(error(500)), false],
        [data({ choices: [{ delta: { role: 'assistant' } }] }, error('overloaded')), false],
        [data(error(502)), true],
        [data(error('524')), true],
        [data(piece('It'), error(500)), true],
      ] as const)
        assert.equal((await failureOf(sent)).details.charged, charged, sent);
    });

    it('of any kind are an answer or a failure, in one request', async () => {
      const value = fc.constantFrom(null, 7, '7', '', 'a', [], {}, [{}], TEXT, USAGE, 'stop', { name: 'a' });
      const fields = (names: string[]) => fc.dictionary(fc.constantFrom(...names), value, { noNullPrototype: true });
      const choice = fc.record(
        { delta: fields(['content', 'role', 'tool_calls', 'reasoning', 'function_call']), finish_reason: value },
        { requiredKeys: [], noNullPrototype: true },
      );
      const event = fc.oneof(
        fc.record(
          { choices: fc.array(choice, { maxLength: 2 }), usage: value },
          { requiredKeys: [], noNullPrototype: true },
        ),
        fields(['choices', 'usage', 'error', 'object', 'timings', 'x_groq']),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(event, { maxLength: 6 }), fc.boolean(), async (events, isWhole) => {
          const before = server.count;
          const sent = data(...events, ...(isWhole ? [piece(TEXT), END, COUNTED] : []));
          const failure = await answerOf(sent).then(
            () => undefined,
            (error: unknown) => toThoughtTreeError(error),
          );
          assert.equal(server.count - before, 1);
          assert.notEqual(failure?.reason, 'internal', `${failure?.message} ${sent}`);
          const isAtFault = events.some((each) => 'error' in each || 'object' in each);
          if (isWhole && !isAtFault) assert.equal(failure, undefined, sent);
        }),
        { numRuns: effort(200) },
      );
    });
  });

  describe('of messages', () => {
    const start = (usage: object) => ({ type: 'message_start', message: { id: 'm', content: [], usage } });
    const block = (index: number, content_block: object, ...deltas: object[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
    const text = block(1, { type: 'text', text: '' }, { type: 'text_delta', text: TEXT });
    const end = (usage: object) => [
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ];
    const [told, counted] = [start({ input_tokens: 30, output_tokens: 1 }), end({ output_tokens: 9 })];
    const forms: Record<string, string> = {
      'an unknown event first': data({ type: 'hint', x: 1 }, told, ...text, ...counted),
      'unknown events and blocks': data(
        told,
        { type: 'context_hint', hint: {} },
        ...block(0, { type: 'future', x: 1 }, { type: 'future_delta', x: 1 }),
        ...text,
        ...block(2, { type: 'text', text: '' }, { type: 'marks_delta', marks: [] }),
        ...counted,
      ),
      'numbers as texts': data(start({ input_tokens: '30' }), ...text, ...end({ output_tokens: '9' })),
      'odd fields': data(
        { type: 'message_start', message: { id: 7, container: 'x', usage: { input_tokens: 30 } } },
        ...text,
        { type: 'message_delta', delta: { stop_reason: 'end_turn', container: 7 }, usage: { output_tokens: 9 } },
        { type: 'message_stop', x: 1 },
      ),
    };
    for (const [form, sent] of Object.entries(forms))
      it(`are read with ${form}`, async () => {
        const { text: said, finish, usage } = await answerOf(sent, 'messages');
        assert.deepEqual([said, finish, usage?.prompt, usage?.completion], [TEXT, 'stop', 30, 9]);
      });

    it('may name an error of any form, with the words of the server', async () => {
      for (const error of [
        { type: 'overloaded_error', message: 'Overloaded' },
        { message: 'Overloaded' },
        'Overloaded',
      ])
        assert.match((await failureOf(data(told, { type: 'error', error }), 'messages')).message, /Overloaded/);
    });
  });

  it('of messages and of Gemini, of any kind, are an answer or a failure, in one request', async () => {
    const value = fc.constantFrom(null, 7, '7', '', 'a', [], {}, [{}], TEXT, 'STOP', { type: 'text', text: 'a' });
    const fields = (...names: string[]) => fc.dictionary(fc.constantFrom(...names), value, { noNullPrototype: true });
    const type = fc.constantFrom(
      ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta'],
      ...['message_stop', 'error', 'ping', 'future'],
    );
    const named = fc.tuple(type, fields('message', 'index', 'delta', 'content_block', 'usage', 'error'));
    const odd = {
      messages: named.map(([kind, rest]) => ({ type: kind, ...rest })),
      gemini: fields('candidates', 'usageMetadata', 'promptFeedback', 'error'),
    };
    for (const by of ['messages', 'gemini'] as const)
      await fc.assert(
        fc.asyncProperty(fc.array<object>(odd[by], { maxLength: 6 }), async (events) => {
          const before = server.count;
          const failure = await answerOf(data(...events), by).catch((error: unknown) => toThoughtTreeError(error));
          assert.equal(server.count - before, 1);
          assert.ok(!('reason' in failure) || failure.reason !== 'internal', JSON.stringify([failure, events]));
        }),
        { numRuns: effort(200) },
      );
  });

  it('of Gemini are read without those of unknown forms, and quoted where nothing else came', async () => {
    const chunk = (more: object) => ({
      candidates: [{ content: { role: 'model', parts: [{ text: TEXT }] }, ...more }],
    });
    const usageMetadata = { promptTokenCount: '30', candidatesTokenCount: 9 };
    const odd = { candidates: 'soon', note: 'Wait for it' };
    const { text, usage } = await answerOf(data(odd, { ...chunk({ finishReason: 'STOP' }), usageMetadata }), 'gemini');
    assert.deepEqual([text, usage?.prompt, usage?.completion], [TEXT, 30, 9]);
    const failure = await failureOf(data(odd), 'gemini');
    assert.equal(failure.reason, 'bad-answer');
    assert.match(failure.message, /Wait for it/);
  });
});
