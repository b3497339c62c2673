import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventsOf, extension, pauseNow, searchFolder, stateOf, until } from './editor.ts';

interface Scripted {
  readonly requests: {
    readonly model: string;
    readonly texts: readonly string[];
    readonly results: readonly string[];
    readonly cancelled: boolean;
  }[];
  readonly options: { delay: number; depth: number; fanout: number };
}

describe("a search on another extension's model", () => {
  let scripted: Scripted;
  const start = (prompt: string, id: string) =>
    extension().exports.start({ prompt, model: `vscode/${id}`, size: 'small' });

  before(async () => {
    await extension().activate();
    const provider = vscode.extensions.getExtension<Scripted>('thought-tree-test.scripted-models');
    assert.ok(provider, 'the second extension is not there');
    scripted = await provider.activate();
  });
  beforeEach(() => {
    scripted.requests.length = 0;
    Object.assign(scripted.options, { delay: 0, depth: 2, fanout: 2 });
  });

  it('runs to its end, each call limited and its tokens counted by the model', async () => {
    const folder = await start('What is slow?', 'scripted-1');
    await stateOf(folder, 'finished');
    const [started] = await eventsOf(folder, 'search-started');
    assert.equal(started?.model, 'vscode/scripted-1');
    assert.equal(started?.limits.guards.calls, 50);
    const ended = await eventsOf(folder, 'call-ended');
    assert.equal(ended.length, scripted.requests.length);
    assert.deepEqual(new Set(ended.map(({ outcome }) => outcome)), new Set(['tools', 'ok']));
    const count = (text: string): number => Math.ceil(text.length / 4);
    const sent = scripted.requests.flatMap(({ texts }) => texts.map(count)).reduce((sum, tokens) => sum + tokens, 0);
    assert.equal(
      ended.reduce((sum, { usage }) => sum + (usage?.prompt ?? 0), 0),
      sent,
    );
    assert.ok(ended.every(({ usage }) => (usage?.completion ?? 0) > 0));
  });

  it('begins every conversation with the same system text', async () => {
    const folder = await start('What is fast?', 'scripted-1');
    await stateOf(folder, 'finished');
    const begins = scripted.requests.map(({ texts }) => texts[0] ?? '');
    const [shortest = ''] = begins.toSorted((a, b) => a.length - b.length);
    let same = 0;
    while (same < shortest.length && begins.every((text) => text[same] === shortest[same])) same++;
    assert.match(shortest.slice(0, same), /What is fast\?.*\n\n/s);
    assert.ok(same > 500, `only the first ${same} characters are the same`);
  });

  it('cancels its requests when it is paused now, and continues from there', async () => {
    scripted.options.delay = 60_000;
    const folder = await start('What is stopped?', 'scripted-1');
    await until('a request', () => scripted.requests.length > 0);
    await pauseNow(folder);
    await stateOf(folder, 'paused');
    await until('every request is cancelled', () => scripted.requests.every(({ cancelled }) => cancelled));
    await until('it is over', () => !extension().exports.isRunning(folder));
    scripted.options.delay = 0;
    await vscode.commands.executeCommand('thoughtTree.resume', { folder });
    await stateOf(folder, 'finished');
  });

  it('lets the model read the workspace with tools, where the settings say so', async () => {
    const config = vscode.workspace.getConfiguration('thoughtTree');
    await config.update('tools', true, vscode.ConfigurationTarget.Global);
    try {
      const folder = await start('What is read?', 'scripted-1');
      await stateOf(folder, 'finished');
      const used = await eventsOf(folder, 'tool-used');
      const documents = (await eventsOf(folder, 'call-ended')).filter((call) => call.outcome === 'tools');
      assert.ok(used.length > 0);
      assert.equal(used.length, documents.length);
      assert.deepEqual(
        [...new Set(used.map(({ tool, what, isRefused }) => `${tool} ${what} ${isRefused}`))],
        ['list src false'],
      );
      const results = scripted.requests.flatMap((request) => request.results);
      assert.equal(results.length, used.length);
      assert.ok(results.every((text) => text.startsWith('src/')));
    } finally {
      await config.update('tools', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('is told that a model refuses', async () => {
    const folder = await start('What is refused?', 'refusing');
    const [ended] = await until('the first refusal', async () => {
      const calls = await eventsOf(folder, 'call-ended');
      return calls.length > 0 ? calls : undefined;
    });
    assert.equal(ended?.outcome, 'refused');
    assert.match(ended?.message ?? '', /Scripted, refusing: This model refuses everything\./);
    await pauseNow(folder);
    await stateOf(folder, 'paused');
  });

  it('is not begun on a model that is not there', async () => {
    await assert.rejects(start('What is missing?', 'no-such'), {
      reason: 'unknown-model',
      message: 'The editor has no model "no-such". Choose one with Select Model.',
    });
    assert.equal(existsSync(searchFolder('what-is-missing')), false, 'a search was left behind');
  });
});
