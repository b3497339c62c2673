import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { silentModel } from '../../../../src/searches/act-on-search.ts';
import { newSearch } from '../../../../src/searches/new-search.ts';
import { openSearch } from '../../../../src/searches/open-search.ts';
import { type OpenWork, openWork } from '../../../../src/searches/open-work.ts';
import { statePath } from '../../../../src/searches/trust/state-folder.ts';
import { gitIn, never, repository, WorkPlace } from '../../../support/work/work-place.ts';

const asked = { consent: async () => true };
const newId = (): string => randomBytes(16).toString('hex');

describe('the work of a search', () => {
  let place: WorkPlace;
  let folder: string;
  beforeEach(() => {
    place = repository();
    folder = join(place.workspace, 'thought-trees/goal');
    mkdirSync(folder, { recursive: true });
  });
  const open = (id: string, formerId?: string): Promise<OpenWork> =>
    openWork({ place: { workspace: place.workspace, folder }, id, formerId, asked });
  const checkouts = (id: string): string => join(workOf(id), 'checkouts');

  it('is in the state folder, for this user alone, and commands do not see that', async () => {
    const id = newId();
    const { workshop } = await open(id);
    assert.equal(statSync(workOf(id)).mode & 0o777, 0o700);
    await workshop.begin({ withUncommitted: false }, never);
    const checkout = await workshop.checkout('A1', never);
    assert.ok(checkout.folder.startsWith(workOf(id)));
    const line = `ls '${statePath()}' '${workOf(id)}'; echo "export KEY=ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}"`;
    await workshop.consent([line], never);
    const { output } = await checkout.run({ line, rights: 'write', timeoutMs: 100_000 }, never);
    assert.doesNotMatch(output, /searches|store\.git|place\.json|ghp_/);
    assert.match(output, /secret left out/);
    await workshop.close();
  });

  it('keeps unfinished checkouts for the next run, and none of a finished search', async () => {
    const id = newId();
    const first = await open(id);
    await first.workshop.begin({ withUncommitted: false }, never);
    const { folder: at } = await first.workshop.checkout('A1', never);
    writeFileSync(join(at, 'half.txt'), 'half done\n');
    await first.workshop.checkout('shown', never, (await first.workshop.tip()) as string);
    await first.workshop.close();
    assert.deepEqual([existsSync(at), existsSync(join(checkouts(id), 'shown'))], [true, false]);
    const second = await open(id);
    assert.equal(await second.workshop.hasCheckout('A1'), true);
    const continued = await second.workshop.checkout('A1', never);
    assert.deepEqual([continued.folder, continued.isContinued], [at, true]);
    const commit = (await continued.commit('w')) as string;
    assert.equal(await second.workshop.fileAt(commit, 'half.txt'), 'half done\n');
    second.hear({ type: 'search-finished' } as JournalEvent);
    await second.workshop.close();
    assert.equal(existsSync(at), false);
  });

  it('is refused before a model is opened or a search is made where there is no repository', async () => {
    const { workspace } = new WorkPlace();
    const folder = join(workspace, 'thought-trees/goal');
    const create = await newSearch(KINDS, {
      kind: 'work-graph',
      title: 'Goal',
      prompt: 'Reach it',
      model: 'none',
      options: {},
    });
    let opened = 0;
    const openModel = async () => {
      opened++;
      return silentModel('none');
    };
    const request = { kinds: KINDS, place: { workspace, folder }, openModel, create, work: asked };
    await assert.rejects(openSearch(request), { reason: 'bad-input', message: /need a git repository/ });
    assert.deepEqual([opened, existsSync(folder)], [0, false]);
    gitIn(workspace, 'init', '-q');
    const { search } = await openSearch(request);
    await search.close();
    assert.deepEqual([opened, existsSync(folder)], [1, true]);
  });

  it('comes along with a search that was moved, and not with a copy', async () => {
    const [id, moved, copied] = [newId(), newId(), newId()];
    const first = await open(id);
    const start = await first.workshop.begin({ withUncommitted: false }, never);
    await first.workshop.close();
    const old = folder;
    folder = join(place.workspace, 'thought-trees/copy');
    mkdirSync(folder);
    assert.equal(await (await open(copied, id)).workshop.tip(), undefined);
    folder = join(place.workspace, 'thought-trees/moved');
    renameSync(old, folder);
    assert.equal(await (await open(moved, id)).workshop.tip(), start);
    assert.ok(!existsSync(workOf(id)));
  });

  it('is removed a month after the search is gone', async () => {
    const [gone, there, young, own] = [newId(), newId(), newId(), newId()];
    const elsewhere = join(place.root, 'elsewhere');
    mkdirSync(elsewhere);
    for (const [id, at] of [
      [gone, join(place.root, 'none')],
      [there, elsewhere],
      [young, join(place.root, 'none')],
    ] as const) {
      mkdirSync(join(workOf(id), 'checkouts/A1'), { recursive: true });
      writeFileSync(join(workOf(id), 'place.json'), JSON.stringify({ version: 1, folder: at }));
      const days = id === young ? 20 : 40;
      const then = Date.now() / 1000 - days * 24 * 3600;
      utimesSync(join(workOf(id), 'place.json'), then, then);
    }
    await (await open(own)).workshop.close();
    assert.deepEqual(
      [gone, there, young].map((id) => existsSync(workOf(id))),
      [false, true, true],
    );
    for (const id of [there, young]) rmSync(workOf(id), { recursive: true });
  });
});

function workOf(id: string): string {
  return join(statePath() as string, 'work', id);
}
