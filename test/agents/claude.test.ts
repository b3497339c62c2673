import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PermissionQuestion } from '../../src/models/agents/agent.ts';
import { type MessagesCall, type MessagesReply, REPLY_USAGE } from './messages-server.ts';
import { ask, type ClaudeMachine, claudeMachine, codewords, said } from './use-claude.ts';

const PROMPT_TOKENS = REPLY_USAGE.input + REPLY_USAGE.cacheRead + REPLY_USAGE.cacheWrite;

describe('Claude Agent SDK', () => {
  let machine: ClaudeMachine;
  let script: (call: MessagesCall) => MessagesReply;

  before(async () => {
    machine = await claudeMachine((call) => script(call));
  });
  beforeEach(() => {
    script = ({ n }) => ({ text: `Answer ${n}.` });
  });
  after(() => machine.close());

  it('answers in a fork that sees what was said before, and leaves the session that it forked as it was', async () => {
    const model = await machine.open();
    const first = await ask(model, 'codeword alpha');
    const turns = said('codeword alpha', first);
    const before = (await machine.sessions()).get(String(first.session));
    const from = machine.server.log.length;
    const second = await ask(model, 'codeword bravo', turns);
    const third = await ask(model, 'codeword charlie', turns);
    const [b, c] = machine.server.log.slice(from).map(codewords);
    assert.deepEqual(
      [b, c],
      [
        ['alpha', 'bravo'],
        ['alpha', 'charlie'],
      ],
    );
    assert.equal(new Set([first.session, second.session, third.session]).size, 3);
    assert.ok(before);
    assert.equal((await machine.sessions()).get(String(first.session)), before);
  });

  it('counts what each question used, not what its session has cost before', async () => {
    const model = await machine.open();
    const first = await ask(model, 'codeword alpha');
    const second = await ask(model, 'codeword bravo', said('codeword alpha', first));
    const tokens = { prompt: PROMPT_TOKENS, cached: 50, written: 10, completion: 20 };
    assert.deepEqual({ ...first.usage, usd: 0 }, { ...tokens, usd: 0 });
    assert.deepEqual({ ...second.usage, usd: 0 }, { ...tokens, usd: 0 });
    assert.ok(Number(first.usage?.usd) > 0);
    assert.ok(Math.abs(Number(first.usage?.usd) - Number(second.usage?.usd)) < 1e-9);
  });

  it('forks one session four times at once, and none sees another', async () => {
    const model = await machine.open();
    const first = await ask(model, 'codeword alpha');
    const before = (await machine.sessions()).get(String(first.session));
    const words = ['bravo', 'charlie', 'delta', 'echo'];
    const from = machine.server.log.length;
    const turns = said('codeword alpha', first);
    const answers = await Promise.all(words.map((word) => ask(model, `codeword ${word}`, turns)));
    const seen = machine.server.log.slice(from).map(codewords).sort();
    assert.deepEqual(
      seen,
      words.map((word) => ['alpha', word]),
    );
    assert.equal(new Set(answers.map(({ session }) => session)).size, 4);
    assert.equal((await machine.sessions()).get(String(first.session)), before);
    assert.equal(await machine.processes(), 0);
  });

  it('continues from the text if the session is on another machine, or belongs to somebody else', async () => {
    const model = await machine.open();
    const first = await ask(model, 'codeword alpha');
    const turns = said('codeword alpha', first);
    const second = await ask(model, 'codeword bravo', turns);
    await machine.forget();
    const third = await ask(model, 'codeword charlie', said('codeword bravo', second, turns));
    assert.deepEqual(codewords(machine.server.log.at(-1) as MessagesCall), ['alpha', 'bravo', 'charlie']);
    assert.ok(third.session);
    const stranger = [...turns.slice(0, 1), { ...turns[1], role: 'assistant' as const, text: 'x', session: '../../x' }];
    await ask(model, 'codeword delta', stranger);
    assert.deepEqual(codewords(machine.server.log.at(-1) as MessagesCall), ['alpha', 'delta']);
  });

  it('sends what was said since the last session as text, once', async () => {
    const model = await machine.open();
    const first = await ask(model, 'codeword alpha');
    const edited = said('codeword bravo', { text: 'Understood.', finish: 'stop' }, said('codeword alpha', first));
    await ask(model, 'codeword charlie', edited);
    const last = machine.server.log.at(-1) as MessagesCall;
    assert.deepEqual(codewords(last), ['alpha', 'bravo', 'charlie']);
    assert.equal(last.text.split('codeword alpha').length, 2);
  });

  it('reads the workspace by itself, and is refused what lies outside', async () => {
    const model = await machine.open();
    script = (call) => {
      if (call.text.includes('nectarine') || /leave|refused/.test(call.text)) return { text: `Read: ${call.text}` };
      const file = call.text.includes('look outside') ? machine.secret : join(machine.workspace, 'notes.txt');
      return { tool: 'Read', input: { file_path: file } };
    };
    assert.match((await ask(model, 'look inside')).text, /nectarine/);
    const { text, usage } = await ask(model, 'look outside');
    assert.match(text, /Nobody can be asked for leave here/);
    assert.doesNotMatch(text, /oleander/);
    assert.equal(usage?.prompt, 2 * PROMPT_TOKENS);
    assert.deepEqual(
      [...(machine.server.log.at(-1)?.tools ?? [])].sort().filter((name) => !/Placeholder/.test(name)),
      ['Glob', 'Grep', 'Read'],
    );
  });

  it('passes its questions to the person, and follows the answers', async () => {
    const asked: PermissionQuestion[] = [];
    let leave = true;
    const askPermission = async (question: PermissionQuestion): Promise<boolean> => {
      asked.push(question);
      return leave;
    };
    const model = await machine.open({ askPermission });
    script = ({ messages, text }) =>
      messages.length < 4 ? { tool: 'Read', input: { file_path: machine.secret } } : { text: `Read: ${text}` };
    assert.match((await ask(model, 'look')).text, /oleander/);
    leave = false;
    assert.match((await ask(model, 'look')).text, /The person refused it/);
    assert.deepEqual(
      asked.map(({ agent, tool }) => [agent, tool]),
      Array(2).fill(['Claude Code (sonnet)', 'Read']),
    );
    assert.match(asked[0]?.what ?? '', /secret\.txt/);
  });

  it('stops at its limits of turns and tokens, and can continue from there', async () => {
    script = ({ text }) =>
      text.includes('Answer now') ? { text: 'Done.' } : { tool: 'Read', input: { file_path: 'notes.txt' } };
    const short = await machine.open({ limits: { turns: 3 } });
    const cut = await ask(short, 'read on');
    assert.deepEqual([cut.text, cut.finish, cut.usage?.prompt], ['', 'length', 3 * PROMPT_TOKENS]);
    const end = await ask(short, 'Answer now', said('read on', cut));
    assert.deepEqual([end.text, end.finish], ['Done.', 'stop']);
    const poor = await machine.open({ limits: { tokens: 1000 } });
    const over = await ask(poor, 'read on', [], { maxOutputTokens: 200 });
    assert.equal(over.finish, 'length');
    assert.ok(Number(over.usage?.prompt) + Number(over.usage?.completion) <= 1000);
    assert.equal(await machine.processes(), 0);
  });

  it('stops at its limit of money', async () => {
    script = () => ({ tool: 'Read', input: { file_path: 'notes.txt' } });
    const model = await machine.open({ limits: { usd: 0.0005 } });
    const cut = await ask(model, 'read on');
    assert.equal(cut.finish, 'length');
    assert.ok(Number(cut.usage?.usd) < 0.0015);
  });

  it('ends at once when it is stopped', async () => {
    const model = await machine.open();
    script = () => ({ hang: true });
    const stop = new AbortController();
    const from = machine.server.log.length;
    const answer = ask(model, 'codeword alpha', [], {}, stop.signal);
    await machine.server.until(() => machine.server.log.length > from);
    stop.abort();
    await assert.rejects(answer, { reason: 'aborted' });
    await machine.server.until(() => machine.server.open === 0);
    assert.equal(await machine.processes(), 0);
  });

  it('ends what runs when it is closed', async () => {
    const model = await machine.open();
    script = () => ({ hang: true });
    const from = machine.server.log.length;
    const answer = ask(model, 'codeword alpha');
    await machine.server.until(() => machine.server.log.length > from);
    await Promise.all([assert.rejects(answer), model.close?.()]);
    assert.equal(await machine.processes(), 0);
  });

  it('leaves no process behind when ours is killed', async () => {
    script = () => ({ hang: true });
    const from = machine.server.log.length;
    const child = spawn(process.execPath, [join(import.meta.dirname, 'ask-and-wait.ts'), machine.workspace], {
      env: machine.env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await machine.server.until(() => machine.server.log.length > from);
    assert.ok((await machine.processes()) >= 2 || process.platform !== 'linux');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await machine.server.until(() => machine.server.open === 0);
    while ((await machine.processes()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('never retries by itself, and reports the kind of failure', async () => {
    const model = await machine.open();
    const cases = [
      [401, 'authentication_error', 'key-refused'],
      [429, 'rate_limit_error', 'rate-limited'],
      [529, 'overloaded_error', 'server-error'],
      [404, 'not_found_error', 'unknown-model'],
    ] as const;
    for (const [status, error, reason] of cases) {
      script = () => ({ status, error, message: 'No.' });
      const from = machine.server.log.length;
      await assert.rejects(
        ask(model, `status ${status}`),
        (thrown: { reason: string; details: { charged: boolean } }) => {
          assert.deepEqual([status, thrown.reason, thrown.details.charged], [status, reason, false]);
          return true;
        },
      );
      assert.ok(machine.server.log.length - from <= 2, `${machine.server.log.length - from} requests for ${status}`);
    }
  });
});
