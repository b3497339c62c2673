import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Ledger } from '../../../../../src/core/money/ledger.ts';
import type { JournalEvent, KeptFold, PartClass, Results, SearchEvent } from '../../../../../src/core/search/events.ts';
import { SearchRecord } from '../../../../../src/core/search/record/search-record.ts';
import { effort } from '../../../../support/effort.ts';
import { assertKept } from '../../../../support/searches/kept-folds.ts';

const limits = { size: 'all', maxDepth: 4, guards: {} } as const;
const results: Results = {
  ...{ expanded: 0, leaves: 0, skipped: 0, failed: 0, pruned: 0, open: 0, calls: 1, usd: 0, minutes: 0 },
  tokens: { prompt: 0, cached: 0, completion: 0, worstCase: 0 },
  usdComplete: true,
};
const thoughts = { solved: true, finishedPath: ['a'], bestPath: ['b'], backtracks: 0, callsByPurpose: {} };
const usage = { prompt: 10, cached: 0, completion: 5, usd: 0.5 };

const EVENTS: readonly SearchEvent[] = [
  { type: 'search-started', model: 'm/first', limits },
  { type: 'search-resumed', model: 'm/last', judge: 'm/judge', limits: { ...limits, size: 'small' } },
  { type: 'search-waiting', reason: 'unreachable', message: 'no network' },
  { type: 'search-running' },
  { type: 'search-paused', reason: 'person', cause: 'key-refused', message: 'a key', results },
  { type: 'search-finished', reason: 'size', results: { ...results, thoughts } },
  { type: 'budget-changed', by: 'user', limits: { ...limits, maxDepth: 7 } },
  { type: 'call-started', call: 'c', purpose: 'document', node: 'a', model: 'm', attempt: 1, worst: { tokens: 100 } },
  { type: 'call-ended', call: 'c', purpose: 'document', node: 'a', outcome: 'ok', ms: 5, charged: true, usage },
  { type: 'picked', ranking: ['b', 'a'] },
  { type: 'steered', by: 'p', action: 'expand', node: 'a', message: '', value: { listsBefore: 1 } },
  { type: 'steered', by: 'p', action: 'redo', node: 'b', message: '' },
  { type: 'steered', by: 'p', action: 'prune', node: 'b', message: '' },
  { type: 'node-status', node: 'a', status: 'expanded' },
  { type: 'node-status', node: 'b', status: 'in-progress' },
  { type: 'node-added', node: '', children: [{ slug: 'a', title: 'A' }] },
  { type: 'of-a-later-version' } as unknown as SearchEvent,
];
const offer = { id: 'o1', kind: 'errand', nodes: ['a', 'a/c'], ask: { what: 'this' } };
const answers = [{ offer: 'o1', result: { done: 'yes' } }];

