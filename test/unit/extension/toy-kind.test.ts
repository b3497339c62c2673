import './use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createSearch, openForWriting } from '../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../src/store/system-ports.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { WITH_ERRANDS } from '../../support/toy-kind/errands.ts';
import { answer } from '../../support/toy-kind/errands-acts.ts';
import { MOVE_HOUSE, simulateErrands } from '../../support/toy-kind/simulated-errands.ts';
import type { ThemeIcon } from './fake-vscode.ts';
import { sampleLibrary } from './sidebar/sample.ts';

const { AvailableActions } = await import('../../../src/extension/actions/available-actions.ts');
const { FollowedSearch } = await import('../../../src/extension/library/followed-search.ts');
const { panelActions } = await import('../../../src/extension/panel/graph-panel.ts');
const { GraphSource } = await import('../../../src/extension/panel/graph-source.ts');
const { SearchesView } = await import('../../../src/extension/sidebar/searches-view.ts');

const available = new AvailableActions(WITH_ERRANDS);

/** Errands on disk: one is done, two are offered; nobody holds the search any more. */
async function errandsOnDisk() {
  const workspace = temporaryFolder('errands-view');
  const folder = join(workspace, 'thought-trees', 'move-house');
  await createSearch(folder, MOVE_HOUSE);
  const store = await openForWriting(folder, { clock: systemClock, random: systemRandom });
  const { search } = await simulateErrands(store, 1, { clock: systemClock, random: systemRandom });
  await search.run();
  const [first] = search.record.offers.open;
  const errands = ['Rent a van', 'Pack boxes', 'Drive'];
  await answer(search, [{ offer: first?.offer.id ?? '', result: { errands } }], 'client');
  await search.run();
  const [van] = search.record.offers.open;
  await answer(search, [{ offer: van?.offer.id ?? '', result: { done: 'Rented.' } }], 'client');
  await search.run();
  await search.close();
  const followed = new FollowedSearch(folder, workspace);
  await followed.refresh();
  return followed;
}

describe('a kind that does not ship', () => {
  it('shows in the sidebar with its own looks and actions', async () => {
    const search = await errandsOnDisk();
    assert.equal(search.state, 'paused');
    assert.equal(search.reason?.text, 'Everything else is done: 2 offers wait to be answered from outside.');
    const view = new SearchesView(sampleLibrary(search).library, available);
    const [root] = await view.getChildren();
    assert.ok(root);
    const rows = (await view.getChildren(root)).map((row) => view.getTreeItem(row));
    assert.deepEqual(
      rows.map(({ label, iconPath }) => [label, (iconPath as unknown as ThemeIcon).id]),
      [
        ['Rent a van', 'circle-filled'],
        ['Pack boxes', 'bookmark'],
        ['Drive', 'bookmark'],
      ],
    );
    const flags = (rows[1]?.contextValue ?? '').split(' ');
    assert.ok(flags.includes('propose_errands') && flags.includes('tally_errands'), `${flags}`);
    const onSearch = available.onSearch(search).map(({ name }) => name);
    for (const name of ['take', 'give-back', 'answer', 'propose', 'resume']) assert.ok(onSearch.includes(name), name);
  });

  it('shows in the panel with its own words and actions', async () => {
    const search = await errandsOnDisk();
    const source = new GraphSource(search, WITH_ERRANDS);
    await source.open();
    const nodes = [...source.portions()].flat();
    assert.deepEqual(
      nodes.map(({ path, status }) => [path, status]),
      [
        ['', 'expanded'],
        ['rent-a-van', 'leaf'],
        ['pack-boxes', 'unexpanded'],
        ['drive', 'unexpanded'],
      ],
    );
    assert.equal(source.summary.words.several, '{0} errands');
    assert.equal(source.summary.state, 'paused');
    const titles = panelActions(await available.at(search, 'drive'), search).map(({ title }) => title);
    assert.ok(titles.includes('Propose errands…'), `${titles}`);
  });
});
