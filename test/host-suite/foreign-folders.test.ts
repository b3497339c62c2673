import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Forged, forgeSearch, NO_LIMITS } from '../support/searches/forged-search.ts';
import { type ScriptedServer, startScriptedServer } from '../support/servers/scripted-server.ts';
import { scriptedTree } from '../support/servers/server-tree.ts';
import { answering, eventsOf, extension, searchFolder, stateOf, until, workspace } from './editor.ts';

const MODEL = 'openai-compatible/dear';
const begun = (more: object = {}): object => ({ type: 'search-started', model: MODEL, limits: NO_LIMITS, ...more });

describe('a folder that came from somebody else, in a trusted window', () => {
  let server: ScriptedServer;
  const configure = (name: string, value: unknown) =>
    vscode.workspace.getConfiguration('thoughtTree').update(name, value, vscode.ConfigurationTarget.Global);
  /** One click, and what it asked or failed with; every question gets this answer. What is only told may come at any time. */
  async function click(command: string, folder: string, answer?: string): Promise<string[]> {
    const asked: string[] = [];
    const say = (message: string): string | undefined => {
      asked.push(message);
      return answer;
    };
    const ask = (message: string, how?: { modal?: boolean }) => (how?.modal ? say(message) : undefined);
    await answering({ showWarningMessage: ask, showErrorMessage: say }, () =>
      vscode.commands.executeCommand(command, { folder, path: '' }),
    );
    return asked;
  }
  async function forge(slug: string, forged: Forged): Promise<string> {
    const folder = searchFolder(slug);
    await forgeSearch(folder, forged);
    const isListed = () =>
      extension()
        .exports.searches()
        .some((each) => each.folder === folder);
    await until(`${slug} is listed`, isListed);
    return folder;
  }
  const ended = (folder: string) => until('it ended', () => !extension().exports.isRunning(folder));

  before(async () => {
    await extension().activate();
    server = await startScriptedServer({ answer: scriptedTree({ fanout: () => 4, documentWords: 20 }).answer });
    await configure('baseUrl', server.baseUrl);
    await configure('maxCalls', 5);
  });
  after(async () => {
    await configure('baseUrl', undefined);
    await configure('maxCalls', undefined);
    await server.close();
  });

  it('calls nobody by one click: the model that its journal names is asked about', async () => {
    const folder = await forge('forged-model', { journal: [begun()] });
    const [question, ...more] = await click('thoughtTree.resume', folder);
    assert.match(question ?? '', /names the model openai-compatible\/dear, which you have not used here/);
    assert.deepEqual(more, []);
    assert.ok(!extension().exports.isRunning(folder));
    assert.deepEqual(server.log, []);
    await click('thoughtTree.finish', folder);
    assert.deepEqual(server.log, []);
  });

  it('raises no limit of the person, once they agree to its model', async () => {
    const folder = await forge('forged-limits', { options: { concurrency: 50, tools: true }, journal: [begun()] });
    const calls = server.log.length;
    await click('thoughtTree.resume', folder, 'Use It');
    await ended(folder);
    const [resumed] = await eventsOf(folder, 'search-resumed');
    assert.equal(resumed?.limits.guards.calls, 5);
    assert.equal(resumed?.limits.size, 'medium');
    assert.ok(server.log.length - calls <= 5, `${server.log.length - calls} calls`);
    assert.ok(server.log.every(({ body }) => !body.includes('"tools"')));
    assert.deepEqual(await click('thoughtTree.resume', folder), [], 'it is asked about once');
    await ended(folder);
  });

  it('gets no code of its run: the SDK of an agent is asked about', async () => {
    const marker = join(workspace(), 'loaded');
    const at = 'node_modules/@anthropic-ai/claude-agent-sdk';
    const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''); exports.query = () => {};`;
    const sdk = {
      [`../../${at}/package.json`]: { name: '@anthropic-ai/claude-agent-sdk', main: 'index.cjs' },
      [`../../${at}/index.cjs`]: code,
    };
    const folder = await forge('forged-agent', { journal: [begun({ model: 'claude/sonnet' })], files: sdk });
    const asked = await click('thoughtTree.resume', folder, 'Use It');
    assert.match(asked.join('\n'), /names the model claude\/sonnet/);
    assert.match(asked.join('\n'), /The Claude Agent SDK was found in this workspace/);
    assert.ok(!existsSync(marker));
    await rm(join(workspace(), 'node_modules/@anthropic-ai'), { recursive: true });
  });

  it('continues without a question where the person began it, and after one where it was moved or copied', async () => {
    const folder = await extension().exports.start({ prompt: 'Whose is it?', model: MODEL });
    await stateOf(folder, 'paused');
    assert.deepEqual(await click('thoughtTree.resume', folder), []);
    await ended(folder);
    const [moved, copied] = [searchFolder('moved'), searchFolder('copied')];
    await cp(folder, copied, { recursive: true });
    await rename(folder, moved);
    for (const other of [moved, copied]) {
      await until('it is listed', () =>
        extension()
          .exports.searches()
          .some((each) => each.folder === other),
      );
      assert.equal((await click('thoughtTree.resume', other)).length, 1);
      assert.equal((await click('thoughtTree.resume', other, 'Use It')).length, 1);
      await ended(other);
      assert.deepEqual(await click('thoughtTree.resume', other), []);
      await ended(other);
    }
  });
});
