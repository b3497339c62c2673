import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelWorth } from '../../../../src/core/money/several-models.ts';
import { type Model, wrappedModel } from '../../../../src/core/ports/model.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { settingsFor } from '../../../../src/kinds/thoughts/settings.ts';
import { findTask } from '../../../../src/kinds/thoughts/tasks/find-task.ts';
import { actOnSearch } from '../../../../src/searches/act-on-search.ts';
import { forkSearch } from '../../../../src/searches/history/history.ts';
import { chooseModels } from '../../../../src/searches/models/choose-model.ts';
import { newSearch } from '../../../../src/searches/new-search.ts';
import { openSearch } from '../../../../src/searches/open-search.ts';
import type { Place } from '../../../../src/searches/place.ts';
import { forecastFor } from '../../../../src/searches/search-forecast.ts';
import { ownSearch } from '../../../../src/searches/trust/own-search.ts';
import { recallUse } from '../../../../src/searches/trust/search-use.ts';
import { ownKey } from '../../../../src/searches/trust/state-folder.ts';
import { openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { thoughtModel } from '../../../support/models/thought-model.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const NAMES = ['a/cheap', 'a/dear'];
const PRICE = { prompt: 1, cached: 0.1, completion: 4 };
const openNamed = (name: string): Model => wrappedModel(thoughtModel(), { name, price: PRICE });

function begun(prompt = 'Reach the end.'): Promise<SearchFile> {
  const options = { models: NAMES.join(','), candidates: 2, maxDepth: 2, size: 'small' as const, threshold: 1 };
  return newSearch(KINDS, { kind: 'thoughts', title: prompt, prompt, model: 'a/main', strategy: 'adaptive', options });
}

async function run(place: Place, create?: SearchFile, options?: object): Promise<void> {
  const openModel = async (): Promise<Model> => openNamed('a/main');
  const openMember = async (name: string): Promise<Model> => openNamed(name);
  const { search } = await openSearch({ kinds: KINDS, place, create, options, openModel, openMember });
  await search.run();
  await search.close();
}

function toldBy({ options }: SearchFile): ModelWorth[] {
  const text = options['modelsBefore'];
  return text === undefined ? [] : ModelWorth.array().parse(JSON.parse(String(text)));
}

/** Returns what models were worth before, as the search in a place takes it when it is opened. */
async function usedBefore(place: Place): Promise<unknown> {
  const store = await openForWriting(place.folder, { clock: systemClock, random: systemRandom, sealKey: ownKey() });
  try {
    const opening = { kinds: KINDS, folder: place.folder, created: undefined, isAgreed: true, given: {} };
    const { run: used } = await ownSearch(store, opening);
    return (used.options as Record<string, unknown>)['modelsBefore'];
  } finally {
    await store.close();
  }
}

/** Does something as a user who has used nothing before. */
async function asAnother<T>(work: () => Promise<T>): Promise<T> {
  const state = process.env['XDG_STATE_HOME'];
  process.env['XDG_STATE_HOME'] = temporaryFolder('models');
  try {
    return await work();
  } finally {
    process.env['XDG_STATE_HOME'] = state;
  }
}

describe('a search with several models', () => {
  it('says what each was worth in a report that is written once it has ended, too', async () => {
    const workspace = temporaryFolder('models');
    const place = { workspace, folder: join(workspace, 'thought-trees', 'one') };
    await run(place, await begun());
    const report = join(place.folder, 'report.md');
    const told = async (): Promise<string> =>
      /## What each model was worth\n\n(?:- .*\n)+/.exec(`${await readFile(report, 'utf8')}\n`)?.[0].trim() ?? '';
    const before = await told();
    assert.match(before, /- a\/cheap: .*\n- a\/dear: /);
    await writeFile(report, '');
    const openModel = async (): Promise<Model> => openNamed('a/main');
    assert.ok((await actOnSearch(place, { action: 'report' }, { kinds: KINDS, by: 'test', openModel })).ok);
    assert.equal(await told(), before);
  });

  it('is not shown in dollars of others where one has no price', async () => {
    await asAnother(async () => {
      const workspace = temporaryFolder('models');
      const placeOf = (name: string): Place => ({ workspace, folder: join(workspace, 'thought-trees', name) });
      await run(placeOf('one'), await begun());
      const several = [openNamed('a/cheap'), { name: 'a/unknown', free: false }];
      const wanted = {
        kinds: KINDS,
        place: placeOf('two'),
        create: await begun(),
        model: openNamed('a/main'),
        several,
      };
      const { left, each } = await forecastFor(wanted);
      assert.ok(left.seen.past > 0);
      assert.deepEqual(
        each.map((one) => one.left.usd !== undefined),
        [true, false],
      );
      assert.equal(left.usd, undefined);
    });
  });
});

describe('what models were worth before', () => {
  it('is what this user’s own searches tell, kept in a search from its start; those of a folder tell nothing', async () => {
    await asAnother(async () => {
      const workspace = temporaryFolder('models');
      const place = { workspace, folder: join(workspace, 'thought-trees', 'one') };
      const first = await begun();
      assert.deepEqual(toldBy(first), []);
      await run(place, first);
      const own = toldBy(await begun());
      assert.deepEqual(own.map(({ model }) => model).sort(), NAMES);
      assert.ok(own.reduce((sum, { judged }) => sum + judged, 0) > 5, JSON.stringify(own));
      assert.equal((await recallUse(place.folder)).here?.isBegun, true);

      await asAnother(async () => {
        const clone = temporaryFolder('models');
        const foreign = { workspace: clone, folder: join(clone, 'thought-trees', 'one') };
        await mkdir(join(clone, 'thought-trees'));
        await cp(place.folder, foreign.folder, { recursive: true });
        assert.deepEqual(toldBy(await begun()), []);
        // Nor once somebody went on with what came with the folder.
        await run(foreign);
        assert.deepEqual((await recallUse(foreign.folder)).here?.models, NAMES);
        assert.deepEqual(toldBy(await begun()), []);
      });
      assert.deepEqual(toldBy(await begun()), own);
    });
  });

  it('is taken from this user’s state, whatever the folder says later, and told once where a search is forked', async () => {
    await asAnother(async () => {
      const workspace = temporaryFolder('models');
      const place = { workspace, folder: join(workspace, 'thought-trees', 'one') };
      await run(place, await begun());
      const second = { workspace, folder: join(workspace, 'thought-trees', 'two') };
      const create = await begun();
      await run(second, create);
      const own = toldBy(await begun());
      const path = join(second.folder, 'search.json');
      const said = JSON.parse(await readFile(path, 'utf8'));
      const steered = [{ model: 'a/dear', calls: 1, usd: 0, judged: 10, good: 10 }];
      said.options.modelsBefore = JSON.stringify(steered);
      await writeFile(path, JSON.stringify(said));
      assert.deepEqual(await usedBefore(second), create.options['modelsBefore']);
      // A clone has no word in it at all.
      await asAnother(async () => assert.deepEqual(await usedBefore(second), '[]'));
      await forkSearch(place, { kinds: KINDS, by: 'test', dir: join(workspace, 'thought-trees', 'three') });
      assert.deepEqual(toldBy(await begun()), own);
    });
  });

  it('is remembered of all that were used, with the most that each might spend', async () => {
    await asAnother(async () => {
      const workspace = temporaryFolder('models');
      const place = { workspace, folder: join(workspace, 'thought-trees', 'one') };
      const models = 'a/cheap,a/dear=0.000000001';
      const file = await begun();
      await run(place, { ...file, options: { ...file.options, models } });
      assert.deepEqual((await recallUse(place.folder)).here?.models, ['a/cheap', 'a/dear=0.000000001']);
      await run(place, undefined, { models: 'a/third=0.5,a/dear=2' });
      assert.deepEqual((await recallUse(place.folder)).here?.models, ['a/cheap', 'a/dear=2', 'a/third=0.5']);
    });
  });

  it('is no matter where a host has one model: it says so before anything is written', async () => {
    const workspace = temporaryFolder('models');
    const place = { workspace, folder: join(workspace, 'thought-trees', 'one') };
    const openModel = async (): Promise<Model> => openNamed('a/main');
    await assert.rejects(openSearch({ kinds: KINDS, place, create: await begun(), openModel }), /leave out the option/);
    await assert.rejects(readFile(join(place.folder, 'search.json')));
  });

  it('is nothing where the figures are none that a search can have', () => {
    const worth = { model: 'a/cheap', calls: 1, usd: 0.1, judged: 4, good: 3 };
    const usedOf = (each: object): number => {
      const modelsBefore = JSON.stringify([{ ...worth, ...each }]);
      return settingsFor({ options: { models: NAMES.join(','), modelsBefore } }, findTask).modelsBefore.length;
    };
    assert.equal(usedOf({}), 1);
    for (const each of [{ judged: 1000, good: 1.7e308 }, { judged: 1, good: 1e5 }, { usd: 1e300 }, { calls: -1 }])
      assert.equal(usedOf(each), 0, JSON.stringify(each));
  });

  it('asks about models that came with a folder, one by one', async () => {
    const file = await begun();
    const here = { version: 1 as const, path: '/w', model: 'a/main', models: ['a/cheap'] };
    const record = new SearchRecord();
    assert.equal(chooseModels({}, { here }, record, file).trusted, false);
    assert.equal(chooseModels({ model: 'a/main' }, { here }, record, file).trusted, false);
    const limited = { ...file, options: { ...file.options, models: 'a/cheap,a/dear=1000' } };
    const asks = (...models: string[]): boolean =>
      !chooseModels({}, { here: { ...here, models } }, record, limited).trusted;
    assert.equal(asks('a/cheap', 'a/dear=0.000000001'), true, 'a limit that was raised');
    assert.equal(asks('a/cheap=2', 'a/dear=1000'), true, 'a limit that was left out');
    assert.equal(asks('a/cheap', 'a/dear=1000'), false);
    assert.equal(asks('a/cheap', 'a/dear'), false, 'a limit below what was agreed');
    const recorded = { ...file, options: { ...file.options, models: 'a/cheap,replay/answers.json' } };
    assert.equal(chooseModels({}, { here: { ...here, models: ['a/cheap'] } }, record, recorded).trusted, false);
    const all = { ...here, models: NAMES };
    assert.deepEqual(chooseModels({}, { here: all }, record, file), {
      name: 'a/main',
      judge: undefined,
      models: NAMES,
      trusted: true,
    });
    assert.equal(chooseModels({ model: 'a/main', several: ['b/x'] }, { here }, record, file).trusted, true);
  });
});
