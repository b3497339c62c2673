import './use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { LogOutputChannel } from 'vscode';
import type { LimitReached } from '../../../src/core/search/record/search-state.ts';
import type { Outcome } from '../../../src/engine/loop.ts';
import type { ActionCommands } from '../../../src/extension/actions/action-commands.ts';
import type { FollowedSearch } from '../../../src/extension/library/followed-search.ts';
import type { RunEnd } from '../../../src/extension/library/run-request.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { openPurse } from '../../../src/searches/purse/purse.ts';
import { until } from '../../support/until.ts';
import { EventEmitter, fake, ThemeColor } from './fake-vscode.ts';
import { available } from './sidebar/available.ts';
import { begun, restingAt, sampleLibrary, sampleSearch, settled } from './sidebar/sample.ts';

const { StatusBar } = await import('../../../src/extension/sidebar/status-bar.ts');
const { ContextKeys } = await import('../../../src/extension/sidebar/context-keys.ts');
const { EndNotices } = await import('../../../src/extension/acting/end-notices.ts');

const LIMITS = { size: 'small' as const, maxDepth: 4, guards: { calls: 100, tokens: 1000, usd: 1 } };

describe('the status bar', () => {
  beforeEach(() => fake.reset());

  it('is hidden without a search', () => {
    const { library, tell } = sampleLibrary();
    new StatusBar(library, available);
    tell();
    assert.equal(fake.statusBar?.isShown, false);
  });

  it('says what runs, how far it is and what it has spent', () => {
    const running = sampleSearch({
      folder: '/b',
      progress: { done: 12, open: 28, failed: 1 },
      callsUnderWay: 3,
      spend: { usd: 0.42 },
    });
    const { library, tell } = sampleLibrary(sampleSearch({ state: 'finished' }), running);
    new StatusBar(library, available);
    tell();
    assert.equal(fake.statusBar?.isShown, true);
    assert.equal(fake.statusBar?.text, '$(sync~spin) 12 nodes done, 28 open, 1 failed · $0.42');
    assert.equal(fake.statusBar?.tooltip, 'Slow build: running\nCalls under way: 3');
    assert.equal(fake.statusBar?.backgroundColor, undefined);
  });

  it('says that a search is finished, though some of it was not looked into', () => {
    const { library, tell } = sampleLibrary(
      sampleSearch({ state: 'finished', record: begun(), progress: { done: 60, open: 90, failed: 0 } }),
    );
    new StatusBar(library, available);
    tell();
    assert.equal(fake.statusBar?.text, '$(type-hierarchy) finished · 60 nodes done, 90 open');
  });

  it('shows the forecast of a running search', () => {
    const band = (likely: number) => ({ low: likely / 2, likely, high: likely * 2 });
    const figures = (usd?: number) => ({
      calls: band(40),
      tokens: band(120_000),
      usd: usd === undefined ? undefined : band(usd),
      minutes: band(4),
      seen: { past: 12, own: 3 },
    });
    const forecast = () => ({ left: figures(0.2), whole: figures(0.5) });
    const { library, tell } = sampleLibrary(sampleSearch({ forecast }));
    new StatusBar(library, available);
    tell();
    const [, whole, left] = fake.statusBar?.tooltip.split('\n') ?? [];
    assert.equal(whole, 'Forecast: about 40 calls · 120K tokens · $0.50 ($0.25 to $1.00) · 4 min');
    assert.equal(left, 'about $0.20 and 4 min left');
  });

  for (const [what, spend, warns] of [
    ['80 calls of 100', { calls: 80 }, false],
    ['81 calls of 100', { calls: 81 }, true],
    ['801 tokens of 1000', { prompt: 500, completion: 201, worstCase: 100 }, true],
    ['81 cents of a dollar', { usd: 0.81 }, true],
  ] as const)
    it(`${warns ? 'warns' : 'does not warn'} at ${what}`, () => {
      const { library, tell } = sampleLibrary(sampleSearch({ limits: LIMITS, spend }));
      new StatusBar(library, available);
      tell();
      const expected = warns ? new ThemeColor('statusBarItem.warningBackground') : undefined;
      assert.deepEqual(fake.statusBar?.backgroundColor, expected);
    });

  it('shows what all searches spent of the limits over everything, while one spends', async () => {
    const purse = openPurse({ folder: '', search: '' });
    assert.ok(purse);
    await purse.setLimit('day', 25);
    try {
      const { library, tell } = sampleLibrary(sampleSearch({ spend: { usd: 0.1 } }));
      new StatusBar(library, available);
      // Other tests of this process may have spent something: cents have four places, whole dollars none.
      await until(() => {
        tell();
        return /^All searches today: \$\d[\d.]* of \$25$/m.test(fake.statusBar?.tooltip ?? '');
      });
    } finally {
      await purse.setLimit('day', undefined);
      await purse.close();
    }
  });

  it('keeps apart what was used and what is only booked', () => {
    const spend = { calls: 5, prompt: 4000, usd: 1.5, worstCase: 2000, booked: { calls: 2, tokens: 2000, usd: 1 } };
    const { library, tell } = sampleLibrary(sampleSearch({ spend }));
    new StatusBar(library, available);
    tell();
    assert.match(fake.statusBar?.text ?? '', / · \$0\.50\+$/);
    assert.match(
      fake.statusBar?.tooltip ?? '',
      /^Booked: up to 2K tokens, \$1\.00 for calls without a told usage: 2$/m,
    );
  });

  it('shows an error if a person is needed', () => {
    const { library, tell } = sampleLibrary(sampleSearch({ state: 'paused', cause: 'key-refused' }));
    new StatusBar(library, available);
    tell();
    assert.deepEqual(fake.statusBar?.backgroundColor, new ThemeColor('statusBarItem.errorBackground'));
  });
});

