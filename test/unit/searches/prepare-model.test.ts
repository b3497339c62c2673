import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Model } from '../../../src/core/ports/model.ts';
import type { ToolCall } from '../../../src/core/ports/tool.ts';
import { Recorder } from '../../../src/models/replay/recorder.ts';
import { prepareModel } from '../../../src/searches/models/prepare-model.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import { modelRequest } from '../models/model-request.ts';

const KEY = 'sk-Zq7xT9vLmWc3RkPd8';

describe('a prepared model', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-ready-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function asking(toolCalls: readonly ToolCall[], recorder?: Recorder): Promise<readonly ToolCall[]> {
    const generate: Model['generate'] = async () => ({ text: '', finish: 'tools', toolCalls });
    const model: Model = { name: 'a/b', label: 'B', free: false, tools: true, generate };
    const ready = prepareModel(model, { secrets: [KEY], recorder });
    return (
      (await ready.generate(modelRequest(), { ...ONE_CALL, signal: new AbortController().signal })).toolCalls ?? []
    );
  }

  it('has no tools where its context is too short for what they find', () => {
    const generate: Model['generate'] = async () => ({ text: '', finish: 'stop' });
    const toolsIn = (contextTokens?: number): boolean | undefined =>
      prepareModel({ name: 'a/b', label: 'B', free: false, tools: true, contextTokens, generate }, {}).tools;
    assert.deepEqual([4096, 8192, undefined].map(toolsIn), [false, true, true]);
  });

  it('reveals no key in the input of tools, nor is one recorded', async () => {
    const file = join(folder, 'kept.jsonl');
    const call: ToolCall = {
      id: `call ${KEY}`,
      name: `read ${KEY}`,
      input: { path: KEY, [KEY]: [1, null, true, { deep: `a ${KEY} b`, base64: btoa(KEY) }] },
      provider: { google: { thoughtSignature: KEY, n: 1 } },
    };
    assert.deepEqual(await asking([call, { id: '2', name: 'x', input: KEY }], await Recorder.open(file)), [
      {
        id: 'call [key]',
        name: 'read [key]',
        input: {
          path: '[key]',
          '[key]': [1, null, true, { deep: 'a [key] b', base64: `[key]${btoa(KEY).slice(-2)}` }],
        },
        provider: { google: { thoughtSignature: '[key]', n: 1 } },
      },
      { id: '2', name: 'x', input: '[key]' },
    ]);
    const written = await readFile(file, 'utf8');
    assert.ok(written.includes('[key]') && !written.includes(KEY));
  });

  it('reveals no key in the pieces of an answer', async () => {
    const pieces = ['Your key is ', KEY.slice(0, 7), KEY.slice(7), ', and s', KEY.slice(0, 5)];
    const generate: Model['generate'] = async (_request, { onText }) => {
      for (const piece of pieces) onText?.(piece);
      return { text: pieces.join(''), finish: 'stop' };
    };
    const ready = prepareModel({ name: 'a/b', label: 'B', free: false, generate }, { secrets: [KEY] });
    let shown = '';
    const onText = (piece: string): void => {
      shown += piece;
    };
    const { text } = await ready.generate(modelRequest(), {
      ...ONE_CALL,
      signal: new AbortController().signal,
      onText,
    });
    assert.deepEqual([shown, text], [text, `Your key is [key], and s${KEY.slice(0, 5)}`]);
  });

  it('leaves other inputs unchanged, except for what JSON cannot express', async () => {
    const plain: ToolCall = { id: '1', name: 'a', input: { path: 'src/a.ts', more: [[{ __proto__: null, to: 2 }]] } };
    assert.equal(JSON.stringify(await asking([plain])), JSON.stringify([plain]));
    let deep: unknown = 'a';
    for (let i = 0; i < 20_000; i++) deep = [deep];
    const [call] = await asking([{ id: '1', name: 'a', input: deep }]);
    assert.ok(JSON.stringify(call).length < 200);
  });
});
