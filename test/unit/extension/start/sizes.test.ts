import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { fake, Uri, workspace } from '../fake-vscode.ts';
import { answering, folder, list, openStart, QUESTION } from './open-start.ts';

describe('the sizes of a search', () => {
  beforeEach(() => {
    fake.reset();
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'w', index: 0 }];
  });
  afterEach(() => {
    workspace.workspaceFolders = [];
  });
  const sizes = (): string[] =>
    list().flatMap((item) => ('size' in item ? [`${item.label}: ${item.description}`] : []));

  it('have the focus on one that finishes within the limit of calls, and the others say where they pause', async () => {
    fake.settings = { 'thoughtTree.model': 'vscode/gpt-5-mini' };
    const { command, runs } = openStart();
    answering(QUESTION, /Small/);
    await command.run();
    assert.deepEqual(sizes(), [
      'Small: 20 topics: within 50 calls',
      'Medium: 60 topics: pauses at 50 calls',
      'Large: 200 topics: pauses at 50 calls',
    ]);
    assert.equal(runs[0]?.limits?.guards?.calls, 50, 'a small one has room to finish');
    answering('Why is it fast?', /Medium/);
    await command.run();
    assert.equal(runs[1]?.limits?.guards?.calls, 50);
  });

  it('never exceed what the person set', async () => {
    fake.settings = { 'thoughtTree.model': 'vscode/gpt-5-mini', 'thoughtTree.maxCalls': 45 };
    const { command, runs } = openStart();
    answering(QUESTION, /Small/);
    await command.run();
    assert.equal(sizes()[0], 'Small: 20 topics: within 45 calls');
    assert.equal(runs[0]?.limits?.guards?.calls, 45);
  });

  it('have the focus on the usual one where all fit, and say in plain figures where they do not', async () => {
    fake.settings = { 'thoughtTree.model': 'openai/gpt-5-mini', 'thoughtTree.maxTokens': 300_000 };
    const { command } = openStart();
    answering(QUESTION, undefined);
    await command.run();
    assert.match(sizes()[0] ?? '', /^Small.*within 1000 calls/);
    assert.match(sizes().find((each) => /Large/.test(each)) ?? '', /pauses at 300,000 tokens/);
    fake.settings = { 'thoughtTree.model': 'workspace/quotes' };
    answering(QUESTION, undefined);
    await command.run();
    assert.deepEqual(
      list().flatMap((item) => ('size' in item ? [item.detail] : [])),
      ['free', 'free', 'free', 'free'],
    );
    assert.match(fake.quickPick?.activeItems[0]?.label ?? '', /^Medium/);
  });
});
