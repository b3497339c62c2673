import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelAnswer } from '../../../../src/core/ports/model.ts';
import type { Toolbox } from '../../../../src/core/ports/tool.ts';
import type { AgentOptions, AgentQuestion, PermissionQuestion } from '../../../../src/models/agents/agent.ts';
import { ClaudeAgent } from '../../../../src/models/agents/claude-model.ts';
import type { ClaudeSdk, Permission, QueryOptions } from '../../../../src/models/agents/claude-sdk.ts';
import { ONE_CALL } from '../../../support/models/one-call.ts';
import { until } from '../../../support/until.ts';

const QUESTION = { system: '', prompt: 'Why?', isKept: false, maxOutputTokens: 100 };
const RESULT = { type: 'result', subtype: 'success', session_id: '3d1d0a52-7f3c-4a7b-9f0e-111111111111' };

describe('Claude Code as an agent', () => {
  let folder: string;
  let workspace: string;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-agent-')));
    workspace = join(folder, 'workspace');
    await mkdir(workspace);
    await writeFile(join(folder, 'secret.txt'), 'oleander');
    await symlink(join(folder, 'secret.txt'), join(workspace, 'notes.txt'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function agentWith(query: ClaudeSdk['query'], options: AgentOptions = {}, env: NodeJS.ProcessEnv = {}): ClaudeAgent {
    return new ClaudeAgent({ query }, 'test', workspace, options, { PATH: process.env['PATH'], ...env });
  }

  /** Asks an agent that does `work` and then says `text`. */
  async function answerOf(text: string, { work, options, env, question, toolbox }: Asked = {}): Promise<ModelAnswer> {
    const agent = agentWith(
      async function* ({ options: given }) {
        await work?.(given);
        yield { ...RESULT, result: text, total_cost_usd: 0 };
      },
      options,
      env,
    );
    try {
      const call = { ...ONE_CALL, signal: new AbortController().signal, ...(toolbox && { toolbox }) };
      return await agent.ask({ ...QUESTION, ...question }, call);
    } finally {
      await agent.close();
    }
  }

  describe('asks a person', () => {
    /** The person's permission questions, and their answers. */
    async function asked(
      tool: string,
      input: Record<string, unknown>,
      signal = new AbortController().signal,
    ): Promise<[PermissionQuestion | undefined, Permission | undefined]> {
      const questions: PermissionQuestion[] = [];
      const askPermission = async (question: PermissionQuestion): Promise<boolean> => {
        questions.push(question);
        return true;
      };
      let permission: Permission | undefined;
      const work: Work = async ({ canUseTool }) => {
        permission = await canUseTool(tool, input, { signal });
      };
      await answerOf('Done.', { work, options: { askPermission } });
      return [questions[0], permission];
    }

    it('with the whole input, including invisible characters', async () => {
      const outside = join(folder, 'secret.txt');
      const json = JSON.stringify;
      for (const [input, what] of [
        [{ file_path: 'src/a.ts' }, `{"file_path":"src/a.ts" → ${json(join(workspace, 'src/a.ts'))}}`],
        [{ file_path: join(workspace, 'a.ts') }, json({ file_path: join(workspace, 'a.ts') })],
        [
          { file_path: `${workspace}/${' '.repeat(2400)}/../../secret.txt` },
          `{"file_path":"${workspace}/\\u0020{2400}/../../secret.txt" → ${json(outside)}}`,
        ],
        [{ file_path: 'notes.txt' }, `{"file_path":"notes.txt" → ${json(outside)}}`],
        [{ path: '~/.ssh/id' }, `{"path":"~/.ssh/id" → ${json(join(homedir(), '.ssh/id'))}}`],
        [{ deep: [{ x: '../secret.txt' }] }, `{"deep":[{"x":"../secret.txt" → ${json(outside)}}]}`],
        [
          { command: 'ls\n\trm\u202e\u200b\u00a0\u3164 -r' },
          '{"command":"ls\\n\\trm\\u{202e}\\u{200b}\\u{a0}\\u{3164} -r"}',
        ],
        [{ n: 1, on: true, none: null }, '{"n":1,"on":true,"none":null}'],
      ] as const) {
        const [question, permission] = await asked('Read', input);
        assert.equal(question?.what, what);
        assert.deepEqual(permission, { behavior: 'allow', updatedInput: input });
      }
    });

    it('nothing that has been stopped', async () => {
      const [question, permission] = await asked('Read', { file_path: 'a' }, AbortSignal.abort());
      assert.deepEqual([question, permission?.behavior], [undefined, 'deny']);
    });

    it('nothing that cannot be shown in full', async () => {
      let deep: unknown = 'a';
      for (let i = 0; i < 20_000; i++) deep = [deep];
      for (const [tool, input] of [
        ['Bash', { command: `echo ${'a'.repeat(1500)}; rm -r x` }],
        ['Bash', { deep }],
        ['x'.repeat(300), {}],
      ] as const) {
        const [question, permission] = await asked(tool, input);
        assert.equal(question, undefined);
        assert.match(permission?.behavior === 'deny' ? permission.message : '', /too long for a person/);
      }
    });
  });

  describe('in a workplace', () => {
    let checkout: string;

    before(async () => {
      checkout = join(folder, 'checkout');
      await mkdir(join(checkout, 'src'), { recursive: true });
      await symlink('../secret.txt', join(checkout, 'link.txt'));
      await symlink('../fresh.txt', join(checkout, 'dangling.txt'));
      await symlink('..', join(checkout, 'up'));
    });

    /** What its process is started with. */
    async function optionsIn(rights: 'read' | 'write', allowedTools: string[] = []): Promise<QueryOptions> {
      let given: QueryOptions | undefined;
      const work: Work = async (options) => {
        given = options;
      };
      const question = { workplace: { folder: checkout, rights } };
      await answerOf('Done.', { work, options: { allowedTools }, question });
      return given as QueryOptions;
    }

    it('has the tools of its role there, whatever the person allowed elsewhere', async () => {
      const allowed = ['Edit', 'Write(src/**)', 'NotebookEdit', 'Bash(git log:*)', 'WebFetch'];
      const probe = await optionsIn('read', allowed);
      assert.deepEqual(
        [probe.cwd, probe.tools, probe.allowedTools, probe.settingSources],
        [checkout, ['Read', 'Grep', 'Glob'], [], []],
      );
      const worker = await optionsIn('write', allowed);
      assert.deepEqual(
        [worker.cwd, worker.tools, worker.allowedTools, worker.settingSources],
        [checkout, ['Read', 'Grep', 'Glob', 'Bash', 'WebFetch', 'Edit', 'Write'], ['Bash(git log:*)', 'WebFetch'], []],
      );
      const without = await optionsIn('write');
      assert.deepEqual(without.tools, ['Read', 'Grep', 'Glob', 'Edit', 'Write']);
    });

    it('changes files of it alone, links followed, and nothing of git', async () => {
      const mayEdit = async (path: unknown, rights: 'read' | 'write' = 'write', tool = 'Edit'): Promise<string> => {
        const { canUseTool } = await optionsIn(rights);
        return (await canUseTool(tool, { file_path: path }, { signal: new AbortController().signal })).behavior;
      };
      for (const path of ['src/a.ts', join(checkout, 'src', 'new', 'a.ts'), './b.ts', 'src/../c.ts', '.gitignore'])
        assert.equal(await mayEdit(path), 'allow', path);
      assert.equal(await mayEdit('src/a.ts', 'write', 'Write'), 'allow');
      for (const path of [
        join(workspace, 'a.ts'),
        join(folder, 'secret.txt'),
        '../secret.txt',
        'link.txt',
        'dangling.txt',
        'up/secret.txt',
        '.git/hooks/pre-commit',
        join(checkout, '.GIT', 'config'),
        'src/.git',
        '~/.bashrc',
        checkout,
        '',
        7,
        undefined,
      ])
        for (const tool of ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])
          assert.equal(await mayEdit(path, 'write', tool), 'deny', String(path));
      assert.equal(await mayEdit('src/a.ts', 'read'), 'deny');
    });

    it('is told apart from one that may change the workspace, which does so alone', () => {
      const nobody = async function* (): AsyncIterable<unknown> {};
      for (const [allowedTools, changes] of [
        [[], false],
        [['WebFetch(domain:a.org)', 'Read'], false],
        [['Edit'], true],
        [['Bash(git log:*)'], true],
        [['mcp__files__write'], true],
      ] as const)
        assert.equal(agentWith(nobody, { allowedTools }).changesWorkspace, changes, allowedTools.join());
    });

    it('asks a person for everything else, so that nothing is done where nobody is asked', async () => {
      const { canUseTool } = await optionsIn('write');
      const { signal } = new AbortController();
      for (const [tool, input] of [
        ['Bash', { command: 'git push' }],
        ['Read', { file_path: join(folder, 'secret.txt') }],
      ] as const)
        assert.equal((await canUseTool(tool, input, { signal })).behavior, 'deny');
    });

    it('gets tools of ours as a server, with what they say', async () => {
      const used: unknown[] = [];
      const toolbox: Toolbox = {
        tools: [{ name: 'run_command', description: 'Runs.', parameters: { type: 'object' } }],
        async use({ name, input }) {
          used.push([name, input]);
          if (input === 'bad') throw new Error('It is over.');
          return { text: 'Exit code 1.', isRefused: true, what: '' };
        },
      };
      const said = new Map<number, Reply>();
      const work: Work = async ({ mcpServers, allowedTools, canUseTool }) => {
        assert.deepEqual(allowedTools, []);
        const { signal } = new AbortController();
        assert.equal((await canUseTool('mcp__checkout__run_command', {}, { signal })).behavior, 'allow');
        assert.equal((await canUseTool('mcp__other__run_command', {}, { signal })).behavior, 'deny');
        const all = Promise.withResolvers<void>();
        const transport = {
          onmessage: (_: unknown): void => undefined,
          start: async () => undefined,
          send: async (message: object) => {
            const { id, ...reply } = message as Reply & { id: number };
            said.set(id, reply);
            if (said.size === 6) all.resolve();
          },
        };
        await mcpServers?.['checkout']?.instance.connect(transport);
        const call = (id: number, method: string, params?: object): void =>
          transport.onmessage({ jsonrpc: '2.0', id, method, ...(params && { params }) });
        transport.onmessage({ jsonrpc: '2.0', method: 'notifications/initialized' });
        transport.onmessage('nonsense');
        call(1, 'initialize', { protocolVersion: '2025-06-18' });
        call(2, 'tools/list');
        call(3, 'tools/call', { name: 'run_command', arguments: { command: 'npm test' } });
        call(4, 'tools/call', {});
        call(5, 'resources/list');
        call(6, 'tools/call', { name: 'run_command', arguments: 'bad' });
        await all.promise;
      };
      await answerOf('Done.', { work, toolbox, question: { workplace: { folder: checkout, rights: 'write' } } });
      assert.equal(said.get(1)?.result?.protocolVersion, '2025-06-18');
      assert.deepEqual(
        said.get(2)?.result?.tools?.map(({ name }) => name),
        ['run_command'],
      );
      assert.deepEqual(said.get(3)?.result, { content: [{ type: 'text', text: 'Exit code 1.' }], isError: true });
      for (const id of [4, 5, 6]) assert.ok(said.get(id)?.error, String(id));
      assert.deepEqual(used, [
        ['run_command', { command: 'npm test' }],
        ['run_command', 'bad'],
      ]);
    });
  });

  it('never reveals a key that it was given, whatever its name', async () => {
    const env = {
      ANTHROPIC_API_KEY: 'sk-ant-Zq7xT9vLm',
      THOUGHT_TREE_AGENT_ENV: 'AWS_SECRET_ACCESS_KEY,AWS_REGION,SERVICE_ID,GOOGLE_APPLICATION_CREDENTIALS',
      AWS_SECRET_ACCESS_KEY: '/wJalrXUtnFEMI7K+bPxRfiCY',
      AWS_REGION: 'us-east-1',
      SERVICE_ID: 'pX7kQm2vRt9LzWc4Yb8N',
      GOOGLE_APPLICATION_CREDENTIALS: '/home/me/account-1.json',
      https_proxy: 'http://me:hunter-2-hunter@proxy:3128',
    };
    const secrets = [env.ANTHROPIC_API_KEY, env.AWS_SECRET_ACCESS_KEY, env.SERVICE_ID, 'hunter-2-hunter'];
    const { text } = await answerOf(`${secrets.join(' and ')} in us-east-1, /home/me/account-1.json`, { env });
    assert.equal(text, '[key] and [key] and [key] and [key] in us-east-1, /home/me/account-1.json');
  });

  it('leaves nothing running that its process has started', async () => {
    if (process.platform === 'win32') return; // there are no groups of processes
    const note = join(folder, 'pid');
    const work: Work = async ({ spawnClaudeCodeProcess, env }) => {
      const child = spawnClaudeCodeProcess({ command: 'sh', args: ['-c', `sleep 777 & echo $! > '${note}'`], env });
      if (child.exitCode === null) await once(child, 'exit');
    };
    await answerOf('Done.', { work });
    const pid = (await readFile(note, 'utf8')).trim();
    await until(() => !isRunning(pid));
  });
});

type Work = (options: QueryOptions) => Promise<void>;

interface Reply {
  readonly result?: { readonly protocolVersion?: string; readonly tools?: readonly { readonly name: string }[] };
  readonly error?: object;
}

interface Asked {
  readonly work?: Work;
  readonly options?: AgentOptions;
  readonly env?: NodeJS.ProcessEnv;
  readonly question?: Partial<AgentQuestion>;
  readonly toolbox?: Toolbox;
}

/** Not one that is over, and only waits for its parent to look. */
function isRunning(pid: string): boolean {
  try {
    return !/^Z/.test(execFileSync('ps', ['-o', 'stat=', '-p', pid]).toString());
  } catch {
    return false;
  }
}
