import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answering, extension, stateOf, until } from './editor.ts';

const KEY = 'sk-of-the-first-host';

describe('the key of a server', () => {
  let server: Server;
  let port: number;
  const asked: { host: string; authorization: string | undefined }[] = [];
  const configure = (name: string, value: unknown) =>
    vscode.workspace.getConfiguration('thoughtTree').update(name, value, vscode.ConfigurationTarget.Global);
  const baseUrl = (host: string): string => `http://${host}:${port}/v1`;
  /** Whose key is meant: that of the server in the settings. */
  const own = (items: readonly vscode.QuickPickItem[]) =>
    items.find(({ label }) => label.endsWith(' openai-compatible'));
  /** Begins a search on the server, which refuses the key, and resolves with what the first request carried. */
  const authorizationAt = async (host: string, prompt: string): Promise<string | undefined> => {
    await configure('baseUrl', baseUrl(host));
    asked.length = 0;
    const folder = await extension().exports.start({ prompt, model: 'openai-compatible/any' });
    await stateOf(folder, 'paused');
    assert.match(await readFile(join(folder, '.search/journal.jsonl'), 'utf8'), /key-refused/);
    return asked[0]?.authorization;
  };

  before(async () => {
    await extension().activate();
    server = createServer((request, response) => {
      asked.push({ host: request.headers.host ?? '', authorization: request.headers.authorization });
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await configure('baseUrl', undefined);
  });

  it('is sent to the host it was entered for, and to no other', async () => {
    await configure('baseUrl', baseUrl('127.0.0.1'));
    const titles: (string | undefined)[] = [];
    const type = (options: vscode.InputBoxOptions): string => {
      titles.push(options.title);
      assert.equal(options.password, true, 'a key is not shown');
      return ` ${KEY} `;
    };
    await answering({ showInputBox: type, showQuickPick: own }, () =>
      vscode.commands.executeCommand('thoughtTree.setApiKey'),
    );
    assert.deepEqual(titles, [`API key for http://127.0.0.1:${port}`]);
    assert.equal(await authorizationAt('127.0.0.1', 'With its key?'), `Bearer ${KEY}`);
    assert.equal(await authorizationAt('localhost', 'With no key?'), undefined);
  });

  it('is in no setting, no file of a search and no diagnostics', async () => {
    await vscode.commands.executeCommand('thoughtTree.copyDiagnostics');
    const copied = await until('a copy', async () => vscode.env.clipboard.readText());
    const { state } = JSON.parse(copied).searches[0] as { state: string };
    assert.ok(state);
    const settings = JSON.stringify(vscode.workspace.getConfiguration('thoughtTree'));
    const files = await vscode.workspace.findFiles('thought-trees/**', null);
    const texts = await Promise.all(files.map(({ fsPath }) => readFile(fsPath, 'utf8')));
    for (const text of [copied, settings, ...texts]) assert.ok(!text.includes(KEY));
    for (const secret of ['its key', '127.0.0.1', 'localhost', 'openai-compatible/any', 'thought-trees', 'workspace/'])
      assert.ok(!copied.includes(secret), `the diagnostics hold "${secret}": ${copied}`);
  });

  it('is not sent any more once it is removed', async () => {
    await configure('baseUrl', baseUrl('127.0.0.1'));
    await answering({ showInformationMessage: () => undefined, showQuickPick: own }, () =>
      vscode.commands.executeCommand('thoughtTree.removeApiKey'),
    );
    assert.equal(await authorizationAt('127.0.0.1', 'Without any key?'), undefined);
  });
});
