import { ONE_CALL } from '../../../support/models/one-call.ts';
import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import type { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { type FakeChat, fake, workspace } from '../fake-vscode.ts';
import { chatOf, sent } from './fake-chat.ts';
import { keysIn } from './fake-keys.ts';

const { originOf } = await import('../../../../src/extension/models/api-keys.ts');
const { ModelOpener } = await import('../../../../src/extension/models/model-opener.ts');
const { openEditorModel } = await import('../../../../src/extension/models/vscode-model.ts');
const { limitsFor } = await import('../../../../src/extension/settings.ts');
const { settingsFor } = await import('../../../../src/extension/settings.ts');

const SCOPE = undefined as Uri | undefined;

beforeEach(() => fake.reset());

describe('keys', () => {
  it('belong to a scheme, a host and its port', async () => {
    const secrets = new Map<string, string>();
    const keys = keysIn(secrets);
    await keys.set('https://api.example.com/v1', 'sk-1');
    assert.equal(await keys.keyFor('https://api.example.com/other'), 'sk-1');
    for (const other of ['https://api.example.com.evil.net/v1', 'https://api.example.com:8443', 'https://example.com'])
      assert.equal(await keys.keyFor(other), undefined, other);
    for (const clear of ['http://api.example.com/v1', 'http://api.example.com:443/v1', 'HTTP://API.EXAMPLE.COM'])
      assert.equal(await keys.keyFor(clear), undefined, `${clear} would send it in the clear`);
    assert.equal(await keys.keyFor('https://api.example.com:443/v1'), 'sk-1', 'the port that https has anyway');
    assert.equal(await keys.keyFor('https://api.example.com@evil.net/v1'), undefined);
    await keys.remove('https://API.example.com');
    assert.equal(secrets.size, 0);
  });

  it('belong to no invalid address', () => {
    for (const text of ['', 'api.example.com', 'file:///etc/passwd', 'javascript:1'])
      assert.throws(() => originOf(text), { reason: 'bad-input' }, text);
  });
});

describe('settings', () => {
  it('limit a search depending on the cost of its model', () => {
    const settings = settingsFor(SCOPE);
    assert.deepEqual(settings.guards, { calls: 1000, tokens: 2_000_000, usd: 5 });
    assert.deepEqual(limitsFor(settings, 'workspace/quotes'), {});
    assert.deepEqual(limitsFor(settings, 'openai-compatible/any'), settings.guards);
    assert.deepEqual(limitsFor(settings, 'vscode/any'), { ...settings.guards, calls: 50 });
    fake.settings = { 'thoughtTree.maxCalls': 20, 'thoughtTree.maxMinutes': 5 };
    assert.deepEqual(limitsFor(settingsFor(SCOPE), 'vscode/any'), { calls: 20, tokens: 2_000_000, usd: 5, minutes: 5 });
  });

  for (const [setting, folder] of [
    ['trees', 'trees'],
    ['/docs//trees/', 'docs/trees'],
    ['.\\docs\\trees', 'docs/trees'],
    ['', 'thought-trees'],
    ['../elsewhere', 'thought-trees'],
    ['a/../../b', 'thought-trees'],
    ['C:\\Windows', 'thought-trees'],
  ] as const)
    it(`keep searches in the workspace where the folder is "${setting}"`, () => {
      fake.settings = { 'thoughtTree.folder': setting };
      assert.equal(settingsFor(SCOPE).folder, folder);
    });

  it('have the address of a server that has none of its own under its name, else under the name that it had', () => {
    const addressOf = (settings: Record<string, unknown>): string | undefined => {
      fake.settings = settings;
      return settingsFor(SCOPE).servers['openai-compatible'];
    };
    const old = { 'thoughtTree.baseUrl': 'http://old/v1' };
    assert.equal(addressOf(old), 'http://old/v1');
    assert.equal(addressOf({ ...old, 'thoughtTree.servers': { lab: 'http://lab/v1' } }), 'http://old/v1');
    assert.equal(
      addressOf({ ...old, 'thoughtTree.servers': { 'openai-compatible': 'http://new/v1' } }),
      'http://new/v1',
    );
  });
});

describe('opening a model', () => {
  it('is refused in restricted mode', async () => {
    workspace.isTrusted = false;
    const opener = new ModelOpener(keysIn(new Map()));
    await assert.rejects(opener.open('workspace/quotes', '/home/me'), { reason: 'bad-input', message: /restricted/ });
  });

  it('asks before it uses a model named by a clone', async () => {
    fake.models = [chatOf(['Hello'])];
    const opener = new ModelOpener(keysIn(new Map()));
    await assert.rejects(opener.open('vscode/any', '/home/me', false), { reason: 'bad-input' });
    fake.answer = () => 'Use It';
    assert.equal((await opener.open('vscode/any', '/home/me', false)).name, 'vscode/any');
    assert.equal(fake.messages.length, 2);
  });
});

const turns = [
  { role: 'user' as const, text: 'one' },
  { role: 'assistant' as const, text: 'two' },
];
const REQUEST = {
  purpose: 'document',
  node: 'a/b',
  system: 'SYSTEM',
  turns,
  prompt: 'three',
} as unknown as ModelRequest;

describe("one of the editor's models", () => {
  beforeEach(() => {
    sent.length = 0;
  });
  const answer = async (chat: FakeChat, signal = new AbortController().signal, onText?: (piece: string) => void) => {
    fake.models = [chat];
    return (await openEditorModel('any')).generate(REQUEST, { ...ONE_CALL, signal, ...(onText ? { onText } : {}) });
  };

  it('is sent the system text first, then every turn in its role', async () => {
    const pieces: string[] = [];
    const { text, finish, usage } = await answer(chatOf(['Hel', 'lo']), undefined, (piece) => pieces.push(piece));
    assert.deepEqual([text, finish, pieces], ['Hello', 'stop', ['Hel', 'lo']]);
    assert.deepEqual(sent[0]?.messages, [
      { role: 'user', text: 'SYSTEM\n\none' },
      { role: 'assistant', text: 'two' },
      { role: 'user', text: 'three' },
    ]);
    assert.deepEqual(usage, {
      prompt: 'SYSTEM\n\none'.length + 'two'.length + 'three'.length,
      cached: 0,
      completion: 5,
    });
  });

  it('counts the worst case if it cannot count', async () => {
    const chat = { ...chatOf(['Hello']), countTokens: () => Promise.reject(new Error('no')) };
    assert.equal((await answer(chat)).usage, undefined);
  });

  it('fails if it says nothing', async () => {
    assert.equal((await answer(chatOf([' ']))).finish, 'other');
  });

  for (const [code, message, reason, charged] of [
    ['Blocked', 'no', 'refused', true],
    ['NoPermissions', 'no', 'key-refused', false],
    ['NotFound', 'no', 'unknown-model', false],
    ['', 'You have exceeded your quota', 'rate-limited', false],
    ['', 'Rate limit reached', 'rate-limited', false],
    ['', 'socket hang up', 'server-error', true],
  ] as const)
    it(`maps ${code || message} to ${reason}`, async () => {
      const error = await answer(chatOf(Object.assign(new Error(message), { code }))).catch((e: unknown) => e);
      const { details, ...told } = error as ThoughtTreeError;
      assert.deepEqual([told.reason, details.charged], [reason, charged]);
      assert.equal((error as Error).message, `Any: ${message}`);
    });

  it('is cancelled by the signal', async () => {
    const controller = new AbortController();
    const answering = answer(chatOf('hang'), controller.signal);
    setImmediate(() => controller.abort());
    await assert.rejects(answering, { reason: 'aborted' });
    assert.equal(sent[0]?.token.isCancellationRequested, true);
  });

  it('is not asked after an abort', async () => {
    await assert.rejects(answer(chatOf(['Hello']), AbortSignal.abort()), { reason: 'aborted' });
    assert.equal(sent.length, 0);
  });

  it('does not exist under another name', async () => {
    fake.models = [];
    await assert.rejects(openEditorModel('any'), { reason: 'unknown-model', message: /Select Model/ });
  });
});
