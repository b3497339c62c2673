import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import '../use-fake-vscode.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake, Uri, workspace } from '../fake-vscode.ts';
import { keysIn } from '../models/fake-keys.ts';

const { McpServers } = await import('../../../../src/extension/agents/mcp-servers.ts');

const EXTENSION = { extensionPath: '/ext/tt-1.0.0', packageJSON: { version: '1.0.0' } } as vscode.Extension<unknown>;

describe('the MCP server that the editor is offered', () => {
  const folder = (path: string) => ({ uri: Uri.file(path), name: path.slice(1) });
  const secrets = new Map<string, string>();
  const keys = keysIn(secrets);
  const servers = new McpServers(EXTENSION, keys);

  beforeEach(() => {
    fake.reset();
    secrets.clear();
    workspace.workspaceFolders = [folder('/home/me/project')];
  });
  after(() => {
    workspace.workspaceFolders = [];
  });

  it('runs on the editor’s own Node, for the folder that is open, and holds no key', async () => {
    await keys.set('https://api.openai.com/v1', 'sk-one');
    const [server, ...more] = await servers.provideMcpServerDefinitions();
    assert.equal(more.length, 0);
    assert.equal(server?.command, process.execPath);
    const args = ['mcp', '--dir', '/home/me/project', '--folder', '/home/me/project/thought-trees', '--beside-window'];
    assert.deepEqual(server.args.slice(1), args);
    assert.match(server.args[0] ?? '', /tt-1\.0\.0.dist.cli\.cjs$/);
    assert.deepEqual(server.env, { ELECTRON_RUN_AS_NODE: '1' });
    assert.equal(server.version, '1.0.0');
  });

  it('is not offered in restricted mode, nor without a folder', async () => {
    workspace.isTrusted = false;
    assert.deepEqual(await servers.provideMcpServerDefinitions(), []);
    workspace.isTrusted = true;
    workspace.workspaceFolders = [];
    assert.deepEqual(await servers.provideMcpServerDefinitions(), []);
  });

  it('is one for each folder, with a name of its own', async () => {
    workspace.workspaceFolders = [folder('/one'), folder('/two')];
    const labels = (await servers.provideMcpServerDefinitions()).map(({ label }) => label);
    assert.deepEqual(labels, ['Thought Tree (one)', 'Thought Tree (two)']);
  });

  it('gets the person’s model and keys when it starts', async () => {
    await keys.set('https://api.openai.com/v1', 'sk-one');
    fake.settings['thoughtTree.model'] = 'openai/gpt-5-mini';
    const [server] = await servers.provideMcpServerDefinitions();
    assert.ok(server);
    const { env } = await servers.resolveMcpServerDefinition(server);
    assert.deepEqual(env, {
      ELECTRON_RUN_AS_NODE: '1',
      OPENAI_API_KEY: 'sk-one',
      THOUGHT_TREE_MODEL: 'openai/gpt-5-mini',
    });
  });

  it('does not start where its folder is a link that came with the workspace', async () => {
    const linked = temporaryFolder('mcp-linked');
    symlinkSync(temporaryFolder('mcp-elsewhere'), join(linked, 'kept'), 'junction');
    workspace.workspaceFolders = [folder(linked)];
    fake.settings['thoughtTree.folder'] = 'kept/trees';
    const [server] = await servers.provideMcpServerDefinitions();
    assert.ok(server);
    await assert.rejects(servers.resolveMcpServerDefinition(server), /kept is a link to another folder/);
  });

  it('gets only the key of an address where the model has one', async () => {
    await keys.set('https://api.openai.com/v1', 'sk-one');
    await keys.set('https://gateway.example/v1', 'sk-two');
    fake.settings['thoughtTree.model'] = 'openai/gpt-5-mini';
    fake.settings['thoughtTree.servers'] = { openai: 'https://gateway.example/v1' };
    const [server] = await servers.provideMcpServerDefinitions();
    assert.ok(server);
    const { env } = await servers.resolveMcpServerDefinition(server);
    assert.deepEqual(env, {
      ELECTRON_RUN_AS_NODE: '1',
      THOUGHT_TREE_API_KEY: 'sk-two',
      THOUGHT_TREE_BASE_URL: 'https://gateway.example/v1',
      THOUGHT_TREE_MODEL: 'openai/gpt-5-mini',
    });
  });

  for (const [why, key, value] of [
    ['of the editor, which the window alone can run', 'settings', 'vscode/gpt-5-mini'],
    ['that only the workspace names', 'workspaceSettings', 'openai/brought'],
  ] as const)
    it(`gets no model ${why}`, async () => {
      fake[key]['thoughtTree.model'] = value;
      const [server] = await servers.provideMcpServerDefinitions();
      assert.ok(server);
      assert.equal((await servers.resolveMcpServerDefinition(server)).env['THOUGHT_TREE_MODEL'], undefined);
    });
});
