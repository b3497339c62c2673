import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Turn } from '../../src/core/ports/model.ts';
import { isThoughtTreeError, type ThoughtTreeError } from '../../src/core/search/errors.ts';
import { ONE_CALL } from '../support/models/one-call.ts';
import { modelRequest } from '../unit/models/model-request.ts';
import type { MessagesCall, MessagesReply } from './messages-server.ts';
import { ask, type ClaudeMachine, claudeMachine, openClaudeModel } from './use-claude.ts';

const KEY = 'sk-Zq7+xT/9vLm=Wc3RkPd8';
const PARENT: readonly Turn[] = [
  { role: 'user', text: 'Write about bundling: "quotes", \\ and 构建.' },
  { role: 'assistant', text: 'A document.' },
];

// What the contract of models says, as far as it can be seen through an agent: its requests are its own.
describe('the contract: claude', () => {
  let machine: ClaudeMachine;
  let script: (call: MessagesCall) => MessagesReply;

  before(async () => {
    machine = await claudeMachine((call) => script(call));
  });
  beforeEach(() => {
    script = () => ({ text: 'fine' });
  });
  after(() => machine.close());

  const last = (): MessagesCall => machine.server.log.at(-1) as MessagesCall;
  const withKey = () =>
    openClaudeModel('sonnet', machine.workspace, undefined, { ...machine.env, ANTHROPIC_API_KEY: KEY });

  /** The error of a question, which holds no key and says what kind it is. */
  async function failureOf(question: Promise<unknown>): Promise<ThoughtTreeError> {
    const error = await question.then(
      () => new Error('It answered.'),
      (thrown: unknown) => thrown,
    );
    assert.ok(isThoughtTreeError(error), inspect(error));
    hidesKey(error);
    return error;
  }

  it('sends system, turns and prompt in order, word for word, and the key', async () => {
    const model = await withKey();
    await ask(model, 'And this: ünï?', PARENT, { system: 'You answer in rhymes.' });
    const { system, text, headers } = last();
    assert.ok(system.includes('You answer in rhymes.'));
    const places = [...PARENT.map((turn) => turn.text), 'And this: ünï?'].map((words) => text.indexOf(words));
    assert.ok(
      places.every((place) => place >= 0),
      text,
    );
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.equal(headers['x-api-key'], KEY);
    hidesKey(model);
  });

  it('gives the answer as it was written, and its pieces as they come', async () => {
    const model = await machine.open();
    const words = '---\ntitle: Über "alles"\n---\n\n  Two  spaces, 好, and `code`.\n';
    script = () => ({ text: words });
    const pieces: string[] = [];
    const signal = new AbortController().signal;
    const answer = await model.generate(modelRequest(), { ...ONE_CALL, signal, onText: (piece) => pieces.push(piece) });
    assert.equal(answer.text.trim(), words.trim());
    assert.equal(pieces.join('').trim(), words.trim());
    assert.equal(answer.finish, 'stop');
  });

  it('keeps the key out of the text, whatever the server writes', async () => {
    const model = await withKey();
    script = () => ({ text: `Your key is ${KEY}.` });
    const answer = await ask(model, 'x');
    assert.equal(answer.text, 'Your key is [key].');
    hidesKey(answer);
  });

  it('keeps concurrent forks apart, even without a session', async () => {
    const model = await machine.open();
    script = ({ text }) => ({ text: `To ${/alpha|bravo|charlie|delta/.exec(text)?.[0]}` });
    const forks = ['alpha', 'bravo', 'charlie', 'delta'];
    const answers = await Promise.all(forks.map((prompt) => ask(model, prompt, PARENT)));
    assert.deepEqual(
      answers.map(({ text }) => text),
      forks.map((prompt) => `To ${prompt}`),
    );
  });

  it('asks nothing if it was stopped before', async () => {
    const model = await machine.open();
    const before = machine.server.log.length;
    const error = await failureOf(ask(model, 'x', [], {}, AbortSignal.abort()));
    assert.deepEqual([error.reason, error.details.charged], ['aborted', false]);
    assert.equal(machine.server.log.length, before);
  });

  for (const [status, error, reason] of [
    [400, 'invalid_request_error', 'bad-request'],
    [401, 'authentication_error', 'key-refused'],
    [403, 'permission_error', 'key-refused'],
    [429, 'rate_limit_error', 'rate-limited'],
    [500, 'api_error', 'server-error'],
  ] as const)
    it(`HTTP ${status}: ${reason}, in a line, without the key`, async () => {
      const model = await withKey();
      script = () => ({ status, error, message: `No. Your key is ${KEY}.` });
      const failure = await failureOf(ask(model, 'x'));
      assert.deepEqual([failure.reason, failure.details.charged], [reason, false]);
      assert.ok(failure.message.length <= 700 && !/[\n]/.test(failure.message), failure.message);
    });

  it('reports a missing server', async () => {
    const env = { ...machine.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    const model = await openClaudeModel('sonnet', machine.workspace, undefined, env);
    const failure = await failureOf(ask(model, 'x'));
    assert.deepEqual([failure.reason, failure.details.charged], ['unreachable', false]);
  });
});

function hidesKey(value: unknown): void {
  const shown = inspect(value, { depth: 12, showHidden: true, getters: true }) + JSON.stringify(value);
  for (let at = 0; at + 8 <= KEY.length; at++) assert.ok(!shown.includes(KEY.slice(at, at + 8)), shown);
}
