import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Model } from '../../../../src/core/ports/model.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { RunEnd } from '../../../../src/extension/library/run-request.ts';
import type { SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import type { ApiKeys } from '../../../../src/extension/models/api-keys.ts';
import type { ModelOpener as Opener } from '../../../../src/extension/models/model-opener.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { actOnSearch, silentModel } from '../../../../src/searches/act-on-search.ts';
import { newSearch } from '../../../../src/searches/new-search.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';
import { searches } from '../../../../src/searches/searches.ts';
import { createSearch } from '../../../../src/store/open-store.ts';
import { withPinned } from '../../../support/pinned/checks.ts';
import { inThisProcess } from '../../../support/pinned/in-process.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { WITH_ERRANDS } from '../../../support/toy-kind/errands.ts';
import { type Hands, runErrands } from '../../../support/toy-kind/errands-client.ts';
import { MOVE_HOUSE } from '../../../support/toy-kind/simulated-errands.ts';
import { until } from '../../../support/until.ts';
import { EventEmitter, fake } from '../fake-vscode.ts';

const { SearchRunner } = await import('../../../../src/extension/library/search-runner.ts');

const { ModelOpener } = await import('../../../../src/extension/models/model-opener.ts');
const { tellError } = await import('../../../../src/extension/tell-error.ts');

const log = { info() {}, warn() {}, error: assert.fail, debug() {} } as unknown as vscode.LogOutputChannel;

/** A window with an existing search in its workspace. */
async function windowOn(workspace: string, folder?: string) {
  const changes = new EventEmitter<object>();
  const library = {
    search: (): FollowedSearch | undefined => undefined,
    scan: async () => undefined,
    tell: () => undefined,
    touch: () => undefined,
    onDidChange: changes.event,
  } as unknown as SearchLibrary;
  const models = { open: async (name: string): Promise<Model> => silentModel(name) } as unknown as Opener;
  const runner = new SearchRunner(library, models, log, WITH_ERRANDS);
  const place = { folder: folder ?? join(workspace, 'thought-trees', 'move-house'), workspace };
  if (folder === undefined) await createSearch(place.folder, MOVE_HOUSE);
  return { runner, place, library };
}

/** Whoever does errands in another process: every call goes to the window's requests. */
function handsOutside(place: { folder: string; workspace: string }): Hands {
  return {
    next: async () => {
      for (;;) {
        const { record, state } = await overviewOf(WITH_ERRANDS, place.folder);
        if (record.offers.size > 0 || state === 'finished') return record.offers.open.map(({ offer }) => offer);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    act: async (call) => {
      const openModel = () => Promise.reject(new Error('no model is asked'));
      const outcome = await actOnSearch(place, call, { kinds: WITH_ERRANDS, by: 'client', openModel });
      assert.ok(outcome.ok && !outcome.isResting, outcome.say.text);
      return outcome.value;
    },
  };
}

describe('a window that runs a search whose work is done from outside', () => {
  beforeEach(() => fake.reset());

  it('keeps it while it waits, continues it with each answer, and gives it back at its end', async () => {
    const { runner, place } = await windowOn(temporaryFolder('window'));
    const ended = Promise.withResolvers<RunEnd>();
    runner.onDidEnd((end) => ended.resolve(end));
    await runner.run({ place, model: 'workspace/quotes' });
    const { next, act } = handsOutside(place);
    const [first] = await next();
    assert.ok(runner.isRunning(place.folder) && (await searches.isHeld(place.folder)));
    await runner.act(place, { action: 'take', offer: first?.id, person: true });
    await assert.rejects(act({ action: 'take', offer: first?.id }), /taken by vscode/);
    await runner.act(place, { action: 'give-back', offer: first?.id });
    assert.equal(await runErrands({ next, act }), 9);
    const { outcome, error } = await ended.promise;
    assert.equal(error, undefined);
    assert.equal(outcome?.state, 'finished');
    assert.equal(await searches.isHeld(place.folder), false);
    runner.dispose();
  });

  it('does not run one that came to its end where that could only pay for another report', () =>
    withPinned('research-finished', inThisProcess, async ({ place: pinned }) => {
      const { runner, place } = await windowOn(pinned.workspace, join(pinned.workspace, 'thought-trees', 'pinned'));
      const record = async () => (await overviewOf(WITH_ERRANDS, place.folder)).record;
      await runner.act(place, { action: 'note', text: 'The report is older than this.' });
      await assert.rejects(runner.run({ place, model: 'workspace/quotes' }), /Nothing is left to work on/);
      assert.equal((await record()).turn?.type, 'search-finished');
      assert.equal(await searches.isHeld(place.folder), false);
      runner.dispose();
    }));

  it('gives it back when the window closes, and anybody may answer then', async () => {
    const { runner, place } = await windowOn(temporaryFolder('window'));
    await runner.run({ place, model: 'workspace/quotes' });
    const [first] = await handsOutside(place).next();
    await runner.stopAll();
    assert.equal(await searches.isHeld(place.folder), false);
    await runner.act(place, { action: 'answer', answers: [{ offer: first?.id, result: { errands: ['Drive'] } }] });
    const { record, state } = await overviewOf(WITH_ERRANDS, place.folder);
    assert.deepEqual([record.offers.size, state], [0, 'paused']);
    runner.dispose();
  });

  it('records what its models are asked and say, if the person wants that', async () => {
    const workspace = temporaryFolder('window');
    writeFileSync(join(workspace, 'a.md'), '# Moving\n\nA house is moved by hand.\n');
    const { library } = await windowOn(workspace);
    const opener = new ModelOpener({ keyAt: async () => undefined } as unknown as ApiKeys);
    const runner = new SearchRunner(library, opener, log, KINDS);
    const ended = Promise.withResolvers<RunEnd>();
    runner.onDidEnd((end) => ended.resolve(end));
    const place = { folder: join(workspace, 'thought-trees', 'how'), workspace };
    const model = 'workspace/quotes';
    const asked = { kind: 'research', title: 'How?', prompt: 'How is a house moved?', model, options: {} };
    const record = join(workspace, 'recording.jsonl');
    await runner.run({ place, model, record, create: await newSearch(KINDS, asked) });
    assert.equal((await ended.promise).outcome?.state, 'finished');
    assert.match(readFileSync(record, 'utf8'), /"type":"call".*"model":"workspace\/quotes"/);
    runner.dispose();
  });

  for (const isHere of [true, false])
    it(`shows all that is wrong with answers it refuses, ${isHere ? 'run here' : 'run by nobody'}`, async () => {
      const { runner, place } = await windowOn(temporaryFolder('window'));
      const { next } = handsOutside(place);
      const ended = new Promise((resolve) => runner.onDidEnd(resolve));
      await runner.run({ place, model: 'workspace/quotes' });
      const [first] = await next();
      await runner.act(place, { action: 'answer', answers: [{ offer: first?.id, result: { errands: ['A', 'B'] } }] });
      let both = await next();
      await until(async () => {
        both = await next();
        return both.length === 2;
      });
      if (!isHere) await Promise.all([ended, runner.stopAll()]);
      const answers = both.map(({ id }) => ({ offer: id, result: 7 }));
      const refused = await runner.act(place, { action: 'answer', answers }).catch((error: unknown) => error);
      tellError(refused, log);
      const wrong = 'An answer is {done} or {errands}.';
      assert.deepEqual(fake.messages, ['None of these answers is accepted: 2 of them are wrong.']);
      assert.equal(fake.detail, both.map(({ id }) => `${id}: ${wrong}`).join('\n'));
      await runner.stopAll();
      runner.dispose();
    });
});