/** What is kept besides. */
const MORE_EVENTS: readonly SearchEvent[] = [
  { type: 'system-text', text: 'You search.' },
  { type: 'system-text', text: 'You search otherwise.' },
  { type: 'adopted' },
  { type: 'spend-remembered', calls: 2, tokens: 30, usd: 0.1, minutes: 0.3 },
  { type: 'search-waiting', reason: 'offers', message: 'others' },
  {
    type: 'call-started',
    call: 'd',
    question: 'q',
    purpose: 'pick',
    node: '',
    model: 'n',
    attempt: 2,
    worst: { tokens: 7, usd: 0.3 },
  },
  { type: 'call-ended', call: 'd', purpose: 'pick', node: '', outcome: 'cut-off', ms: 5, charged: true },
  { type: 'call-ended', call: 'd', purpose: 'pick', node: '', outcome: 'ok', ms: 5, charged: true, usage },
  { type: 'usage-doubted', model: 'm', doubt: 'sums', message: 'sums' },
  { type: 'trying', node: 'a', round: 2 },
  { type: 'generated', node: 'a', round: 2, found: 3 },
  { type: 'steered', by: 'p', action: 'add', node: 'a', message: '', value: { path: 'a/c' } },
  { type: 'node-added', node: 'a', children: [{ id: 'one', slug: 'c', title: 'C', status: 'leaf' }] },
  { type: 'node-added', node: 'a/c', children: [{ id: 'two', slug: 'd', title: 'D', score: 3, at: 0 }] },
  { type: 'node-added', node: '', children: [{ slug: 'b', title: 'B', document: 'a'.repeat(32) }] },
  { type: 'node-status', node: 'a/c', status: 'pruned', was: 'leaf' },
  { type: 'node-status', node: 'a/c', status: 'leaf', gone: ['prunedBy'] },
  { type: 'node-removed', node: 'a/c' },
  { type: 'node-removed', node: 'a' },
  { type: 'node-moved', node: 'b/c', from: 'a/c', id: 'one', at: 0 },
  { type: 'node-moved', node: 'a/c', from: 'b/c', id: 'one', at: 0 },
  { type: 'node-moved', node: 'b', from: 'a', at: 1 },
  { type: 'node-order', node: '', order: ['b', 'a'] },
  { type: 'offer-made', offer },
  { type: 'offer-taken', offer: 'o1', by: 'x', expiresAt: '2026-01-01T00:00:00.000Z' },
  { type: 'offer-taken', offer: 'o1', by: 'y', person: true },
  { type: 'offer-given-back', offer: 'o1', by: 'y' },
  { type: 'offer-expired', offer: 'o1' },
  { type: 'offers-withdrawn', offers: ['o1'] },
  { type: 'offers-answered', answers, by: 'x' },
  { type: 'offers-applied', offers: ['o1'] },
];
const journalOf = (...events: readonly SearchEvent[]): JournalEvent[] =>
  events.map((event, index) => ({ seq: index + 1, time: new Date(index * 60_000).toISOString(), ...event }));
const at = (index: number): SearchEvent => EVENTS[index] as SearchEvent;

/** All that a record says. */
function said(record: SearchRecord): unknown {
  const { seq, hasBegun, turn, end, model, judge, reason, cause, spend, ranking } = record;
  const come = record.findings('thoughts');
  const { limits: bounds, wishes, isReportFresh, statistics } = record;
  const open = [...record.callsUnderWay.all];
  const costs = [record.costs.isUnheard('m'), record.costs.worstUsd('m', 10, 10)];
  const calls = statistics.callsByPurpose;
  return [
    seq,
    hasBegun,
    turn,
    end,
    model,
    judge,
    reason,
    cause,
    come,
    spend,
    ranking,
    bounds,
    wishes,
    isReportFresh,
  ].concat([open, costs, calls, record.ledger.spendAtWorst] as never);
}