describe('context keys', () => {
  beforeEach(() => fake.reset());

  it('are set when they change, and only then', async () => {
    const search = sampleSearch({ state: 'paused' });
    const { library, tell } = sampleLibrary(search);
    new ContextKeys(library, available);
    await settled();
    const isSet = new Map(fake.contexts as [string, boolean][]);
    const can = [...isSet].filter(([key, value]) => key.startsWith('thoughtTree.can.') && value).map(([key]) => key);
    assert.deepEqual([isSet.get('thoughtTree.any'), isSet.get('thoughtTree.known')], [true, true]);
    assert.deepEqual(can.map((key) => key.slice('thoughtTree.can.'.length)).sort(), [
      'exportSearch',
      'finish',
      'grow',
      'note',
      'resume',
      'resumeWith',
    ]);
    fake.contexts.length = 0;
    tell();
    assert.deepEqual(fake.contexts, []);
    Object.assign(search, { state: 'running', isActive: true, isResumable: false });
    tell();
    assert.deepEqual(fake.contexts, [
      ['thoughtTree.can.pause', true],
      ['thoughtTree.can.pauseNow', true],
      ['thoughtTree.can.resume', false],
      ['thoughtTree.can.resumeWith', false],
    ]);
  });
});

describe('notices at the end of a search', () => {
  const results = { expanded: 3, leaves: 4, failed: 0 } as Extract<Outcome, { state: 'finished' }>['results'];
  const done: string[] = [];
  const fails: { with: Error | undefined } = { with: undefined };
  const actions = {
    run: async (name: string, target: { folder: string }) => {
      if (fails.with) throw fails.with;
      done.push(`${name} ${target.folder}`);
    },
    learnNeed: async (search: FollowedSearch) => void Object.assign(search, needed && { needed }),
  } as unknown as ActionCommands;
  type How = Omit<RunEnd, 'place' | 'title' | 'kind'>;
  const logged: string[] = [];
  let needed: LimitReached | undefined;
  let isDrawn = false;
  let offer: { readonly said: string; accept(): Promise<void> } | undefined;
  const log = { error: (text: unknown) => logged.push(String(text)) } as unknown as LogOutputChannel;
  const FOLDER = '/home/me/thought-trees/slow';
  const tellOf = async (how: How, title = 'Slow build', kind = 'research', more: object = {}): Promise<void> => {
    const ends = new EventEmitter<RunEnd>();
    const finished = how.outcome?.state === 'finished';
    const { library } = sampleLibrary(
      sampleSearch({ state: finished ? 'finished' : 'paused', hasReport: finished, record: begun(), ...more }),
    );
    new EndNotices({
      runner: { onDidEnd: ends.event as never },
      actions,
      available,
      library,
      log,
      kinds: KINDS,
      changes: { offer: async () => offer },
      isDrawn: () => isDrawn,
    });
    ends.fire({ kind, place: { folder: FOLDER, workspace: '/home/me' }, title, ...how });
    await settled();
  };
  const paused = (reason: 'user' | 'budget' | 'person', cause?: string): How => ({
    outcome: { state: 'paused', reason, cause, message: 'See [this](command:bad).', results } as unknown as Outcome,
  });
  beforeEach(() => {
    fake.reset();
    done.length = 0;
    isDrawn = false;
    offer = undefined;
    needed = undefined;
  });

  it('have two buttons, and are left out where the drawing says the same; the end is told in any case', async () => {
    const budget = (): Promise<void> =>
      tellOf(paused('budget', 'calls'), undefined, undefined, { record: restingAt('calls', 50) });
    await budget();
    await tellOf(paused('person', 'key-refused'));
    await tellOf({ outcome: { state: 'finished', results } as Outcome });
    assert.equal(fake.messages.length, 3);
    assert.deepEqual(
      fake.buttons.map((each) => each.length),
      [2, 2, 2],
    );
    isDrawn = true;
    await budget();
    assert.equal(fake.messages.length, 3);
    fake.answer = () => 'Open Report';
    await tellOf({ outcome: { state: 'finished', results } as Outcome });
    assert.deepEqual(done, [`openReport ${FOLDER}`]);
    fake.messages.pop();
    await tellOf(paused('person', 'key-refused'));
    assert.equal(fake.messages.length, 4, 'a person is needed');
    await tellOf(paused('person', 'bad-answer'));
    assert.equal(fake.messages.length, 4, 'the drawing says so, with the same buttons');
    isDrawn = false;
    await tellOf(paused('person', 'bad-answer'));
    assert.equal(fake.messages.length, 5);
  });

  it('offer to raise the limit that is reached, and follow the answer', async () => {
    fake.answer = () => 'Raise to 100 Calls and Continue';
    await tellOf(paused('budget', 'calls'), undefined, undefined, { record: restingAt('calls', 50) });
    assert.equal(fake.messages.length, 1);
    assert.deepEqual(done, [`raise ${FOLDER}`]);
  });

  it('offer what the size needs instead of twice the limit, where that is known', async () => {
    needed = { guard: 'calls', limit: 50, needed: 85 };
    fake.answer = () => 'Raise to 85 Calls and Continue';
    await tellOf(paused('budget', 'calls'), undefined, undefined, { record: restingAt('calls', 50) });
    assert.deepEqual(done, [`raise ${FOLDER}`]);
  });

  it('say what a person is needed for, and set the key if that was refused', async () => {
    fake.answer = () => 'Set API Key';
    await tellOf(paused('person', 'key-refused'));
    assert.match(fake.messages[0] ?? '', /^"Slow build" is paused: /);
    assert.deepEqual(fake.executed, [['thoughtTree.setApiKey']]);
    fake.answer = () => 'Resume';
    await tellOf(paused('person', 'unknown-model'));
    fake.answer = () => 'Resume with Another Model…';
    await tellOf(paused('person', 'unreachable'));
    assert.deepEqual(done, [`resume ${FOLDER}`, `resumeWith ${FOLDER}`]);
  });

  it('offer another model where one is unfit for the task, with the name of the search', async () => {
    await tellOf(paused('person', 'bad-answer'));
    assert.match(
      fake.messages[0] ?? '',
      /^"Slow build" is paused: its model did not answer in the form that it was asked for/,
    );
  });

  it('report errors of the chosen answer', async () => {
    fake.answer = () => 'Finish Now';
    fails.with = new Error('The folder is gone. See [this](command:bad).');
    await tellOf(paused('budget', 'calls'));
    fails.with = undefined;
    assert.equal(fake.messages.length, 2);
    assert.doesNotMatch(fake.messages[1] ?? '', /\]\(/);
  });

  it('say nothing if a person paused it', async () => {
    await tellOf(paused('user'));
    assert.deepEqual(fake.messages, []);
  });

  it('offer the report at the end', async () => {
    fake.answer = () => 'Open Report';
    await tellOf({ outcome: { state: 'finished', results } as Outcome });
    assert.deepEqual(fake.messages, ['"Slow build" is finished: 7 topics.']);
    assert.deepEqual(done, [`openReport ${FOLDER}`]);
  });

  it('lead to the review of what a work graph changed, and to accepting it', async () => {
    const more = { isDivided: true, file: { kind: 'work-graph' } } as object;
    const ends = (): Promise<void> =>
      tellOf({ outcome: { state: 'finished', results } as Outcome }, undefined, 'work-graph', more);
    fake.answer = () => 'Review Changes';
    await ends();
    fake.answer = () => 'Accept Changes…';
    await ends();
    assert.deepEqual(fake.buttons, [
      ['Review Changes', 'Accept Changes…'],
      ['Review Changes', 'Accept Changes…'],
    ]);
    assert.deepEqual(done, [`diff ${FOLDER}`, `accept ${FOLDER}`]);
  });

  it('say what came of a goal, as its kind counts that', async () => {
    const own = { message: 'Goal reached: 3 of 3 tasks.', isReached: true };
    const outcome = { state: 'finished', results: { ...results, leaves: 4, 'work-graph': own } } as unknown as Outcome;
    await tellOf({ outcome }, undefined, 'work-graph');
    assert.deepEqual(fake.messages, ['"Slow build" is finished. Goal reached: 3 of 3 tasks.']);
  });

  it('name the files of work that changes few, where one yes is enough, also beside a drawing that does not', async () => {
    const more = { isDivided: true, file: { kind: 'work-graph' } } as object;
    offer = { said: 'Accepting writes a.ts.', accept: async () => void done.push('accepted') };
    fake.answer = () => 'Accept Changes';
    for (isDrawn of [false, true])
      await tellOf({ outcome: { state: 'finished', results } as Outcome }, undefined, 'work-graph', more);
    assert.match(fake.messages[0] ?? '', /^"Slow build" .*Accepting writes a\.ts\.$/);
    assert.deepEqual(fake.buttons[1], ['Review Changes', 'Accept Changes']);
    assert.deepEqual(done, ['accepted', 'accepted']);
    offer = undefined;
    await tellOf({ outcome: { state: 'finished', results } as Outcome }, undefined, 'work-graph', more);
    assert.equal(fake.messages.length, 2, 'the banner is enough');
  });

  it('say what failed and why, and offer to try it again', async () => {
    fake.answer = () => 'Retry';
    const failure = { reason: 'bad-answer', message: 'The check has no verdict.' };
    const more = {
      count: () => 2,
      paths: () => ['fine', 'odd'],
      statusAt: (path: string) => (path === 'odd' ? 'failed' : 'expanded'),
      store: { readNode: async () => ({ file: { title: 'Odd one', failure } }) },
    };
    const outcome = { state: 'finished', results: { ...results, failed: 2 } } as Outcome;
    await tellOf({ outcome }, undefined, undefined, more);
    assert.deepEqual(fake.messages, [
      '"Slow build" is finished: 7 topics. Failed: 2, first "Odd one": The check has no verdict.',
    ]);
    assert.deepEqual(done, [`retry ${FOLDER}`]);
  });

  it('show the answer if a problem was solved, and say so if it was not', async () => {
    const thoughts = { solved: true, answer: '(10 - 4) * (13 - 9) = 24', finishedPath: ['a'], bestPath: ['a'] };
    const solved = { ...results, thoughts: { ...thoughts, backtracks: 0, callsByPurpose: {} } };
    await tellOf({ outcome: { state: 'finished', results: solved } as unknown as Outcome }, undefined, 'thoughts');
    const { answer: _, ...wordless } = solved.thoughts;
    await tellOf(
      { outcome: { state: 'finished', results: { ...results, thoughts: wordless } } as unknown as Outcome },
      undefined,
      'thoughts',
    );
    const unsure = { ...wordless, solved: false };
    await tellOf(
      { outcome: { state: 'finished', results: { ...results, thoughts: unsure } } as unknown as Outcome },
      undefined,
      'thoughts',
    );
    const lost = { ...wordless, solved: false, finishedPath: [] };
    await tellOf(
      { outcome: { state: 'finished', results: { ...results, thoughts: lost } } as unknown as Outcome },
      undefined,
      'thoughts',
    );
    assert.deepEqual(fake.messages, [
      '"Slow build" is finished. Answer: (10 - 4) * (13 - 9) = 24',
      '"Slow build" is finished: a solution in 1 thought.',
      '"Slow build" is finished: 7 thoughts.',
      '"Slow build" is finished, and no solution was found. The report shows the best path.',
    ]);
  });

  it('never turn text of a model, a server or a file into a link', async () => {
    await tellOf(paused('person', 'refused'), '[Click](command:workbench.action.quit)');
    await tellOf({ error: new Error('[Click](command:workbench.action.quit)') });
    assert.equal(fake.messages.length, 2);
    for (const message of fake.messages) assert.doesNotMatch(message, /\]\(/);
  });
});
