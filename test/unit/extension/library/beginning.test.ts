import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { foreign } from '../../../../src/core/messages/message.ts';
import type { Model } from '../../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { RunEnd } from '../../../../src/extension/library/run-request.ts';
import type { SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import type { ModelOpener } from '../../../../src/extension/models/model-opener.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { actOnSearch } from '../../../../src/searches/act-on-search.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';
import { searches } from '../../../../src/searches/searches.ts';
import { systemClock } from '../../../../src/store/system-ports.ts';
import { thoughtModel } from '../../../support/models/thought-model.ts';
import { thoughtFile } from '../../../support/searches/simulated-thoughts.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { EventEmitter, fake, workspace as fakeWorkspace } from '../fake-vscode.ts';

const { SearchRunner } = await import('../../../../src/extension/library/search-runner.ts');

const log = { info() {}, warn() {}, error() {}, debug() {} } as unknown as vscode.LogOutputChannel;

/** A window in which a problem is to be begun. */
function aWindow(model: Model = thoughtModel({ clock: systemClock })) {
  const workspace = temporaryFolder('beginning');
  const place = { folder: join(workspace, 'thought-trees', 'end'), workspace };
  const library = {
    search: () => undefined,
    scan: async () => undefined,
    tell: () => undefined,
    touch: () => undefined,
    onDidChange: new EventEmitter<object>().event,
  } as unknown as SearchLibrary;
  const models = { open: async () => model } as unknown as ModelOpener;
  const runner = new SearchRunner(library, models, log, KINDS);
  const ends: RunEnd[] = [];
  runner.onDidEnd((end) => ends.push(end));
  const create = thoughtFile({ prompt: 'Reach the end.', options: { maxDepth: 1, candidates: 2 } });
  const begin = () => runner.run({ place, model: 'ollama/m', create, showsPlan: true });
  const stateOf = async () => {
    const { state, record } = await overviewOf(KINDS, place.folder);
    return [state, record.reason?.text] as const;
  };
  return { runner, place, begin, ends, stateOf, plan: join(place.folder, 'decomposition.json') };
}

/** A model whose call for the plan never ends. */
function silent(): { model: Model; isAsked: Promise<void> } {
  const asked = Promise.withResolvers<void>();
  const model = thoughtModel({ clock: systemClock });
  const generate: Model['generate'] = (_request, { signal }) => {
    asked.resolve();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  return { model: { ...model, generate }, isAsked: asked.promise };
}

const openPlan = { ...fakeWorkspace };

describe('a search whose plan is shown before it begins', () => {
  beforeEach(() => {
    fake.reset();
    fakeWorkspace.openTextDocument = (async () => '') as never;
  });
  after(() => void Object.assign(fakeWorkspace, openPlan));

  it('is held by nobody while its plan is edited, and begins as it was edited, whenever that is', async () => {
    const { runner, place, begin, stateOf, plan, ends } = aWindow();
    fake.answer = (question) => (String(question).includes('decomposition of the problem') ? 'Edit First' : undefined);
    await assert.rejects(begin(), { reason: 'declined' });
    assert.equal(runner.isRunning(place.folder), false);
    assert.equal(await searches.isHeld(place.folder), false);
    assert.deepEqual(await stateOf(), [
      'paused',
      'decomposition.json is open for editing. Start the search when you are ready.',
    ]);
    assert.match(fake.messages.at(-1) ?? '', /^You can edit decomposition\.json of "Reach the end\."/);
    const made = JSON.parse(readFileSync(plan, 'utf8'));
    writeFileSync(plan, '{ broken');
    await assert.rejects(runner.run({ place, model: 'ollama/m', showsPlan: true }), { reason: 'declined' });
    assert.equal(ends[0]?.outcome?.state, 'paused');
    assert.match((await stateOf())[1] ?? '', /^decomposition\.json cannot be used as it is\./);
    assert.equal(readFileSync(plan, 'utf8'), '{ broken', 'what a person typed is not replaced');
    writeFileSync(plan, JSON.stringify({ ...made, constraints: ['mine'] }));
    const search = await runner.run({ place, model: 'ollama/m', showsPlan: true });
    assert.equal(search.record.hasBegun, true);
    await runner.stopAll();
    assert.deepEqual(JSON.parse(readFileSync(plan, 'utf8')).constraints, ['mine']);
  });

  it('asks about its cost again if another model is to begin it than the one that a person agreed to', async () => {
    const priced = { ...thoughtModel({ clock: systemClock }), price: { prompt: 1, cached: 1, completion: 5 } };
    const { runner, place, begin } = aWindow(priced);
    fake.settings = { 'thoughtTree.askAbove': 0 };
    const asked = () => fake.messages.filter((text) => text.startsWith('This search may cost')).length;
    fake.answer = (question) =>
      String(question).includes('decomposition of the problem')
        ? 'Edit First'
        : String(question).startsWith('This search may cost') && asked() === 1
          ? 'Begin'
          : undefined;
    await assert.rejects(begin(), { reason: 'declined' });
    assert.equal(asked(), 1);
    await assert.rejects(runner.run({ place, model: 'ollama/dearer', showsPlan: true }), { reason: 'declined' });
    assert.equal(asked(), 2);
  });

  for (const [who, pause] of [
    ['this window', (window: ReturnType<typeof aWindow>) => window.runner.act(window.place, { action: 'pause' })],
    [
      'another process',
      async ({ place }: ReturnType<typeof aWindow>) => {
        const openModel = () => Promise.reject(new Error('no model is asked'));
        const call = { action: 'pause' };
        assert.ok((await actOnSearch(place, call, { kinds: KINDS, by: 'other', openModel })).ok);
      },
    ],
    ['whoever deletes it', ({ runner, place }: ReturnType<typeof aWindow>) => runner.stop(place)],
    ['closing the window', ({ runner }: ReturnType<typeof aWindow>) => runner.stopAll()],
  ] as const)
    it(`is stopped by ${who} while its plan is made`, async () => {
      const { model, isAsked } = silent();
      const opened = aWindow(model);
      const begun = assert.rejects(opened.begin(), { reason: 'declined' });
      await isAsked;
      assert.ok(opened.runner.isRunning(opened.place.folder));
      await pause(opened);
      await begun;
      assert.equal(await searches.isHeld(opened.place.folder), false);
      assert.deepEqual(await opened.stateOf(), ['paused', 'The search has not begun. Start it when you are ready.']);
      assert.ok(existsSync(join(opened.place.folder, 'search.json')));
    });

  it('is stopped while the dialog is open', async () => {
    const opened = aWindow();
    const shown = Promise.withResolvers<void>();
    fake.answer = () => {
      shown.resolve();
      return new Promise(() => undefined);
    };
    const begun = assert.rejects(opened.begin(), { reason: 'declined' });
    await shown.promise;
    await opened.runner.stop(opened.place);
    await begun;
    assert.equal(await searches.isHeld(opened.place.folder), false);
  });

  it('says which search a model is unfit for, and why it rests', async () => {
    const unfit = thoughtModel({ clock: systemClock });
    const generate: Model['generate'] = async () => {
      throw new ThoughtTreeError('bad-answer', foreign({ text: 'The answer is no JSON.' }));
    };
    const { begin, ends, stateOf } = aWindow({ ...unfit, generate });
    await assert.rejects(begin(), { reason: 'declined' });
    const [end] = ends;
    assert.equal(end?.title, 'Reach the end.');
    assert.equal(end?.outcome?.state === 'paused' && end.outcome.reason, 'person');
    assert.deepEqual(await stateOf(), ['paused', 'The answer is no JSON.']);
  });
});
