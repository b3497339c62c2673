import './use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Model, wrappedModel } from '../../../src/core/ports/model.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import type { RunRequest } from '../../../src/extension/library/run-request.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import type { Task } from '../../../src/kinds/thoughts/tasks/task.ts';
import { systemClock } from '../../../src/store/system-ports.ts';
import { simulatedModel } from '../../support/models/simulated-model.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { fake } from './fake-vscode.ts';
import { sampleSearch } from './sidebar/sample.ts';

const { approveForecast } = await import('../../../src/extension/library/open-run.ts');
const { followForecast } = await import('../../../src/extension/library/followed-search.ts');
const { GraphSource } = await import('../../../src/extension/panel/graph-source.ts');
const { hooksFor } = await import('../../../src/extension/commands/task-hooks.ts');
const { settingsFor } = await import('../../../src/extension/settings.ts');

const workspace = mkdtempSync(join(tmpdir(), 'thought-tree-money-'));
after(() => rmSync(workspace, { recursive: true, force: true }));
beforeEach(() => fake.reset());

const FILE: SearchFile = { version: 1, kind: 'research', title: 'Slow', prompt: 'Why is it slow?', options: {} };
const REQUEST: RunRequest = {
  place: { workspace, folder: join(workspace, 'thought-trees/slow') },
  model: 'x/y',
  create: FILE,
};
const model = (more: Partial<Model>): Model => ({ name: 'x/y', label: 'Y', free: false, ...more }) as Model;
const PRICE = { prompt: 1, cached: 0.1, completion: 5 };

describe('being asked about money', () => {
  it('happens above the person’s limit, with the forecast', async () => {
    fake.settings = { 'thoughtTree.askAbove': 0.01 };
    fake.answer = () => 'Begin';
    await approveForecast(KINDS, REQUEST, model({ price: PRICE }), undefined);
    assert.equal(fake.messages.length, 1);
    assert.match(fake.messages[0] ?? '', /^This search may cost up to \$[\d.]+; you want to be asked above \$0\.01\.$/);
  });

  it('cancels if the answer is no', async () => {
    fake.settings = { 'thoughtTree.askAbove': 0 };
    await assert.rejects(approveForecast(KINDS, REQUEST, model({ price: PRICE }), undefined), { reason: 'declined' });
  });

  it('happens if the price is unknown', async () => {
    fake.settings = { 'thoughtTree.askAbove': 1000 };
    fake.answer = () => 'Begin';
    await approveForecast(KINDS, REQUEST, model({}), undefined);
    assert.match(fake.messages[0] ?? '', /^The cost of this search is unknown/);
  });

  it('does not happen below it, without a limit, or for a free search', async () => {
    await approveForecast(KINDS, REQUEST, model({}), undefined);
    fake.settings = { 'thoughtTree.askAbove': 1000 };
    await approveForecast(KINDS, REQUEST, model({ price: PRICE }), undefined);
    fake.settings = { 'thoughtTree.askAbove': 0 };
    await approveForecast(KINDS, REQUEST, model({ free: true }), undefined);
    assert.deepEqual(fake.messages, []);
  });
});

describe('the forecast of a search that runs here', () => {
  const band = (likely: number) => ({ low: likely / 2, likely, high: likely * 2 });
  const figures = (usd: number | undefined, minutes: number) => ({
    calls: band(40),
    tokens: band(1000),
    usd: usd === undefined ? undefined : band(usd),
    minutes: band(minutes),
    seen: { past: 0, own: 0 },
  });
  const told = (usd?: number) =>
    new GraphSource(sampleSearch({ forecast: () => ({ left: figures(usd, 3), whole: figures(usd, 9) }) }), KINDS)
      .summary;

  it('is shown in the panel in dollars, else in tokens, with the minutes that are left', () => {
    assert.deepEqual(told(0.5).forecast, { unit: 'usd', low: 0.25, likely: 0.5, high: 1, minutes: 3 });
    assert.deepEqual(told().forecast, { unit: 'tokens', low: 500, likely: 1000, high: 2000, minutes: 3 });
    assert.equal(
      new GraphSource(sampleSearch(), KINDS).summary.forecast,
      undefined,
      'it costs nothing, or runs elsewhere',
    );
  });

  it('falls as it progresses', async () => {
    const folder = join(workspace, 'thought-trees/followed');
    const place = { workspace, folder };
    const { searches } = await import('../../../src/searches/searches.ts');
    const answers = simulatedModel({ tree: scriptedTree(), clock: systemClock });
    const opened = await searches.open({
      kinds: KINDS,
      place,
      openModel: async () => wrappedModel(answers, { price: PRICE }),
      create: { ...FILE, options: { size: 'small' } },
    });
    const { search, model: asked, judge } = opened;
    const forecast = await followForecast(KINDS, place, search, { model: asked, judge });
    const before = forecast?.();
    await search.run();
    await search.close();
    const later = await followForecast(KINDS, place, search, { model: asked, judge });
    assert.ok((before?.left.calls.likely ?? 0) > 20);
    assert.ok((later?.().left.calls.likely ?? Infinity) < 3);
    const free = wrappedModel(answers, { free: true });
    assert.equal(await followForecast(KINDS, place, search, { model: free, judge: undefined }), undefined);
  });
});

describe('prices of the settings', () => {
  it('count only if complete: an incomplete one does not mean free', () => {
    fake.settings = {
      'thoughtTree.prices': {
        'a/whole': PRICE,
        'a/uncached': { prompt: 2, completion: 4 },
        'a/half': { prompt: 2 },
        'a/less': { prompt: -1, completion: 1 },
        'a/text': { prompt: '1', completion: 1 },
        'a/nothing': null,
      },
    };
    assert.deepEqual(settingsFor(undefined).prices, {
      'a/whole': PRICE,
      'a/uncached': { prompt: 2, cached: 2, completion: 4 },
    });
  });
});

describe('the command that decides', () => {
  const file = { ...FILE, kind: 'thoughts', options: { task: 'command' } };

  it('is shown word for word for consent, and used after that', async () => {
    fake.settings = { 'thoughtTree.checkCommand': ['node', '-e', 'process.exit(0)'] };
    await assert.rejects(hooksFor(KINDS, file, workspace), { reason: 'bad-input' });
    fake.answer = () => 'Run It';
    const task = (await hooksFor(KINDS, file, workspace))?.('command') as Task | undefined;
    const path = { problem: 'p', thoughts: [{ content: 't' }] };
    assert.equal(await task?.solved?.(path, new AbortController().signal), true);
  });

  it('comes only from the settings', async () => {
    await assert.rejects(hooksFor(KINDS, file, workspace), {
      reason: 'bad-input',
      message: /thoughtTree\.checkCommand/,
    });
    assert.deepEqual(fake.messages, [], 'there is nothing to ask about');
  });

  it('concerns no other task', async () => {
    assert.equal(await hooksFor(KINDS, FILE, workspace), undefined);
  });
});
