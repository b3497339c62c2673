import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '../../support/install-packages.ts';
import { startFront } from '../../support/mcp/conformance-front.ts';
import { COMMAND } from './mcp-client.ts';

const SUITES = join(import.meta.dirname, 'suites');

interface End {
  readonly code: number;
  readonly out: string;
}

describe('the suites of MCP', () => {
  let home: string;
  let dir: string;
  before(async () => {
    home = join(await installPackages(SUITES, 'mcp-suites'), 'node_modules', '@modelcontextprotocol');
  });
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'thought-tree-mcp-suites-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** Runs a program of these packages, without waiting for a terminal. */
  function run(file: string, args: readonly string[]): Promise<End> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [join(home, file), ...args],
        { cwd: dir, env: { ...process.env, MCP_CATALOG_PATH: join(dir, 'catalog.json') }, maxBuffer: 64 << 20 },
        (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, out: stdout + stderr }),
      );
      child.stdin?.end();
    });
  }

  for (const revision of ['2025-11-25', '2026-07-28'])
    it(`find that our factory conforms to ${revision}, but for what its baseline names`, async () => {
      const front = await startFront(dir);
      try {
        const baseline = ['--expected-failures', join(SUITES, `baseline-${revision}.yml`)];
        const asked = ['server', '--url', front.url, '--requirements', revision, '-o', join(dir, 'results')];
        const { code, out } = await run('conformance/dist/index.js', [...asked, ...baseline]);
        assert.equal(code, 0, out.slice(out.indexOf('=== SUMMARY')));
        assert.match(out, /✓ tools-list: \d+ passed, 0 failed/);
      } finally {
        await front.close();
      }
    });

  /** The inspector's command line on our server. */
  async function inspect(args: readonly string[], flags: readonly string[] = []): Promise<End> {
    const server = [process.execPath, COMMAND, 'mcp', '--dir', dir, ...flags];
    const own = ['-e', `XDG_STATE_HOME=${process.env['XDG_STATE_HOME'] ?? ''}`];
    return await run('inspector/clients/launcher/build/index.js', ['--cli', ...own, ...args, '--', ...server]);
  }

  it('list our tools, whose schemas any client can use', async () => {
    const { code, out } = await inspect(['--method', 'tools/list', '--strict']);
    assert.equal(code, 0, out);
    for (const name of ['tot_start', 'tree_start', 'tree_list']) assert.ok(out.includes(`"name": "${name}"`), name);
    assert.ok(!(await readdir(dir)).includes('thought-trees'));
  });

  it('call them, read documents and prompts, and are told what went wrong', async () => {
    await writeFile(join(dir, 'queue.md'), '# Queue\n\nRequests wait in the queue.\n');
    const call = async (name: string, ...pairs: string[]): Promise<End> =>
      await inspect(['--method', 'tools/call', '--tool-name', name, ...pairs.flatMap((pair) => ['--tool-arg', pair])]);
    const begun = await call('tree_start', 'question=Why do requests wait?', 'size=small', 'wait_seconds=30');
    assert.equal(begun.code, 0, begun.out);
    assert.match(begun.out, /"state": "finished"/);
    const report = await inspect(['--method', 'resources/read', '--uri', 'tree://why-do-requests-wait/report.md']);
    assert.match(report.out, /# Why do requests wait\?/);
    const prompt = await inspect([
      '--method',
      'prompts/get',
      '--prompt-name',
      'investigate',
      '--prompt-args',
      'question=Why?',
    ]);
    assert.match(prompt.out, /fresh agent for every proposed node/);
    // Code 5: the tool said that it failed.
    assert.equal((await call('tree_status', 'search=none')).code, 5);
  });
});
