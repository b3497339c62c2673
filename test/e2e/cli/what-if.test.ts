import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startToolServer, type ToolServer } from '../../support/servers/tool-server.ts';
import { type CliEnd, makeWorkspace, runCli } from './run-cli.ts';

const DIR = 'thought-trees/waiting';
const TREE = { seed: 5, fanout: (_: string, depth: number) => [3, 2][depth] ?? 0, documentWords: 20 };
const USES = [{ name: 'read', input: { path: 'README.md' } }];

describe('thought-tree what-if', () => {
  let server: ToolServer;
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  before(async () => {
    server = await startToolServer(TREE, USES);
    workspace = await makeWorkspace();
    const model = ['--model', 'openai-compatible/scripted', '--price', '3,0.3,15', '--concurrency', '1'];
    const started = await run('start', 'How?', '--title', 'Waiting', ...model, '--max-depth', '2', '--size', 'all');
    assert.equal(started.code, 0, started.stdout + started.stderr);
    assert.ok(
      server.log.some(({ body }) => body.includes('"tool_call_id"')),
      'tools were used',
    );
  });
  after(async () => {
    await server.close();
    await workspace.remove();
  });
  const state = (): string => join(workspace.folder, '.state');
  const run = (...args: string[]): Promise<CliEnd> =>
    runCli(args, { cwd: workspace.folder, env: { XDG_STATE_HOME: state(), THOUGHT_TREE_BASE_URL: server.baseUrl } });
  const remembered = (): Promise<string[]> => readdir(join(state(), 'thought-tree', 'searches'));

  it('has every answer in its own words where models were offered tools and used them, at the same bill', async () => {
    const [asked, known] = [server.log.length, await remembered()];
    const { comparison, recorded, estimated } = JSON.parse((await run('what-if', DIR, '--json')).stdout);
    const { a, b, changed, alone } = comparison;
    assert.deepEqual([changed, alone, estimated], [[], [], 0]);
    assert.deepEqual([b.calls, b.tokens, b.usd.toFixed(6), recorded], [a.calls, a.tokens, a.usd.toFixed(6), a.calls]);
    const { results } = JSON.parse((await run('status', DIR, '--json')).stdout);
    assert.equal(a.tokens, results.tokens.prompt + results.tokens.completion);
    assert.equal(server.log.length, asked, 'nobody is asked');
    assert.deepEqual(await remembered(), known, 'what was only played is no search of this person');
  });

  it('writes over no prompt of a search that it may not be kept in', async () => {
    const [mine, theirs] = [join(workspace.folder, 'thought-trees', 'mine'), join(workspace.folder, DIR)];
    await cp(theirs, mine, { recursive: true });
    for (const [folder, text] of [
      [mine, 'Mine: {{title}}'],
      [theirs, 'Theirs: {{title}}'],
    ] as const) {
      await mkdir(join(folder, 'prompts'));
      await writeFile(join(folder, 'prompts', 'document.md'), text);
    }
    const { code, stderr } = await run('what-if', DIR, '--dir', 'thought-trees/mine');
    assert.notEqual(code, 0);
    assert.match(stderr, /There is a search in/);
    assert.equal(await readFile(join(mine, 'prompts', 'document.md'), 'utf8'), 'Mine: {{title}}');
  });
});
