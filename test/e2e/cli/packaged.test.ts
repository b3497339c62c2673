import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { packagedExtension, unpackExtension } from '../../support/packaged-extension.ts';
import { McpClient } from '../mcp/mcp-client.ts';
import { makeWorkspace, runCli } from './run-cli.ts';

const DIST = join(import.meta.dirname, '../../../dist');
/** What the editor has, what a library tries and does without, and what another one writes into code that we do not use. */
const ELSEWHERE = /^(?:node:|vscode$|pg-native$|ajv\/dist\/runtime\/|ajv-formats\/dist\/)/;

describe('the package that people install', () => {
  let extension: string;
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  const program = (): string => join(extension, 'dist', 'cli.cjs');
  before(async () => {
    extension = unpackExtension(await packagedExtension());
  });
  beforeEach(async () => {
    workspace = await makeWorkspace();
  });
  afterEach(() => workspace.remove());

  it('has all that was built but maps, and all that its manifest names', async () => {
    const filesIn = (folder: string): string[] =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
    const built = filesIn(DIST).filter((name) => !name.endsWith('.map'));
    assert.ok(built.length > 50);
    assert.deepEqual(filesIn(join(extension, 'dist')).sort(), built.sort());
    const manifest = await readFile(join(extension, 'package.json'), 'utf8');
    const named = [...manifest.matchAll(/"((?:\.\/)?(?:dist|media|l10n)\/[\w./-]+)"/g)].map(([, name = '']) => name);
    assert.ok(named.length > 10);
    for (const name of named) assert.ok(existsSync(join(extension, name)), name);
  });

  it('has every file that its bundles load, and needs no other package', () => {
    const dist = join(extension, 'dist');
    for (const bundle of readdirSync(dist).filter((name) => name.endsWith('.cjs'))) {
      const code = readFileSync(join(dist, bundle), 'utf8');
      for (const [, name = ''] of code.matchAll(/["'`](\.\/[\w-]+\.(?:cjs|html|br|css|js))["'`]/g))
        assert.ok(existsSync(join(dist, name)), `${bundle} loads ${name}`);
      for (const [, name = ''] of code.matchAll(/\brequire\(["']([^"'.][^"']*)["']\)/g))
        assert.ok(builtinModules.includes(name) || ELSEWHERE.test(name), `${bundle}: ${name}`);
    }
  });

  it('runs a search from its command, with what cuts, ranks and draws', async () => {
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runCli(args, { cwd: workspace.folder, program: program() });
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const { version } = JSON.parse(await readFile(join(extension, 'package.json'), 'utf8'));
    assert.equal((await run('--version')).trim(), version);
    await run('start', 'How does a search wait for its model?', '--size', 'small', '--dir', 'search');
    assert.match(await readFile(join(workspace.folder, 'search', 'report.md'), 'utf8'), /src\/patience\.ts/);
    assert.match(await run('export', 'search', '--html'), /^<!DOCTYPE html>[\s\S]*<svg /);
    assert.match(await run('verify', 'search'), /Citations/);
  });

  it('serves agents, with an investigation that it counts as it goes', async () => {
    const client = await McpClient.open(['--dir', workspace.folder, '--profile', 'g1'], { program: program() });
    try {
      const { sessionId } = await client.call('tot_start', { query: 'Why?', minRoots: 1 });
      for (const id of ['R1.A', 'R2.A1']) {
        const parent = id === 'R1.A' ? null : 'R1.A';
        await client.call('tot_propose', { sessionId, nodes: [{ id, parent, title: id, plannedAction: 'Look' }] });
        await client.call('tot_commit', { sessionId, results: [{ nodeId: id, state: 'DRILL', findings: 'Looked.' }] });
      }
      const { currentRound, currentBatch } = await client.call('tot_status', { sessionId });
      assert.deepEqual([currentRound, currentBatch], [1, 2]);
      const asked = { question: 'How does a search wait?', size: 'small', wait_seconds: 40 };
      assert.equal((await client.call('tree_start', asked))['state'], 'finished');
      const { resources } = await client.library.listResources();
      const page = resources.find(({ uri }) => uri.startsWith('ui://'));
      const { contents } = await client.library.readResource({ uri: page?.uri ?? '' });
      assert.match(contents[0]?.text ?? '', /^<!DOCTYPE html>/i);
    } finally {
      await client.close();
    }
  });
});
