import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { LimitReached } from '../../../../src/core/search/record/search-state.ts';
import type { ActionCommands } from '../../../../src/extension/actions/action-commands.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { fake } from '../fake-vscode.ts';
import { available } from './available.ts';
import { restingAt, sampleLibrary, sampleSearch } from './sample.ts';

const { StatusBar } = await import('../../../../src/extension/sidebar/status-bar.ts');
const { menus } = await import('../../../../src/extension/commands/menus.ts');

const fast = sampleSearch({ folder: '/w/fast', title: 'Why is it fast?', state: 'finished', hasReport: true });
const slow = sampleSearch({
  folder: '/w/slow',
  title: 'Why is it slow?',
  state: 'paused',
  record: restingAt('calls', 50),
  progress: { done: 21, open: 18, failed: 0 },
});

/** What is reckoned of a limit, once the menu is opened. */
let needed: LimitReached | undefined;

/** Clicks the status bar where there are these searches, and picks what it is told; returns what was done to which. */
async function click(searches: readonly FollowedSearch[], ...picks: RegExp[]): Promise<string[]> {
  const { library, tell } = sampleLibrary(...searches);
  new StatusBar(library, available);
  tell();
  const [target] = (fake.statusBar?.command?.arguments ?? []) as { folder: string }[];
  const named = target && searches.filter(({ folder }) => folder === target.folder);
  const done: string[] = [];
  const run = async (name: string, { folder }: { folder: string }) => void done.push(`${name} ${folder}`);
  const left = [...picks];
  fake.answer = (items) => (items as { label: string }[]).find(({ label }) => left[0]?.test(label) && left.shift());
  const learnNeed = async (search: FollowedSearch) => void Object.assign(search, needed && { needed });
  const actions = { run, learnNeed } as unknown as ActionCommands;
  await menus.showSearchMenu({ available, actions }, named, searches);
  assert.deepEqual(left, []);
  return done;
}

describe('the status bar', () => {
  beforeEach(() => fake.reset());

  it('acts on the search that it shows, an hour after it reached its limit', async () => {
    assert.deepEqual(await click([slow, fast], /Raise to 100 Calls and Continue/), ['raise /w/slow']);
    assert.equal(fake.statusBar?.text, '$(type-hierarchy) limit of 50 calls reached');
    assert.deepEqual(await click([slow, fast], /Finish now/), ['finish /w/slow']);
  });

  it('says of a search that was never begun that it waits for its start, as its row does', async () => {
    await click([sampleSearch({ state: 'paused' })]);
    assert.equal(fake.statusBar?.text, '$(type-hierarchy) waits for Start');
  });

  it('names the limit that the size needs', async () => {
    needed = { guard: 'calls', limit: 50, needed: 85 };
    const search = Object.assign(sampleSearch(), slow);
    assert.deepEqual(await click([search, fast], /Raise to 85 Calls and Continue/), ['raise /w/slow']);
    needed = undefined;
  });

  it('has what only searches of a kind have, which is no command of the palette', async () => {
    const file = { version: 1, kind: 'work-graph', title: 'p', prompt: 'p', options: {} } as const;
    const plan = sampleSearch({ folder: '/w/plan', file, isDivided: true, hasReport: true, state: 'finished' });
    assert.deepEqual(await click([plan], /Accept changes…/), ['accept /w/plan']);
    const labels = fake.picks[0]?.map(({ label }) => label.replace(/^\$\(.*?\) /, ''));
    assert.deepEqual(labels?.slice(0, 4), ['Review changes', 'Accept changes…', 'Undo accepting…', 'Open report']);
  });

  it('is about the newest search at rest, and warns of nothing that an older one waits for', async () => {
    await click([fast, slow]);
    assert.notEqual(fake.statusBar?.text, '$(type-hierarchy) limit of 50 calls reached');
    assert.equal(fake.statusBar?.backgroundColor, undefined);
  });

  it('offers nothing that would do nothing: not to resume where the limit is reached', async () => {
    await click([slow]);
    const labels = fake.picks[0]?.map(({ label }) => label).filter((label) => label.startsWith('$'));
    assert.deepEqual(
      labels?.map((label) => label.replace(/^\$\(.*?\) /, '')),
      [
        'Raise to 100 Calls and Continue',
        'Resume with another model…',
        'Finish now',
        'Extend…',
        'Open Thought Tree',
        'Start Tree Search',
        'Show Log',
      ],
    );
  });

  it('asks which one is meant where several run', async () => {
    const one = sampleSearch({ folder: '/w/one', title: 'One?', progress: { done: 1, open: 1, failed: 0 } });
    const two = sampleSearch({ folder: '/w/two', title: 'Two?', spend: { usd: 1 } });
    assert.deepEqual(await click([one, two, slow], /Two/, /Pause$/), ['pause /w/two']);
    assert.equal(fake.statusBar?.text, '$(sync~spin) 2 searches running');
    assert.deepEqual(
      fake.picks[0]?.map(({ label }) => label),
      ['One?', 'Two?'],
    );
  });

  it('leads to the other searches, too', async () => {
    assert.deepEqual(await click([slow, fast], /Another Search/, /Open report/), ['openReport /w/fast']);
  });

  it('says what a search begins with before there is anything to count', async () => {
    const file = { version: 1, kind: 'research', title: 'Why?', prompt: 'Why?', options: {} } as const;
    await click([sampleSearch({ file: file as unknown as FollowedSearch['file'] })]);
    assert.equal(fake.statusBar?.text, '$(sync~spin) Dividing the question into topics');
  });
});
