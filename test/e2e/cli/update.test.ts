import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { type CliEnd, makeWorkspace, runCli } from './run-cli.ts';

const DIR = 'thought-trees/waiting';
const tree = scriptedTree({ seed: 5, fanout: (_, depth) => [3, 2, 2][depth] ?? 0, documentWords: 20 });

describe('thought-tree update', () => {
  let server: ScriptedServer;
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  let state: string;
  beforeEach(async () => {
    server = await startScriptedServer({ answer: tree.answer, cost: () => 0.01 });
    workspace = await makeWorkspace();
    state = join(workspace.folder, '.state');
  });
  afterEach(async () => {
    await server.close();
    await workspace.remove();
  });
  const run = (...args: string[]): Promise<CliEnd> =>
    runCli(args, { cwd: workspace.folder, env: { XDG_STATE_HOME: state, THOUGHT_TREE_BASE_URL: server.baseUrl } });
  const start = (...args: string[]): Promise<CliEnd> => {
    const model = ['--model', 'openai-compatible/scripted', '--price', '3,0.3,15'];
    return run('start', 'How?', '--title', 'Waiting', ...model, '--max-depth', '3', ...args);
  };
  const document = (path: string): string => join(workspace.folder, DIR, path, 'document.md');
  const askedFrom = (from: number): string[] => server.log.slice(from).map(({ purpose, node }) => `${purpose} ${node}`);
  /** A topic of the first level below which something is written, and that. */
  const branch = async (): Promise<{ top: string; below: string[] }> => {
    const { nodes } = JSON.parse((await run('status', DIR, '--json')).stdout);
    const written = (nodes as { path: string; status: string }[])
      .filter(({ path, status }) => path.includes('/') && status !== 'unexpanded')
      .map(({ path }) => path);
    const [top = ''] = (written[0] as string).split('/');
    return { top, below: written.filter((path) => path.startsWith(`${top}/`)) };
  };

  it('writes only what is below an edit of now, of a search that has more to do, at the price that it said', async () => {
    await start('--size', 'all', '--max-calls', '9');
    const { top, below: old } = await branch();
    await run('grow', DIR, '--max-calls', '100');
    await appendFile(document(top), '\nI know better.\n');
    const { nodes, spent } = JSON.parse((await run('update', DIR, '--json')).stdout);
    assert.deepEqual(
      nodes.map(({ path }: { path: string }) => path),
      old,
    );
    assert.deepEqual([spent.calls, spent.usd.toFixed(4)], [old.length, (old.length / 100).toFixed(4)]);
    const before = server.log.length;
    const { code, stdout, stderr } = await run('update', DIR, '--yes', '--price', '3,0.3,15');
    assert.equal(code, 0, stdout + stderr);
    // What comes next may be ranked meanwhile; nothing else is asked.
    assert.deepEqual(
      askedFrom(before)
        .filter((asked) => asked !== 'pick ')
        .sort(),
      old.map((path) => `document ${path}`).sort(),
    );
    assert.match(await readFile(document(top), 'utf8'), /I know better/);
    assert.deepEqual(JSON.parse((await run('update', DIR, '--json')).stdout).nodes, []);
    // What they cost is what they cost the last time, however often they were written.
    await appendFile(document(top), '\nBetter still.\n');
    assert.equal(JSON.parse((await run('update', DIR, '--json')).stdout).spent.calls, old.length);
  });

  it('leaves what a person edited, and does not count it', async () => {
    await start('--size', 'small');
    const { top, below } = await branch();
    const [mine = '', ...others] = below;
    await appendFile(document(top), '\nI know better.\n');
    await appendFile(document(mine), '\nHere, too.\n');
    const { nodes, spent } = JSON.parse((await run('update', DIR, '--json')).stdout);
    assert.equal(nodes.find(({ path }: { path: string }) => path === mine).isEdited, true);
    assert.equal(spent.calls, others.length);
    await run('update', DIR, '--yes', '--price', '3,0.3,15');
    assert.match(await readFile(document(mine), 'utf8'), /Here, too/);
  });

  it('changes nothing where its model may not be used', async () => {
    await start('--size', 'small');
    const { top, below } = await branch();
    const [child = ''] = below;
    await appendFile(document(top), '\nI know better.\n');
    const before = await readFile(document(child), 'utf8');
    state += '-of-another';
    const { code, stderr } = await run('update', DIR, '--yes', '--price', '3,0.3,15');
    assert.notEqual(code, 0);
    assert.match(stderr, /--model/);
    assert.equal(await readFile(document(child), 'utf8'), before);
  });
});
