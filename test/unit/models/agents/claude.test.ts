import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { ModelRequest, Turn } from '../../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { AGENT_LIMITS, type Agent, type AgentQuestion, agentModel } from '../../../../src/models/agents/agent.ts';
import { findSession, Hearing } from '../../../../src/models/agents/claude-messages.ts';
import { findSdk } from '../../../../src/models/agents/claude-sdk.ts';
import { agentEnvironment } from '../../../../src/models/keys.ts';
import { ONE_CALL } from '../../../support/models/one-call.ts';
import { modelRequest } from '../model-request.ts';

const ID = '3d1d0a52-7f3c-4a7b-9f0e-111111111111';

describe('finding the Claude Agent SDK', () => {
  let folder: string;
  const install = async (place: string, main = 'sdk.mjs', name = '@anthropic-ai/claude-agent-sdk') => {
    const home = join(folder, place, 'node_modules/@anthropic-ai/claude-agent-sdk');
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'package.json'), JSON.stringify({ name, main }));
    await writeFile(join(home, 'sdk.mjs'), 'export const query = () => {};');
    return home;
  };
  const url = (home: string): string => pathToFileURL(join(home, 'sdk.mjs')).href;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-sdk-')));
    await writeFile(join(folder, 'evil.mjs'), '');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('uses the folder that the person names: the package, or one that contains it', async () => {
    const home = await install('named');
    const workspace = join(folder, 'empty');
    for (const named of [home, join(folder, 'named'), join(folder, 'named/node_modules')]) {
      assert.equal(await findSdk(workspace, { path: named }, {}), url(home));
      assert.equal(await findSdk(workspace, {}, { THOUGHT_TREE_CLAUDE_SDK: named }), url(home));
    }
    await assert.rejects(findSdk(workspace, { path: workspace }, {}), /npm install -g @anthropic-ai\/claude-agent-sdk/);
  });

  it('finds what npm has installed globally', async () => {
    await mkdir(join(folder, 'global/bin'), { recursive: true });
    const home = await install('global/lib');
    assert.equal(await findSdk(join(folder, 'empty'), {}, { PATH: join(folder, 'global/bin') }), url(home));
  });

  it('runs nothing that may have come with the workspace unasked: in it, above it, or linked from elsewhere', async () => {
    const home = await install('workspace');
    const workspace = join(folder, 'workspace');
    await mkdir(join(workspace, 'packages/app'), { recursive: true });
    await mkdir(join(folder, 'linked/lib'), { recursive: true });
    await symlink(join(workspace, 'node_modules'), join(folder, 'linked/lib/node_modules'));
    for (const [at, path] of [
      [workspace, join(workspace, 'node_modules/.bin')],
      [join(workspace, 'packages/app'), ''],
      [join(workspace, 'packages/app'), join(workspace, 'node_modules/.bin')],
      [workspace, join(folder, 'linked/bin')],
    ] as const) {
      const env = { PATH: path };
      await assert.rejects(findSdk(at, {}, env), /not run unasked\. To run it, set THOUGHT_TREE_CLAUDE_SDK=/, at);
      const asked: string[] = [];
      const mayLoad = async (each: string): Promise<boolean> => asked.push(each) > 0;
      assert.equal(await findSdk(at, { mayLoad }, env), url(home));
      assert.equal(asked.length, 1);
      await assert.rejects(findSdk(at, { mayLoad: async () => false }, env), { reason: 'bad-input' });
    }
  });

  it('never leaves a package because of its own metadata', async () => {
    for (const [place, main, name] of [
      ['a', '../../../../evil.mjs', undefined],
      ['b', 'nothing.mjs', undefined],
      ['c', 'sdk.mjs', 'another-package'],
    ] as const) {
      await install(place, main, name);
      await assert.rejects(findSdk(folder, { path: join(folder, place) }, {}), { reason: 'bad-input' });
    }
  });
});

