import assert from 'node:assert/strict';
import { exitCodeOfError, exitCodeOfOutcome } from '../../../../src/cli/exit-codes.ts';
import { farewellRows, firstToRead } from '../../../../src/cli/rows/farewell.ts';
import { reachedLimit } from '../../../../src/cli/rows/texts.ts';
import { renderRow } from '../../../../src/cli/terminal/terminal.ts';
import { foreign, kept } from '../../../../src/core/messages/message.ts';
import { type Reason, ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { Limits, SpendLimits } from '../../../../src/core/search/limits.ts';
import { Tree } from '../../../../src/core/tree/tree.ts';
import { type Outcome, resultsOf } from '../../../../src/engine/loop.ts';
import { researchDescriptor } from '../../../../src/kinds/research/descriptor.ts';
import { PLAIN, sampleTree } from './sample-tree.ts';

const { tree } = sampleTree();
const spend = {
  calls: 4,
  prompt: 900,
  cached: 0,
  completion: 100,
  worstCase: 0,
  usd: 0.5,
  usdComplete: true,
  minutes: 1,
  booked: { calls: 0, tokens: 0, usd: 0 },
};
const results = resultsOf(tree, spend, 0);
const paused = (reason: 'user' | 'budget' | 'person' | 'store', cause?: string): Outcome => ({
  state: 'paused',
  reason,
  ...kept(foreign({ text: 'It said why.' })),
  results,
  ...(cause === undefined ? {} : { cause }),
});

describe('exit codes', () => {
  it('follow from how a run ended', () => {
    const outcomes: Outcome[] = [
      { state: 'finished', reason: 'size', results },
      paused('user'),
      paused('budget'),
      paused('person'),
      paused('store'),
    ];
    assert.deepEqual(outcomes.map(exitCodeOfOutcome), [0, 130, 3, 4, 1]);
  });

  it('follow from the error of a command', () => {
    const codes: Partial<Record<Reason, number>> = {
      'bad-input': 2,
      'not-found': 2,
      exists: 2,
      budget: 3,
      'key-refused': 4,
      'quota-exceeded': 4,
      unreachable: 4,
      held: 5,
      'lease-lost': 5,
      damaged: 1,
      'newer-version': 1,
      'disk-full': 1,
      'not-writable': 1,
      internal: 1,
    };
    for (const [reason, code] of Object.entries(codes))
      assert.equal(exitCodeOfError(new ThoughtTreeError(reason as Reason, foreign({ text: '' }))), code, reason);
    assert.equal(exitCodeOfError(new TypeError('x')), 1);
  });
});

describe('the guard that paused a search', () => {
  const reached = (guards: SpendLimits, cause: string | undefined): unknown =>
    reachedLimit({ size: 'all', maxDepth: 4, guards }, cause)?.option;

  it('is named with a value that lets it continue', () => {
    assert.deepEqual(reached({ calls: 4, tokens: 1001, usd: 0.6 }, 'calls'), ['--max-calls', '14']);
    assert.deepEqual(reached({ calls: 1000, tokens: 1001, usd: 5 }, 'tokens'), ['--max-tokens', '101001']);
    assert.deepEqual(reached({ calls: 1000, tokens: 2_000_000, usd: 0.6 }, 'usd'), ['--max-usd', '1.6']);
    assert.deepEqual(reached({ calls: 1000, minutes: 0.9 }, 'minutes'), ['--max-minutes', '1.9']);
    assert.deepEqual(reached({ calls: 0 }, 'calls'), ['--max-calls', '10']);
    for (const cause of ['usd', 'constructor', undefined]) assert.equal(reached({ calls: 1 }, cause), undefined);
  });
});

describe('the limit of one of several models that paused a search', () => {
  it('is raised by naming it again, as no other limit helps', () => {
    const limits = { size: 'all' as const, maxDepth: 4, guards: { usd: 5 } };
    const said = (models: string) => reachedLimit(limits, 'usd of a/b', models)?.option;
    assert.deepEqual(said('a/b=0.1,c/d'), ['--models', 'a/b=1.1,c/d']);
    assert.deepEqual(said('c/d=0.000000001,a/b=2'), ['--models', 'c/d=0.000000001,a/b=4']);
    for (const models of ['a/b,c/d', 'c/d=1', '']) assert.equal(said(models), undefined, models);
  });
});

describe('the farewell', () => {
  const limits: Limits = { size: 'small', maxDepth: 4, guards: { calls: 4, usd: 5 } };
  const say = (outcome: Outcome, models?: string): string[] =>
    farewellRows({
      outcome,
      models,
      tree,
      limits,
      words: researchDescriptor.words,
      hasReport: false,
      free: false,
      folder: 'thought-trees/why',
      resume: (...more) => ['RESUME', ...more].join(' '),
      command: (name) => `COMMAND ${name}`,
    }).map((row) => renderRow(row, 200, PLAIN));
  const common = [
    '✓ 2 expanded  ● 1 leaf  ◐ 2 in progress  ○ 3 open  ⊘ 1 pruned  ✗ 1 failed',
    '1m 00s · 4 calls · 1k tokens (0% cached) · $0.50',
    'Files       thought-trees/why',
  ];
  const document = 'Read first  thought-trees/why/alpha/document.md';

  it('of a finished search shows its results and how it can grow', () => {
    assert.deepEqual(say({ state: 'finished', reason: 'size', results }), [
      'Tree search complete: 2 expanded, 1 leaf, 0 skipped, 1 failed',
      ...common,
      'Read first  thought-trees/why/report.md',
      'The size small (20) is reached; 5 topics are still open. To continue:',
      '  RESUME --size medium',
      '1 topic failed. To see why, and to retry:',
      '  COMMAND status',
      '  COMMAND retry',
    ]);
  });

  it('of one that came to its end names what continues it, since it would not by itself', () => {
    const lines = say({ state: 'finished', reason: 'complete', results });
    assert.deepEqual(lines.slice(5, 7), [
      '5 topics are set aside. To continue from one of them:',
      '  COMMAND expand NODE',
    ]);
    assert.ok(!lines.some((line) => line.includes('RESUME')), 'resuming does nothing');
    assert.ok(say({ state: 'finished', reason: 'finish-now', results }).includes('  RESUME'));
  });

  it('of a paused one says why, and what to do', () => {
    assert.deepEqual(say(paused('user')), ['Paused.', ...common, document, 'To continue:', '  RESUME']);
    assert.deepEqual(say(paused('budget', 'calls')), [
      'Paused. It said why.',
      ...common,
      document,
      'The limit of 4 calls (--max-calls) is reached. To continue with a higher one:',
      '  RESUME --max-calls 14',
    ]);
    assert.match(say(paused('person', 'key-refused')).at(-2) ?? '', /variable named above; then:$/);
    assert.match(say(paused('person', 'anything')).at(-2) ?? '', /^Once that is fixed:$/);
    assert.match(say(paused('store', 'disk-full')).at(-2) ?? '', /^Nothing that was written is lost\./);
  });

  it('of one at the limit of one of several models tells how to raise that', () => {
    assert.deepEqual(say(paused('budget', 'usd of a/b'), 'a/b=0.5,c/d').slice(-2), [
      'The limit of $0.5 (--models) is reached. To continue with a higher one:',
      '  RESUME --models a/b=1.5,c/d',
    ]);
  });

  it('names the best document of the first level', () => {
    assert.equal(firstToRead(tree)?.title, 'Alpha');
    assert.equal(firstToRead(new Tree('')), undefined);
  });
});
