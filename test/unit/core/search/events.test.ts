import assert from 'node:assert/strict';
import { JournalEvent, type Results } from '../../../../src/core/search/events.ts';

const results: Results = {
  expanded: 1,
  leaves: 2,
  skipped: 0,
  failed: 0,
  pruned: 0,
  open: 3,
  calls: 4,
  tokens: { prompt: 5, cached: 1, completion: 6, worstCase: 7 },
  usd: 0.5,
  usdComplete: false,
  minutes: 1.5,
};
const limits = { size: 'small', maxDepth: 4, guards: { calls: 1, tokens: 2, usd: 0.5, minutes: 1.5 } };
const call = { call: 'c1', purpose: 'document', node: 'a/b' };

const happenings: (Record<string, unknown> & { type: string })[] = [
  { type: 'search-started', model: 'a/b', limits },
  { type: 'search-resumed', model: 'a/b', judge: 'c/d', limits: { ...limits, guards: {} } },
  { type: 'system-text', text: 'You explore.' },
  { type: 'search-waiting', reason: 'rate-limited', message: 'Wait.' },
  { type: 'search-running' },
  { type: 'search-paused', reason: 'person', cause: 'key-refused', message: 'No.', results },
  { type: 'search-finished', reason: 'size', results },
  {
    type: 'node-added',
    node: '',
    children: [
      { slug: 'a', title: 'A', score: 7.5 },
      { slug: 'b', title: 'B' },
    ],
  },
  { type: 'node-status', node: 'a', status: 'leaf', summary: 'S', leafReason: 'model' },
  { type: 'node-status', node: 'a', status: 'pruned', prunedBy: 'user' },
  { type: 'node-status', node: 'a', status: 'failed', failure: { reason: 'refused', message: 'No.' } },
  { type: 'node-status', node: 'a', status: 'unexpanded', evaluation: { score: 1, confidence: 0.5, reasoning: 'R' } },
  { type: 'call-started', ...call, model: 'a/b', attempt: 1, worst: { tokens: 10, usd: 0.1 } },
  {
    type: 'call-ended',
    ...call,
    outcome: 'ok',
    ms: 5,
    charged: true,
    usage: { prompt: 1, cached: 0, completion: 2, usd: 0 },
  },
  {
    type: 'call-started',
    ...call,
    question: 's.0',
    about: ['a', 'b'],
    model: 'a/b',
    attempt: 1,
    worst: { tokens: 10 },
    sent: '0f',
  },
  {
    type: 'call-ended',
    ...call,
    question: 's.0',
    outcome: 'ok',
    ms: 5,
    charged: true,
    kept: { conversation: 's', turn: 1, after: [{ conversation: 'r', turns: 4 }] },
  },
  { type: 'call-ended', ...call, outcome: 'refused', message: 'No.', ms: 5, charged: false },
  { type: 'call-ended', ...call, outcome: 'bad-answer', ms: 5, charged: true, booked: { tokens: 30_000, usd: 2 } },
  { type: 'usage-doubted', model: 'a/b', doubt: 'reasoning', message: 'It leaves it out.' },
  {
    type: 'search-finished',
    reason: 'size',
    results: { ...results, booked: { calls: 1, tokens: 7, usd: 0.2 } },
  },
  { type: 'context-shortened', node: 'a/b', purpose: 'document', documents: ['a'], lists: [], tokens: 9, room: 8 },
  { type: 'tool-used', call: 'c', node: 'a', tool: 'read_lines', what: 'a.ts:1-2', isRefused: false, length: 9 },
  { type: 'trying', node: 'a', round: 2 },
  { type: 'models-passed', node: 'a', round: 2, models: ['b/c'], spent: { model: 'b/c', most: 0.5 } },
  { type: 'generated', node: 'a', round: 2, found: 3 },
  { type: 'picked', ranking: ['a', 'a/b'] },
  { type: 'picked', ranking: ['a'], beside: { nth: 3, kept: 16 } },
  { type: 'steered', by: 'user', action: 'expand', node: 'a', message: 'Done.', value: { listsBefore: 1 } },
  { type: 'adopted' },
  { type: 'spend-remembered', calls: 1, tokens: 2, usd: 0.5, minutes: 3 },
  { type: 'budget-changed', by: 'user', limits },
  { type: 'reconciled', node: 'a', what: 'removed by hand' },
  { type: 'lease-taken', epoch: 2, pid: 3, host: 'h' },
  { type: 'text-written', file: 'notes.md', text: '0'.repeat(32), by: 'hand' },
  { type: 'text-written', file: 'report.md' },
  { type: 'forked', from: { search: 'why', event: 42, time: '2026-01-01T00:00:00.000Z' } },
  { type: 'progress', text: 'Picking next leaf to research...' },
  { type: 'search-waiting', reason: 'offers', message: 'Everything else is done.' },
  { type: 'search-running', reason: 'offers' },
  { type: 'offer-made', offer: { id: 'o-1', kind: 'do', nodes: ['a'], ask: { what: 'A' }, expiresMs: 60_000 } },
  { type: 'offer-taken', offer: 'o-1', by: 'client', expiresAt: '2026-01-01T00:01:00.000Z' },
  { type: 'offer-taken', offer: 'o-1', by: 'somebody', person: true },
  { type: 'offer-given-back', offer: 'o-1', by: 'client' },
  { type: 'offer-expired', offer: 'o-1' },
  { type: 'offers-withdrawn', offers: ['o-1', 'o-2'] },
  { type: 'offers-answered', answers: [{ offer: 'o-1', result: { done: 'yes' } }], by: 'client' },
  { type: 'offers-applied', offers: ['o-1'] },
  { type: 'shown', node: 'a', session: 's-1', text: 'One document is finished.' },
  { type: 'node-removed', node: 'a', by: 'hand' },
  { type: 'node-moved', node: 'b/a', from: 'a', id: 'x-1', at: 0, by: 'hand' },
  { type: 'node-order', node: '', order: ['b', 'a'], by: 'opening' },
  {
    type: 'node-status',
    node: 'a',
    status: 'expanded',
    id: 'x-1',
    gone: ['note'],
    document: '0'.repeat(64),
    by: 'hand',
  },
];