describe('an agent as a model', () => {
  const turns: Turn[] = [
    { role: 'user', text: 'One.' },
    { role: 'assistant', text: 'First.', session: 'a' },
    { role: 'user', text: 'Two.' },
    { role: 'assistant', text: 'Second.', session: 'b' },
  ];
  function agent(here: readonly string[], gone: readonly string[] = []): Agent & { asked: AgentQuestion[] } {
    const asked: AgentQuestion[] = [];
    return {
      name: 'test/agent',
      label: 'Test',
      limits: AGENT_LIMITS,
      changesWorkspace: false,
      asked,
      hasSession: async (id) => here.includes(id),
      async ask(question) {
        asked.push(question);
        if (gone.includes(String(question.from))) throw new ThoughtTreeError('not-found', foreign({ text: 'Gone.' }));
        return { text: 'Done.', finish: 'stop', session: 'c' };
      },
      close: async () => undefined,
    };
  }
  const call = { ...ONE_CALL, signal: new AbortController().signal };

  it('forks the last session that exists here, and sends the rest', async () => {
    for (const [here, from, said] of [
      [['a', 'b'], 'b', []],
      [['a'], 'a', ['Two.', 'Second.']],
      [[], undefined, ['One.', 'First.', 'Two.', 'Second.']],
    ] as const) {
      const subject = agent(here);
      await agentModel(subject).generate(modelRequest({ turns, prompt: 'Three.' }), call);
      const [question] = subject.asked;
      assert.equal(question?.from, from);
      const words = ['One.', 'First.', 'Two.', 'Second.'].filter((word) => question?.prompt.includes(word));
      assert.deepEqual(words, said);
      assert.ok(question?.prompt.endsWith('Three.'));
    }
  });

  it('sends everything if the session is gone after all, and keeps none that nobody continues from', async () => {
    const subject = agent(['b'], ['b']);
    await agentModel(subject).generate(modelRequest({ turns, prompt: 'Three.' }), call);
    assert.deepEqual(
      subject.asked.map(({ from, isKept }) => [from, isKept]),
      [
        ['b', true],
        [undefined, true],
      ],
    );
    assert.match(subject.asked[1]?.prompt ?? '', /One\..*Second\..*Three\.$/s);
    await agentModel(subject).generate(modelRequest({ purpose: 'pick', isLast: true }), call);
    assert.equal(subject.asked.at(-1)?.isKept, false);
  });

  it('goes on in a workplace with the session that was begun for the question, even by another process', async () => {
    const workplace = { folder: '/checkout', rights: 'write' } as const;
    const here: string[] = [];
    const subject = agent(here);
    const ask = async (question: string, parts: Partial<ModelRequest> = {}): Promise<AgentQuestion> => {
      const request = modelRequest({ workplace, prompt: 'Three.', ...parts });
      await agentModel(subject).generate(request, { ...call, question });
      const asked = subject.asked.at(-1) as AgentQuestion;
      if (asked.id !== undefined) here.push(asked.id);
      return asked;
    };
    const first = await ask('x.0');
    assert.match(first.id ?? '', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    assert.deepEqual([first.from, first.prompt, first.workplace], [undefined, 'Three.', workplace]);
    const second = await ask('x.0');
    assert.deepEqual([second.from, second.id === first.id], [first.id, false]);
    assert.match(second.prompt, /^You were stopped .*Three\.$/s);
    // An answer that is sent back continues in its own session.
    const answer: Turn = { role: 'assistant', text: 'Bad.', session: String(second.id) };
    const third = await ask('x.0', { turns: [{ role: 'user', text: 'Three.' }, answer], prompt: 'Again.' });
    assert.deepEqual([third.from, third.prompt], [second.id, 'Again.']);
    const other = await ask('y.0');
    assert.equal(other.from, undefined);
    const last = await ask('z.0', { isLast: true });
    assert.deepEqual([last.id, last.isKept], [undefined, false]);
    const elsewhere = await agentModel(subject).generate(modelRequest(), { ...call, question: 'x.0' });
    assert.deepEqual([elsewhere.text, subject.asked.at(-1)?.from], ['Done.', undefined]);
  });

  it('gives a process the listed variables and the person’s additions, and no other key', () => {
    const env = {
      PATH: '/bin',
      https_proxy: 'p',
      OPENAI_API_KEY: 'secret',
      ANTHROPIC_API_KEY: 'own',
      AWS_PROFILE: 'dev',
      THOUGHT_TREE_API_KEY: 'secret',
      NODE_OPTIONS: '--require evil',
      THOUGHT_TREE_AGENT_ENV: 'AWS_PROFILE, AWS_REGION,',
    };
    assert.deepEqual(agentEnvironment(env, ['ANTHROPIC_API_KEY']), {
      PATH: '/bin',
      https_proxy: 'p',
      ANTHROPIC_API_KEY: 'own',
      AWS_PROFILE: 'dev',
    });
  });
});

describe('messages of the Claude Agent SDK', () => {
  it('are ignored if they have another form', () => {
    const hearing = new Hearing(1000, 1, { ...ONE_CALL, signal: new AbortController().signal });
    for (const told of [
      undefined,
      null,
      7,
      'a',
      {},
      { type: 'result' },
      { type: 'stream_event', event: { type: 'ping' } },
    ])
      hearing.hear(told);
    hearing.fail(new Error('It crashed.'));
    assert.throws(() => hearing.answer('claude/x', 0), { reason: 'server-error', message: 'claude/x: It crashed.' });
  });

  it('name no file but a session’s', async () => {
    for (const id of ['../../x', '', 'a', `${ID}/../x`]) assert.equal(await findSession(id, tmpdir(), {}), undefined);
    assert.equal(await findSession(ID, tmpdir(), { HOME: '/nowhere' }), undefined);
  });
});
