import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { foreign } from '../../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { SpendLimit } from '../../../../src/core/search/limits.ts';
import type { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { SELECTION } from '../../../../src/extension/commands/contributed-commands.ts';
import type { Targets } from '../../../../src/extension/commands/targets.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import type { SearchRunner } from '../../../../src/extension/library/search-runner.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { createSearch } from '../../../../src/store/open-store.ts';
import { QUESTION } from '../../../support/searches/simulated-search.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake } from '../fake-vscode.ts';
import { begun, restingAt, sampleSearch } from '../sidebar/sample.ts';

const { ActionCommands } = await import('../../../../src/extension/actions/action-commands.ts');
const { AvailableActions } = await import('../../../../src/extension/actions/available-actions.ts');
const { SearchCommands } = await import('../../../../src/extension/commands/search-commands.ts');
const { FollowedSearch: Followed } = await import('../../../../src/extension/library/followed-search.ts');

const targets = {
  placeOf: ({ folder, workspace }: FollowedSearch) => ({ folder, workspace }),
} as unknown as Targets;

/**
 * Commands over a runner that does what `act` says; `said` is what happened, in order.
 * @param agrees whether the person lets it continue, with the models that it names
 */
function commandsWith(
  said: string[],
  act: (call: ActionCall) => Promise<void> = async () => undefined,
  agrees = true,
  needed?: number,
  tell: (search: FollowedSearch) => void = () => undefined,
) {
  const runner = {
    act: async (_place: unknown, call: ActionCall) => {
      said.push(`${call.action}${'force' in call ? ' all the same' : ''}`);
      await act(call);
      return foreign({ text: 'Done.' });
    },
  } as unknown as SearchRunner;
  const available = new AvailableActions(KINDS);
  const needOf = async ({ record }: FollowedSearch) =>
    record.limitReached && { ...record.limitReached, ...(needed !== undefined && { needed }) };
  const toContinue = agrees ? async () => async () => void said.push('resume') : async () => undefined;
  const isSeen = () => false;
  return new ActionCommands({ kinds: KINDS, available, runner, targets, toContinue, needOf, tell, isSeen }, {});
}

/** A search with a failed node, whose state is only known once it is read again. */
function searchThatIs(now: 'paused' | 'running', said: string[]): FollowedSearch {
  const search = sampleSearch({ state: 'running', count: () => 1 }) as {
    -readonly [K in keyof FollowedSearch]: unknown;
  };
  search.refresh = async () => {
    said.push('read again');
    Object.assign(search, { state: now, isActive: now === 'running' });
  };
  return search as FollowedSearch;
}

/** A search on disk, its commands, and what was run and done. */
async function onDisk() {
  const workspace = temporaryFolder('resume-with');
  const folder = join(workspace, 'thought-trees', 'one');
  await createSearch(folder, QUESTION);
  const search = new Followed(folder, workspace);
  await search.refresh();
  const done: unknown[] = [];
  const runner = {
    isRunning: () => false,
    run: async ({ model }: { model: string }) => void done.push(model),
    act: async (_place: unknown, call: ActionCall) => void done.push(call),
  } as unknown as SearchRunner;
  return { search, done, commands: new SearchCommands(runner, targets, {} as SearchLibrary, '/bin') };
}

describe('the key that prunes', () => {
  it('leads to the question whether the whole search is to be deleted, on the row of one', async () => {
    fake.reset();
    const said: string[] = [];
    const commands = commandsWith(said);
    Object.assign(targets, { selectedSearch: { folder: '/w/a' }, node: async () => undefined });
    await commands.run('prune', SELECTION);
    assert.deepEqual(fake.executed, [['thoughtTree.deleteSearch', { folder: '/w/a' }]]);
    await commands.run('expand', SELECTION);
    await commands.run('prune');
    assert.deepEqual([fake.executed.length, said], [1, []]);
  });
});

describe('the key that takes back', () => {
  it('means the search of the row that is selected, and nothing where none is', async () => {
    const said: string[] = [];
    const commands = commandsWith(said);
    const search = sampleSearch({ folder: '/w/b', state: 'paused', record: begun() });
    const named: unknown[] = [];
    Object.assign(targets, { search: async (target: unknown) => named.push(target) && search });
    Object.assign(targets, { selected: { folder: '/w/b', path: 'a/b' } });
    await commands.run('undo', SELECTION);
    assert.deepEqual([named, said], [[{ folder: '/w/b' }], ['undo']]);
    Object.assign(targets, { selected: undefined });
    await commands.run('undo', SELECTION);
    assert.deepEqual(said, ['undo']);
  });
});

describe('a branch that is worked on further', () => {
  beforeEach(() => fake.reset());

  interface Sample {
    readonly status?: string;
    readonly score?: number;
    readonly sameAs?: string;
    readonly below?: Readonly<Record<string, Sample>>;
  }

  /** A node and what is below it. */
  function grown(title: string, { status = 'unexpanded', score, sameAs, below = {} }: Sample, parent?: object): object {
    const evaluation = score === undefined ? undefined : { score };
    const node = { title, slug: title, status, evaluation, sameAs, parent };
    const children: { slug?: string }[] = Object.entries(below).map(([each, more]) => grown(each, more, node));
    return Object.assign(node, { children, child: (slug: string) => children.find((each) => each.slug === slug) });
  }

  const branch: Sample = {
    status: 'expanded',
    below: {
      low: { score: 3 },
      cut: { status: 'pruned', below: { hidden: { score: 10 } } },
      done: { status: 'leaf', score: 9 },
      same: { score: 9, sameAs: 'top/low' },
      deep: { status: 'expanded', score: 8, below: { high: { score: 9 }, new: {} } },
    },
  };
  const searchOf = (below: Readonly<Record<string, Sample>>): FollowedSearch =>
    sampleSearch({
      state: 'paused',
      isActive: false,
      refresh: async () => [],
      count: () => 2,
      record: { spend: { calls: 9, usd: 0.5, usdComplete: true } } as never,
      tree: async () => ({ root: grown('', { status: 'expanded', below }) }) as never,
    });

  it('goes on with the open nodes that a person picks, the best first, once it was said what one took', async () => {
    const said: string[] = [];
    const wanted: unknown[] = [];
    const commands = commandsWith(said, async ({ node }) => void wanted.push(node));
    fake.answer = (items) => (items as object[]).slice(0, 2);
    await commands.expandBelow(searchOf({ top: branch, other: {} }), 'top');
    const [listed = []] = fake.picks as { label: string; picked?: boolean }[][];
    assert.deepEqual(
      listed.map(({ label }) => label),
      ['high', 'low', 'new'],
    );
    assert.deepEqual(wanted, ['top/deep/high', 'top/low']);
    assert.deepEqual(said, ['expand', 'expand', 'resume'], 'it continues once');
  });

  it('goes on with the others where some were worked on meanwhile, and says why where all were', async () => {
    const said: string[] = [];
    const over = new ThoughtTreeError('bad-input', foreign({ text: 'It is expanded already.' }));
    fake.answer = (items) => items;
    const refuse = async ({ node }: ActionCall): Promise<void> => {
      if (node === 'top/deep/high') throw over;
    };
    await commandsWith(said, refuse).expandBelow(searchOf({ top: branch }), 'top');
    assert.deepEqual(said, ['expand', 'expand', 'expand', 'resume']);
    const refuseAll = (): Promise<void> => Promise.reject(over);
    await assert.rejects(commandsWith(said, refuseAll).expandBelow(searchOf({ top: branch }), 'top'), over);
    assert.equal(said.filter((each) => each === 'resume').length, 1);
  });

  it('stays as it is where nothing is picked, nothing is open, or the person does not let it go on', async () => {
    const said: string[] = [];
    fake.answer = () => undefined;
    await commandsWith(said).expandBelow(searchOf({ top: branch }), 'top');
    await commandsWith(said).expandBelow(searchOf({ top: { status: 'expanded' } }), 'top');
    assert.match(fake.messages.at(-1) ?? '', /^Nothing in this branch is open/);
    fake.answer = (items) => items;
    await commandsWith(said, undefined, false).expandBelow(searchOf({ top: branch }), 'top');
    assert.deepEqual(said, []);
  });
});

describe('an action after which a search is to continue', () => {
  beforeEach(() => fake.reset());

  it('continues it, although this window held it for the action itself when it was last read', async () => {
    const said: string[] = [];
    await commandsWith(said).act(searchThatIs('paused', said), '', 'retry');
    assert.deepEqual(said, ['retry', 'read again', 'resume']);
  });

  it('leaves it alone if somebody continued it meanwhile', async () => {
    const said: string[] = [];
    await commandsWith(said).act(searchThatIs('running', said), '', 'retry');
    assert.deepEqual(said, ['retry', 'read again']);
  });

  it('does not continue it if the action failed, or a person does not want it', async () => {
    const said: string[] = [];
    const fails = async (): Promise<void> => {
      throw new ThoughtTreeError('held', foreign({ text: 'No.' }));
    };
    await assert.rejects(commandsWith(said, fails).act(searchThatIs('paused', said), '', 'retry'), { reason: 'held' });
    const isEdited = async (call: ActionCall): Promise<void> => {
      if (!('force' in call)) throw new ThoughtTreeError('edited', foreign({ text: 'Edited.' }));
    };
    await commandsWith(said, isEdited).act(searchThatIs('paused', said), '', 'retry');
    assert.deepEqual(said, ['retry', 'retry']);
    fake.answer = () => 'Rewrite';
    await commandsWith(said, isEdited).act(searchThatIs('paused', said), '', 'retry');
    assert.deepEqual(said.slice(2), ['retry', 'retry all the same', 'read again', 'resume']);
  });

  it('continues it once if there are two at the same moment', async () => {
    const workspace = temporaryFolder('resume');
    const folder = join(workspace, 'thought-trees', 'one');
    await createSearch(folder, QUESTION);
    const search = new Followed(folder, workspace);
    await search.refresh();
    let runs = 0;
    const runner = { isRunning: () => runs > 0, run: async () => void runs++ } as unknown as SearchRunner;
    const commands = new SearchCommands(runner, targets, {} as SearchLibrary, '/bin');
    const draw = async (): Promise<void> => undefined;
    await Promise.all([commands.resume(search, draw), commands.resume(search, draw)]);
    assert.equal(runs, 1);
  });

  it('opens the drawing of one that waited for its start, and of no other', async () => {
    const { search, done, commands } = await onDisk();
    const draw = async (folder: string): Promise<void> => void done.push(folder);
    await commands.resume(search, draw);
    assert.deepEqual(done, ['workspace/quotes', search.folder]);
    await commands.resume(Object.assign(search, { isDivided: true }), draw);
    assert.equal(done.length, 3);
  });
});

/** A search that rests at a limit, of which that much is used. */
function havingSpent(guard: SpendLimit, limit: number, spend: object): SearchRecord {
  const record = restingAt(guard, limit);
  Object.defineProperty(record, 'spend', { value: { ...record.spend, ...spend } });
  return record;
}

describe('a search that rests at a limit', () => {
  beforeEach(() => fake.reset());

  it('continues with twice the limit, with one action', async () => {
    const said: string[] = [];
    const calls: ActionCall[] = [];
    const commands = commandsWith(said, async (call) => void calls.push(call));
    const search = Object.assign(searchThatIs('paused', said), { record: restingAt('calls', 50) });
    await commands.raise(search);
    assert.deepEqual(said, ['grow', 'read again', 'resume']);
    assert.deepEqual(calls, [{ action: 'grow', guards: { calls: 100 } }]);
    assert.match(fake.messages.join(), /^"Slow build": /, 'what is said names the search');
  });

  it('shows what a limit needs only once that is known', async () => {
    const search = sampleSearch({ state: 'paused', record: restingAt('calls', 50) });
    const told: unknown[] = [];
    const commands = commandsWith([], undefined, true, 85, ({ needed }) => void told.push(needed?.needed));
    await commands.learnNeed(search);
    await commands.learnNeed(search);
    assert.deepEqual(told, [85], 'told once, with the figure');
  });

  it('continues with what its size needs; a button without a figure, as in a row, asks where that is much', async () => {
    const search = sampleSearch({ state: 'paused', record: restingAt('calls', 50) });
    Object.assign(targets, { search: async () => search });
    for (const [needed, answer, isDone] of [
      [85, undefined, true],
      [240, undefined, false],
      [240, 'Raise to 240 Calls and Continue', true],
    ] as const) {
      const said: string[] = [];
      const guards: unknown[] = [];
      const commands = commandsWith(said, async (call) => void guards.push(call['guards']), true, needed);
      fake.answer = () => answer;
      search.needed = undefined;
      await commands.run('raise', { folder: search.folder });
      assert.equal(said.includes('raise'), isDone, `${needed} ${answer}`);
      await commands.raise(search);
      assert.deepEqual(guards.at(-1), { calls: needed });
    }
    assert.equal(
      fake.messages.filter((text) => text === 'Slow build').length,
      2,
      'asked only where it is more than twice',
    );
  });

  it('stays at rest with a lower limit, and continues with a higher one', async () => {
    const said: string[] = [];
    const commands = commandsWith(said, async () => undefined);
    const search = Object.assign(searchThatIs('paused', said), { limits: { guards: { calls: 50, usd: 5 } } });
    await commands.act(search, '', 'grow', { guards: { calls: 30 } });
    assert.deepEqual(said, ['grow', 'read again']);
    await commands.act(search, '', 'grow', { guards: { calls: 60 } });
    assert.deepEqual(said.slice(2), ['grow', 'read again', 'resume']);
  });
});

describe('a limit that is raised to continue', () => {
  beforeEach(() => fake.reset());

  it('stays as it is if the person does not want the models of the search', async () => {
    const said: string[] = [];
    const commands = commandsWith(said, undefined, false);
    await commands.raise(
      Object.assign(searchThatIs('paused', said), { state: 'paused', isActive: false, record: restingAt('calls', 50) }),
    );
    assert.deepEqual(said, []);
  });

  it('waits for the question about a model that came with the search', async () => {
    const { search, commands, done } = await onDisk();
    Object.defineProperty(search, 'record', { value: restingAt('calls', 50) });
    fake.answer = () => undefined;
    assert.equal(await commands.toContinue(search), undefined);
    assert.match(fake.messages.join(), /names the model ollama\/m, which you have not used here yet/);
    fake.answer = () => 'Use It';
    const go = await commands.toContinue(search);
    assert.deepEqual(done, [], 'nothing runs before the limit is raised');
    await go?.();
    assert.deepEqual(done, ['ollama/m']);
  });
});

describe('a search that is resumed with another model', () => {
  beforeEach(() => fake.reset());

  /** A search on disk; what a person is asked, and what is run. */
  async function resumed(answer: string | undefined) {
    const { search, commands, done } = await onDisk();
    const asked: { title: string; placeholder: string }[] = [];
    const chooser = {
      chooseFor: async (how: (typeof asked)[number]) => {
        asked.push(how);
        return answer;
      },
    };
    return { search, done, asked, run: () => commands.resumeWith(search, chooser as never, false) };
  }

  it('runs with it, whatever it ran with before, and stores it nowhere', async () => {
    const { done, asked, run } = await resumed('ollama/other');
    await run();
    assert.deepEqual(done, ['ollama/other']);
    assert.match(asked[0]?.title ?? '', /^Resume "Why is the build slow\?"/);
    assert.deepEqual(fake.updates, []);
  });

  it('does not run if the person chooses none', async () => {
    const { done, run } = await resumed(undefined);
    await run();
    assert.deepEqual(done, []);
  });

  it('raises the limit that it rests at, as it says', async () => {
    const { search, done, asked, run } = await resumed('ollama/other');
    Object.defineProperty(search, 'record', { value: havingSpent('calls', 50, { calls: 50 }) });
    await run();
    assert.equal(asked[0]?.placeholder, 'Which model should continue? The limit is raised to 100 calls.');
    assert.deepEqual(done, [{ action: 'grow', guards: { calls: 100 } }, 'ollama/other']);
  });

  it('keeps the limit where there is room left below it', async () => {
    const { search, done, asked, run } = await resumed('ollama/other');
    Object.defineProperty(search, 'record', { value: havingSpent('tokens', 500_000, { prompt: 302_000 }) });
    await run();
    assert.equal(asked[0]?.placeholder, 'Which model should continue? Limit: 500,000 tokens, used: 302,000 tokens.');
    assert.deepEqual(done, ['ollama/other']);
  });
});