describe('an event of the journal', () => {
  for (const happening of happenings)
    it(`is read as it was written: ${JSON.stringify(happening).slice(0, 70)}`, () => {
      const event = { seq: 7, time: '2026-01-01T00:00:00.000Z', ...happening };
      assert.deepEqual(JournalEvent.parse(JSON.parse(JSON.stringify(event))), event);
    });

  it('of every kind is read here', () => {
    const kinds = JournalEvent.def.right.options.map((option) => option.shape.type.value as string);
    assert.deepEqual(new Set(happenings.map(({ type }) => type)), new Set(kinds));
  });

  for (const wrong of [
    {},
    { type: 'search-running' },
    { seq: 0, time: '', type: 'search-running' },
    { seq: 1, time: '', type: 'unheard-of' },
    { seq: 1, time: '', ...happenings[12], worst: { tokens: -1 } },
    { seq: 1, time: '', ...happenings[12], worst: { tokens: 1.5 } },
    { seq: 1, time: '', ...happenings[13], usage: { prompt: 1, cached: 0, completion: null } },
    { seq: 1, time: '', type: 'picked', ranking: 'a' },
    { seq: 1, time: '', type: 'picked', ranking: ['a'], beside: { nth: 0, kept: 1 } },
    { seq: 1, time: '', type: 'picked', ranking: ['a'], beside: { nth: 1, kept: 65 } },
    null,
    [],
  ])
    it(`is refused: ${JSON.stringify(wrong).slice(0, 60)}`, () => assert.ok(!JournalEvent.safeParse(wrong).success));
});
