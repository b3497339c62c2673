import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import '../use-fake-vscode.ts';
import { writeLauncher } from '../../../../src/extension/agents/mcp-launcher.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { Uri } from '../fake-vscode.ts';

const { configurationFor, MCP_CLIENTS } = await import('../../../../src/extension/agents/mcp-configuration.ts');

type Context = Parameters<typeof writeLauncher>[0];

describe('what other programs start', () => {
  let home: string;
  const install = (version: string): string => {
    const folder = join(home, 'extensions', `thought-tree.thought-tree-${version}`);
    mkdirSync(join(folder, 'dist'), { recursive: true });
    const said = `console.log(${JSON.stringify(version)}, ...process.argv.slice(2))`;
    writeFileSync(join(folder, 'dist', 'cli.cjs'), said);
    return folder;
  };
  const contextOf = (extensionPath: string): Context =>
    ({
      globalStorageUri: Uri.file(join(home, 'it’s "storage"')),
      extension: { id: 'thought-tree.thought-tree', extensionPath },
    }) as unknown as Context;
  beforeEach(() => {
    home = temporaryFolder('launcher');
  });
  const run = ({ command, args, env }: Awaited<ReturnType<typeof writeLauncher>>): string =>
    execFileSync(command, [...args, 'mcp', '--dir', 'a b'], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    }).trim();

  for (const platform of ['linux', 'win32'])
    it(`finds the extension after an update, whose folder has another name (${platform})`, async () => {
      const launch = await writeLauncher(contextOf(install('0.9.0')), process.execPath, platform);
      assert.equal(run(launch), '0.9.0 mcp --dir a b');
      install('0.10.0');
      assert.equal(run(launch), '0.9.0 mcp --dir a b', 'as long as it is there');
      rmSync(join(home, 'extensions', 'thought-tree.thought-tree-0.9.0'), { recursive: true });
      assert.equal(run(launch), '0.10.0 mcp --dir a b');
    });

  it('uses another Node if the editor’s has moved', async () => {
    const launch = await writeLauncher(contextOf(install('1.0.0')), join(home, 'gone', 'node'), 'linux');
    const env = { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` };
    assert.equal(execFileSync(launch.command, { env, encoding: 'utf8' }).trim(), '1.0.0');
  });

  it('is written again by another version, under the same path', async () => {
    const first = await writeLauncher(contextOf(install('1.0.0')), process.execPath, 'linux');
    const { mtimeMs } = statSync(first.command);
    assert.deepEqual(await writeLauncher(contextOf(install('1.0.0')), process.execPath, 'linux'), first);
    assert.equal(statSync(first.command).mtimeMs, mtimeMs, 'nothing is written where nothing has changed');
    renameSync(join(home, 'extensions'), join(home, 'moved'));
    const moved = join(home, 'moved', 'thought-tree.thought-tree-1.0.0');
    const second = await writeLauncher(contextOf(moved), process.execPath, 'linux');
    assert.deepEqual(second, first);
    assert.equal(run(second), '1.0.0 mcp --dir a b');
  });

  it('says so where the extension is gone', async () => {
    const launch = await writeLauncher(contextOf(install('1.0.0')), process.execPath, 'linux');
    rmSync(join(home, 'extensions'), { recursive: true });
    assert.throws(() => run(launch), /no longer installed/);
  });

  it('is named in the words of each client', () => {
    const launch = { command: '/storage/mcp/thought-tree-mcp', args: [], env: {} };
    const said = MCP_CLIENTS.map((client) => [
      client.file,
      JSON.parse(
        configurationFor(client, launch, { workspace: '/home/me/project', folder: 'trees/of mine', more: [] }),
      ),
    ]);
    const command = '/storage/mcp/thought-tree-mcp';
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the clients fill it in
    const open = ['mcp', '--dir', '${workspaceFolder}', '--folder', '${workspaceFolder}/trees/of mine'];
    assert.deepEqual(Object.fromEntries(said), {
      '.vscode/mcp.json': { servers: { 'thought-tree': { type: 'stdio', command, args: open } } },
      '.mcp.json': {
        mcpServers: {
          'thought-tree': {
            command,
            args: ['mcp', '--dir', '/home/me/project', '--folder', '/home/me/project/trees/of mine'],
          },
        },
      },
      '.cursor/mcp.json': { mcpServers: { 'thought-tree': { command, args: open } } },
      '.copilot/mcp-config.json': {
        mcpServers: {
          'thought-tree': {
            type: 'local',
            tools: ['*'],
            command,
            args: ['mcp', '--dir', '/home/me/project', '--folder', '/home/me/project/trees/of mine'],
          },
        },
      },
    });
  });

  it('writes nothing outside of its folder', async () => {
    const { command } = await writeLauncher(contextOf(install('1.0.0')), process.execPath, 'linux');
    assert.match(readFileSync(command, 'utf8'), /^#!\/bin\/sh\n/);
    assert.ok(command.startsWith(home));
  });
});
