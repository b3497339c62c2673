import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Model, ModelRequest } from '../../src/core/ports/model.ts';
import { openEditorModel } from '../../src/extension/models/vscode-model.ts';
import { ONE_CALL } from '../support/models/one-call.ts';
import { extension, until } from './editor.ts';

interface Scripted {
  readonly requests: { readonly texts: readonly string[]; readonly cancelled: boolean }[];
  readonly options: { delay: number };
}

const never = new AbortController().signal;
const PARENT = [
  { role: 'user', text: 'Write about bundling: "quotes", \\ and 构建.' },
  { role: 'assistant', text: '  A document.\n\n' },
] as const;
const asking = (prompt: string): ModelRequest => ({
  purpose: 'document',
  node: 'a',
  system: 'You answer.',
  turns: PARENT,
  prompt,
  data: { question: 'Why?' },
  maxOutputTokens: 4000,
});

describe('the contract of models, by the editor’s own', () => {
  let scripted: Scripted;
  let model: Model;

  before(async () => {
    await extension().activate();
    const provider = vscode.extensions.getExtension<Scripted>('thought-tree-test.scripted-models');
    assert.ok(provider, 'the second extension is not there');
    scripted = await provider.activate();
    model = await openEditorModel('scripted-1');
  });
  beforeEach(() => {
    scripted.requests.length = 0;
    scripted.options.delay = 0;
  });

  it('sends system, turns and prompt in order', async () => {
    await model.generate(asking('third'), { ...ONE_CALL, signal: never });
    const [request] = scripted.requests;
    assert.equal(request?.texts.join('|'), `You answer.\n\n${PARENT[0].text}|${PARENT[1].text}|third`);
  });

  it('gives the answer piece by piece, and what it used as the model counts it', async () => {
    const pieces: string[] = [];
    const prompt = `${'word '.repeat(50)}end`;
    const answer = await model.generate(asking(prompt), {
      ...ONE_CALL,
      signal: never,
      onText: (piece) => pieces.push(piece),
    });
    assert.ok(pieces.length > 1, 'it came at once');
    assert.equal(pieces.join(''), answer.text);
    assert.equal(answer.text, `You said: ${prompt}`);
    assert.equal(answer.finish, 'stop');
    const sent = scripted.requests[0]?.texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
    assert.deepEqual(answer.usage, { prompt: sent, cached: 0, completion: Math.ceil(answer.text.length / 4) });
  });

  it('keeps concurrent forks apart', async () => {
    const forks = ['alpha', 'bravo', 'charlie', 'delta'];
    const answers = await Promise.all(
      forks.map((prompt) => model.generate(asking(prompt), { ...ONE_CALL, signal: never })),
    );
    assert.deepEqual(
      answers.map(({ text }) => text),
      forks.map((prompt) => `You said: ${prompt}`),
    );
    for (const { texts } of scripted.requests) assert.deepEqual(texts.slice(1, -1), [PARENT[1].text]);
  });

  it('stops in the middle of an answer, and sends nothing where it was stopped before', async () => {
    scripted.options.delay = 60_000;
    const stop = new AbortController();
    const answer = model.generate(asking('long'), { ...ONE_CALL, signal: stop.signal });
    const failing = assert.rejects(answer, { reason: 'aborted' });
    await until('a request', () => scripted.requests.length > 0);
    stop.abort();
    await failing;
    await until('its end', () => scripted.requests[0]?.cancelled === true);
    await assert.rejects(model.generate(asking('late'), { ...ONE_CALL, signal: stop.signal }), { reason: 'aborted' });
    assert.equal(scripted.requests.length, 1);
  });

  it('says which model refuses, and that a name is unknown', async () => {
    const refusing = await openEditorModel('refusing');
    await assert.rejects(refusing.generate(asking('no'), { ...ONE_CALL, signal: never }), {
      reason: 'refused',
      message: /Scripted, refusing: This model refuses everything\./,
    });
    assert.equal(scripted.requests.length, 1, 'it must not try again by itself');
    await assert.rejects(openEditorModel('no-such'), { reason: 'unknown-model' });
  });
});
