import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake, Uri, workspace } from '../fake-vscode.ts';

const { clientsBeside, copyMcpConfiguration } = await import('../../../../src/extension/agents/mcp-configuration.ts');

describe('the configuration for other programs', () => {
  let folder: string;
  const context = (): vscode.ExtensionContext =>
    ({
      globalStorageUri: Uri.file(temporaryFolder('mcp-storage')),
      extension: { id: 'thought-tree.thought-tree', extensionPath: '/ext/thought-tree.thought-tree-1.0.0' },
    }) as unknown as vscode.ExtensionContext;
  /** Picks a program, and lets its file be written. */
  const add = async (program: string, replace?: string): Promise<void> => {
    fake.answer = (asked) => {
      if (Array.isArray(asked)) return asked.find(({ label }: { label: string }) => label === program);
      return /^Replace/.test(String(asked)) ? replace : 'Add It There';
    };
    await copyMcpConfiguration(context());
  };
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);

  beforeEach(() => {
    fake.reset();
    folder = temporaryFolder('mcp');
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'project' }];
  });
  after(() => {
    workspace.workspaceFolders = [];
  });

  it('is copied, and only on request written into the file that it belongs into', async () => {
    fake.answer = (asked) =>
      Array.isArray(asked) ? asked.find(({ label }: { label: string }) => label === 'Claude Code') : undefined;
    await copyMcpConfiguration(context());
    assert.ok(!existsSync(join(folder, '.mcp.json')));
    const { mcpServers } = JSON.parse(fake.clipboard);
    assert.deepEqual(mcpServers['thought-tree'].args, ['mcp', '--dir', folder]);
    await add('Claude Code');
    assert.deepEqual(Object.keys(JSON.parse(read('.mcp.json')).mcpServers), ['thought-tree']);
    await add('Cursor');
    assert.deepEqual(Object.keys(JSON.parse(read('.cursor/mcp.json')).mcpServers), ['thought-tree']);
  });

  it('is merged into what is there, which stays as it is', async () => {
    write(
      '.mcp.json',
      '{\r\n\t"note": [1],\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" }\r\n\t},\r\n\t"last": true\r\n}\r\n',
    );
    await add('Claude Code');
    const text = read('.mcp.json');
    assert.match(text, /^\{\r\n\t"note": \[\r\n\t\t1\r\n\t\],\r\n\t"mcpServers": \{\r\n\t\t"other": \{/);
    const { mcpServers, ...others } = JSON.parse(text);
    assert.deepEqual([Object.keys(mcpServers), others], [['other', 'thought-tree'], { note: [1], last: true }]);
  });

  it('replaces an entry of the same name only where the person says so', async () => {
    const before = '{ "mcpServers": { "thought-tree": { "command": "mine" } } }';
    write('.mcp.json', before);
    await add('Claude Code');
    assert.equal(read('.mcp.json'), before);
    await add('Claude Code', 'Replace');
    assert.notEqual(JSON.parse(read('.mcp.json')).mcpServers['thought-tree'].command, 'mine');
  });

  it('changes nothing that it cannot read, and nothing elsewhere', async () => {
    for (const before of ['// Mine\n{}\n', '[]', '{"mcpServers": []}', '{"mcpServers": {']) {
      write('.mcp.json', before);
      await assert.rejects(add('Claude Code'), { reason: 'bad-input' });
      assert.equal(read('.mcp.json'), before);
    }
    const elsewhere = temporaryFolder('mcp-elsewhere');
    symlinkSync(elsewhere, join(folder, '.cursor'), 'junction');
    await assert.rejects(add('Cursor'), { reason: 'outside' });
    assert.ok(!existsSync(join(elsewhere, 'mcp.json')));
  });

  it('names the own file of VS Code only below the version that reads the common one', () => {
    const names = (version: string): string[] => clientsBeside(version).map(({ name }) => name);
    assert.deepEqual(names('1.139.1'), ['VS Code', 'Claude Code', 'Cursor', 'GitHub Copilot CLI']);
    assert.deepEqual(names('1.140.0'), ['Claude Code', 'Cursor', 'GitHub Copilot CLI']);
    assert.deepEqual(names('1.148.2-insider'), ['Claude Code', 'Cursor', 'GitHub Copilot CLI']);
  });
});
