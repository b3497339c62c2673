import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findingsIn } from '../../src/core/search/record/search-state.ts';
import type { StartRequest } from '../../src/extension/start/start-request.ts';
import { answering, eventsOf, extension, pauseNow, searchFolder, stateOf, until } from './editor.ts';

describe('a search for a solution', () => {
  const configure = (name: string, value: unknown) =>
    vscode.workspace.getConfiguration('thoughtTree').update(name, value, vscode.ConfigurationTarget.Global);
  const start = (request: StartRequest): Promise<string> => extension().exports.start(request);

  before(async () => {
    await extension().activate();
    await vscode.extensions.getExtension('thought-tree-test.scripted-models')?.activate();
  });
  afterEach(async () => {
    for (const name of ['askAbove', 'prices', 'judgeModel', 'checkCommand']) await configure(name, undefined);
  });

  it("goes to its answer on one of the editor's models, which the task writes down", async () => {
    const folder = await start({
      prompt: '4 9 10 13',
      kind: 'thoughts',
      options: { task: 'game24' },
      model: 'vscode/scripted-1',
    });
    await stateOf(folder, 'finished');
    const [finished] = await eventsOf(folder, 'search-finished');
    assert.equal(finished?.reason, 'solved');
    const answer = (finished && findingsIn(finished.results, 'thoughts')?.answer) ?? '';
    assert.match(answer, / = 24$/);
    const report = await readFile(join(folder, 'report.md'), 'utf8');
    assert.ok(report.replaceAll('\\', '').includes(answer));
  });

  it('asks above the person’s limit, and begins nothing if the answer is no', async () => {
    await configure('askAbove', 0.001);
    await configure('prices', { 'vscode/scripted-1': { prompt: 5, cached: 0.5, completion: 25 } });
    const asked: string[] = [];
    const no = (message: string): undefined => void asked.push(message);
    await answering({ showWarningMessage: no }, () => {
      const request = {
        prompt: '1 2 3 4',
        kind: 'thoughts',
        options: { task: 'game24' },
        model: 'vscode/scripted-1',
      } as const;
      return assert.rejects(start(request), { reason: 'declined' });
    });
    assert.match(asked.join(), /^This search may cost up to \$[\d.]+; you want to be asked above \$0\.0010\.$/);
    const searches = extension().exports.searches();
    assert.ok(!searches.some(({ folder }) => folder === searchFolder('1-2-3-4')));
  });

  it('lets another model score, as the journal says', async () => {
    await configure('judgeModel', 'vscode/refusing');
    const folder = await start({
      prompt: '4 4 6 8',
      kind: 'thoughts',
      options: { task: 'game24' },
      model: 'vscode/scripted-1',
    });
    const begun = await until('it is begun', async () => (await eventsOf(folder, 'search-started'))[0]);
    assert.equal(begun.judge, 'vscode/refusing');
    await pauseNow(folder);
    await until('it is over', () => !extension().exports.isRunning(folder));
  });

  it('runs a command only where the settings of the person name one', async () => {
    const request = {
      prompt: 'Make it pass',
      kind: 'thoughts',
      options: { task: 'command' },
      model: 'vscode/scripted-1',
    } as const;
    await assert.rejects(start(request), { reason: 'bad-input', message: /thoughtTree\.checkCommand/ });
    await configure('checkCommand', ['node', '--version']);
    const asked: string[] = [];
    const no = (message: string): undefined => void asked.push(message);
    await answering({ showWarningMessage: no }, () =>
      assert.rejects(start(request), { reason: 'bad-input', message: /node --version/ }),
    );
    assert.equal(asked.length, 1);
  });
});
