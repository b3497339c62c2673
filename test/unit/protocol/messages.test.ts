import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readHostMessage } from '../../../src/protocol/host-message.ts';
import { readViewMessage } from '../../../src/protocol/view-message.ts';

const mark = { seq: 1, at: 0, time: 0, kind: 'run' };
const node = { path: 'a', title: 'A', status: 'leaf', index: 0 };

describe('the messages of the panel', () => {
  it('are accepted if valid', () => {
    const fromView = [
      { type: 'ready' },
      { type: 'select', path: null },
      { type: 'act', action: 'prune', path: 'a/b' },
      { type: 'exchange', path: '', call: 1 },
      { type: 'timeline', isOpen: true },
      { type: 'seek', to: { seq: 42 }, view: { levels: 2, opened: ['a'] } },
      { type: 'seek', to: { at: 0 } },
      { type: 'seek', to: null },
      { type: 'fork', seq: 1 },
    ];
    for (const message of fromView) assert.deepEqual(readViewMessage(message), message);
    const fromHost = [
      { type: 'snapshot', seq: 0, folder: '/f', search: {}, nodes: [node] },
      { type: 'change', seq: 1, search: {}, upserts: [{ ...node, score: 7.5 }], removals: ['b'] },
      {
        type: 'change',
        seq: 2,
        search: { forecast: null },
        upserts: [{ ...node, sameAs: 'b', selected: false }],
        removals: [],
      },
      { type: 'details', details: { path: 'a', calls: [], steered: [] } },
      { type: 'actions', path: 'a', actions: [{ name: 'prune', title: 'Prune branch' }] },
      { type: 'reveal', path: 'a' },
      { type: 'timeline', timeline: { first: mark, last: mark, marks: [mark], counts: { run: 1 }, pauses: [] } },
    ];
    for (const message of fromHost) assert.deepEqual(readHostMessage(message), message);
  });

  for (const message of [
    { type: 'command', command: 'workbench.action.quit', path: '' },
    { type: 'act', action: 'workbench.action.quit', path: '' },
    { type: 'act', action: '', path: '' },
    { type: 'act', action: 'prune' },
    { type: 'act', action: 'prune', path: 'x'.repeat(10_001) },
    { type: 'exchange', path: '', call: 0.5 },
    { type: 'seek', to: { seq: 0 } },
    { type: 'seek', to: {} },
    { type: 'fork' },
    { type: 'unknown' },
    'ready',
    null,
  ])
    it(`of the view are refused if invalid: ${JSON.stringify(message)?.slice(0, 60)}`, () => {
      assert.equal(readViewMessage(message), undefined);
    });

  for (const message of [
    { type: 'snapshot', seq: -1, folder: '/f', search: {}, nodes: [] },
    { type: 'snapshot', seq: 0, folder: '/f', search: {}, nodes: [{ ...node, index: 'first' }] },
    { type: 'change', seq: 1, search: {}, upserts: [{ ...node, score: Number.NaN }], removals: [] },
    { type: 'change', seq: 1, search: {}, upserts: [], removals: [1] },
    { type: 'change', seq: 1, search: {}, upserts: [{ ...node, sameAs: 1 }], removals: [] },
    { type: 'actions', path: 'a', actions: [{ name: 'prune' }] },
    { type: 'timeline', timeline: { first: mark, last: mark, marks: [{}], counts: {}, pauses: [] } },
    { source: 'some-tool', type: 'webpackOk' },
  ])
    it(`of the host are refused if invalid: ${JSON.stringify(message).slice(0, 60)}`, () => {
      assert.equal(readHostMessage(message), undefined);
    });

  it('never throw', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom('snapshot', 'change', 'details', 'select', 'act', 'actions'),
        (value, type) => {
          const asObject = typeof value === 'object' && value !== null ? { ...value, type } : value;
          readViewMessage(asObject);
          readHostMessage(asObject);
        },
      ),
    );
  });
});