describe('the record of a search', () => {
  it('is the same at every event, however it was reached', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }), (events) => {
        const journal = journalOf(...events);
        const running = new SearchRecord();
        for (const event of journal) {
          running.apply(event);
          assert.deepEqual(said(SearchRecord.at(journal, event.seq)), said(running));
        }
        assert.deepEqual(said(SearchRecord.of(journal)), said(running));
      }),
      { numRuns: effort(200) },
    );
  });

  it('can be kept at every event, with its parts and its tree, and taken up from there', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...EVENTS, ...MORE_EVENTS), { maxLength: 40 }),
        fc.nat(40),
        async (events, at) => {
          await assertKept(journalOf(...events), at);
        },
      ),
      { numRuns: effort(2000) },
    );
  });

  it('knows model, judge and limits of the last run, and limits that were changed since', () => {
    const journal = journalOf(at(0), at(1), at(6));
    const told = [1, 2, 3].map((seq) => SearchRecord.at(journal, seq));
    assert.deepEqual(
      told.map(({ model, judge }) => [model, judge]),
      [['m/first', undefined], ...Array.from({ length: 2 }, () => ['m/last', 'm/judge'])],
    );
    assert.deepEqual(
      told.map((record) => [record.limits?.size, record.limits?.maxDepth]),
      [
        ['all', 4],
        ['small', 4],
        ['all', 7],
      ],
    );
    assert.equal(new SearchRecord().limits, undefined);
  });

  it('says why it rests as long as it does, and has its results', () => {
    const paused = SearchRecord.of(journalOf(at(0), at(4), at(13)));
    assert.deepEqual([paused.reason?.text, paused.cause, paused.end?.type], ['a key', 'key-refused', 'search-paused']);
    const resumed = SearchRecord.of(journalOf(at(0), at(5), at(1)));
    assert.deepEqual([resumed.reason, resumed.cause, resumed.findings('thoughts')], [undefined, undefined, undefined]);
    assert.equal(resumed.end?.type, 'search-finished');
    assert.deepEqual(SearchRecord.of(journalOf(at(0), at(5))).findings('thoughts'), thoughts);
  });

  it('keeps wishes until a run has started on them; a node wished for again comes last', () => {
    const journal = journalOf(at(10), at(11), at(12), at(14));
    assert.deepEqual(SearchRecord.of(journal).wishes, [
      { node: 'a', action: 'expand', listsBefore: 1 },
      { node: 'b', action: 'redo', listsBefore: undefined },
    ]);
    const again = SearchRecord.of(journalOf(at(10), at(11), at(10)));
    assert.deepEqual(
      again.wishes.map(({ node }) => node),
      ['b', 'a'],
    );
    assert.deepEqual(
      SearchRecord.of(journalOf(at(10), at(11), at(13))).wishes.map(({ node }) => node),
      ['b'],
    );
  });

  it('knows the calls under way, but none of a run that was killed', () => {
    assert.equal(SearchRecord.of(journalOf(at(0), at(7))).callsUnderWay.size, 1);
    assert.equal(SearchRecord.of(journalOf(at(0), at(7), at(8))).callsUnderWay.size, 0);
    assert.equal(SearchRecord.of(journalOf(at(0), at(7), at(1))).callsUnderWay.size, 0);
  });

  it('knows when its report is complete', () => {
    assert.equal(SearchRecord.of(journalOf(at(0), at(5), at(9))).isReportFresh, true);
    assert.equal(SearchRecord.of(journalOf(at(0), at(5), at(15))).isReportFresh, false);
  });

  it('passes every event, in order, to added parts', () => {
    const Seen = seenClass('seen');
    const record = SearchRecord.of(journalOf(...EVENTS), new Seen());
    assert.deepEqual(
      record.part(Seen)?.state,
      EVENTS.map(({ type }) => type),
    );
  });

  it('finds an added part by its name, whichever copy of its class it is of', () => {
    const part = new (seenClass('seen'))();
    const record = new SearchRecord(new Ledger(), new (seenClass('other'))(), part);
    assert.equal(record.part(seenClass('seen')), part);
    assert.equal(record.part(seenClass('none')), undefined);
  });

  it('is done once it ended by itself, until something happens', () => {
    const finished = (reason: 'size' | 'complete' | 'solved' | 'finish-now'): SearchEvent => ({
      type: 'search-finished',
      reason,
      results,
    });
    const isDone = (...events: SearchEvent[]): boolean => SearchRecord.of(journalOf(at(0), ...events)).isDone;
    for (const reason of ['size', 'complete', 'solved'] as const) assert.ok(isDone(finished(reason)), reason);
    assert.ok(!isDone(finished('finish-now')), 'a person ended it');
    assert.ok(!isDone(finished('complete'), at(10)), 'a person wants more of it');
    assert.ok(!isDone(), 'it is under way');
  });
});

/** A class of its own, as each bundle has one, whose instances keep the types of events. */
function seenClass(name: string): PartClass<KeptFold> {
  return class {
    static readonly part = name;
    readonly name = name;
    readonly state: string[] = [];
    apply({ type }: JournalEvent): void {
      this.state.push(type);
    }
    restore(): void {}
  };
}
