import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SOURCE_FORM } from '../../../support/searches/e2e-search.ts';
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from '../../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { type CliEnd, eventsOf, makeWorkspace, type RunningCli, runCli, startCli } from '../run-cli.ts';

const KEY = 'sk-very-secret';
const { answer } = scriptedTree({ fanout: (_path, depth) => [4, 3, 2][depth] ?? 0 });
const DIR = join('thought-trees', 'why');

describe('thought-tree with a server', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  let server: ScriptedServer | undefined;
  let running: RunningCli[] = [];
  let env: Record<string, string> = {};
  beforeEach(async () => {
    workspace = await makeWorkspace();
  });
  afterEach(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ end }) => end));
    running = [];
    await server?.close();
    server = undefined;
    await workspace.remove();
  });

  async function serve(options: ScriptedServerOptions): Promise<ScriptedServer> {
    server = await startScriptedServer({ answer, ...options });
    env = {
      THOUGHT_TREE_BASE_URL: server.baseUrl,
      THOUGHT_TREE_API_KEY: KEY,
      THOUGHT_TREE_MODEL: 'openai-compatible/m',
    };
    return server;
  }

  const run = (...args: string[]): Promise<CliEnd> => runCli(args, { cwd: workspace.folder, env });
  function begin(...args: string[]): RunningCli {
    const started = startCli(args, { cwd: workspace.folder, env });
    running.push(started);
    return started;
  }
  async function status(): Promise<{ state: string; nodes: { status: string }[]; [key: string]: unknown }> {
    return JSON.parse((await run('status', DIR, '--json')).stdout);
  }

  it('takes model, address and key from the environment, and never writes address and key to disk', async () => {
    const { log, baseUrl } = await serve({});
    const { code } = await run('start', 'Why?', '--max-depth', '2');
    assert.equal(code, 0);
    assert.deepEqual([log[0]?.model, log[0]?.authorization], ['m', `Bearer ${KEY}`]);
    for (const name of await readdir(workspace.folder, { recursive: true })) {
      const text = await readFile(join(workspace.folder, name), 'utf8').catch(() => '');
      assert.ok(!text.includes(KEY) && !text.includes(baseUrl), name);
    }
  });

  it('prefers the command line', async () => {
    const { baseUrl, log } = await serve({});
    env = { ...env, THOUGHT_TREE_BASE_URL: 'http://127.0.0.1:9/v1', THOUGHT_TREE_MODEL: 'nobody/x' };
    const { code } = await run(
      'start',
      'Why?',
      '--max-depth',
      '1',
      '--base-url',
      baseUrl,
      '--model',
      'openai-compatible/n',
    );
    assert.deepEqual([code, log[0]?.model], [0, 'n']);
  });

  it('pauses with 3 at a limit, says how to raise it, and keeps what was raised', async () => {
    const { log } = await serve({});
    const first = await run('start', 'Why?', '--max-calls', '4', '--size', 'all', ...SOURCE_FORM);
    assert.equal(first.code, 3);
    assert.equal(log.length, 4);
    assert.match(first.stdout, /The limit of 4 calls \(--max-calls\) is reached/);
    const again = /\n {2}thought-tree (resume .+)\n/.exec(first.stdout)?.[1] ?? '';
    assert.equal(again, `resume ${DIR} --max-calls 14`);
    assert.equal((await run(...again.split(' '))).code, 3);
    assert.equal(log.length, 13, "one is kept for the report's opening");
    const finished = await run('resume', DIR, '--max-calls', '500', '--json');
    assert.equal(finished.code, 0);
    const last = eventsOf(finished.stdout).at(-1);
    assert.ok(last?.type === 'search-finished' && last.results.calls === log.length && last.results.open === 0);
    const { limits, state } = await status();
    assert.deepEqual(
      [limits, state],
      [{ size: 'all', maxDepth: 4, guards: { calls: 500, tokens: 2e6, usd: 5 } }, 'finished'],
    );
  });

  it('pauses with 4 where the key is refused', async () => {
    await serve({ fault: () => '401' });
    const { code, stdout } = await run('start', 'Why?');
    assert.equal(code, 4);
    assert.match(stdout, /^Paused\. .+/m);
    assert.match(stdout, /THOUGHT_TREE_API_KEY to a key.*named above; then:\n {2}thought-tree resume /s);
  });

  it('pauses with 4 where no server answers', async () => {
    env = { THOUGHT_TREE_BASE_URL: 'http://127.0.0.1:9/v1', THOUGHT_TREE_MODEL: 'openai-compatible/m' };
    const { code, stdout, stderr } = await run('start', 'Why?', '--json');
    assert.equal(code, 4);
    const last = eventsOf(stdout).at(-1);
    assert.ok(last?.type === 'search-paused' && last.cause === 'unreachable');
    assert.match(stderr, /was not reached.*--base-url/);
  });

  it('lets one process write: another exits with 5 naming the holder, and reading is allowed', async () => {
    const { until } = await serve({ latencyMs: ({ purpose }) => (purpose === 'document' ? 3_600_000 : 0) });
    const holder = begin('start', 'Why?');
    await until((log) => log.filter(({ purpose }) => purpose === 'document').length === 4);
    const second = await run('resume', DIR);
    assert.deepEqual([second.code, second.stdout], [5, '']);
    assert.ok(second.stderr.includes(`process ${holder.child.pid} on `), second.stderr);
    assert.match(second.stderr, /thought-tree status/);
    assert.equal((await run('start', 'Why?')).code, 5);
    const seen = await status();
    assert.equal(seen.state, 'running');
    assert.equal((seen['holder'] as { pid: number }).pid, holder.child.pid);
    assert.deepEqual(
      seen.nodes.map((node) => node.status),
      Array.from({ length: 4 }, () => 'in-progress'),
    );
    holder.child.kill('SIGKILL');
    await holder.end;
    const dead = await status();
    assert.deepEqual([dead.state, dead['holder']], ['interrupted', undefined]);
    assert.ok((dead['results'] as { calls: number }).calls >= 5, 'calls that a kill cut off count');
  });

  it('finishes the work under way at the first Ctrl-C, and continues later', async () => {
    const { log, until } = await serve({ latencyMs: 300 });
    const first = begin('start', 'Why?', '--json');
    await until((requests) => requests.some(({ purpose }) => purpose === 'document'));
    first.child.kill('SIGINT');
    const { code, stdout, stderr } = await first.end;
    assert.equal(code, 130);
    assert.match(stderr, /Pausing: finishing \d topics?; Ctrl-C again stops at once\./);
    assert.match(stderr, /To continue:\n {2}thought-tree resume /);
    const last = eventsOf(stdout).at(-1);
    assert.ok(last?.type === 'search-paused' && last.reason === 'user' && last.results.expanded > 0);
    assert.ok(
      log.every(({ outcome }) => outcome === 'answered'),
      'no call was given up',
    );
    assert.equal((await status()).state, 'paused');
    assert.equal((await run('resume', DIR)).code, 0);
  });

  for (const signals of [['SIGINT', 'SIGINT'], ['SIGTERM']] as const)
    it(`stops at once at ${signals.join(' and ')}`, async () => {
      const { until, log } = await serve({ latencyMs: ({ purpose }) => (purpose === 'document' ? 3_600_000 : 0) });
      const first = begin('start', 'Why?', '--json');
      await until((requests) => requests.some(({ purpose }) => purpose === 'document'));
      for (const signal of signals) {
        first.child.kill(signal);
        await new Promise((resolve) => setTimeout(resolve, 100)); // two signals at once arrive as one
      }
      const { code, stdout } = await first.end;
      assert.equal(code, 130);
      assert.ok(eventsOf(stdout).at(-1)?.type === 'search-paused');
      assert.ok(log.some(({ outcome }) => outcome === 'aborted by client'));
      const { nodes } = await status();
      assert.ok(nodes.every(({ status: each }) => each === 'unexpanded'));
    });

  it('pauses if nobody reads its output any more, and loses nothing', async () => {
    await serve({ latencyMs: 50 });
    const first = begin('start', 'Why?', '--json');
    await first.until((stdout) => stdout.includes('"node-added"'));
    first.child.stdout.destroy();
    const { code, stderr } = await first.end;
    assert.equal(code, 130);
    assert.doesNotMatch(stderr, /EPIPE|at .*\.ts:/);
    assert.equal((await status()).state, 'paused');
    assert.equal((await run('resume', DIR)).code, 0);
  });
});
