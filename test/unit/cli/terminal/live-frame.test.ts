import assert from 'node:assert/strict';
import { type FrameInput, frameRows, SlotBoard } from '../../../../src/cli/terminal/live-view.ts';
import { renderRow } from '../../../../src/cli/terminal/terminal.ts';
import type { JournalEvent, SearchEvent } from '../../../../src/core/search/events.ts';
import { CallsUnderWay } from '../../../../src/core/search/record/runs.ts';
import type { TreeNode } from '../../../../src/core/tree/tree.ts';
import { type MoveUnderWay, resultsOf } from '../../../../src/engine/loop.ts';
import { researchDescriptor } from '../../../../src/kinds/research/descriptor.ts';
import { PLAIN, sampleTree } from '../rows/sample-tree.ts';

const NOW = Date.parse('2026-01-01T00:01:00Z');
const { tree, byTitle } = sampleTree();
const spend = {
  calls: 34,
  prompt: 100_000,
  cached: 62_000,
  completion: 20_000,
  worstCase: 0,
  usd: 0.123,
  usdComplete: true,
  minutes: 2,
  booked: { calls: 0, tokens: 0, usd: 0 },
};

const expand = (id: string, node: TreeNode): MoveUnderWay => ({
  id,
  kind: 'work',
  nodes: [node.id],
  isWork: true,
  expands: true,
});
const at = (seconds: number, event: SearchEvent): JournalEvent => ({
  seq: 1,
  time: new Date(NOW - seconds * 1000).toISOString(),
  ...event,
});
const started = (call: string, purpose: string, node: string, seconds: number, attempt = 1): JournalEvent =>
  at(seconds, { type: 'call-started', call, purpose, node, attempt, model: 'm', worst: { tokens: 1 } });

function board(concurrency = 3, calls = new CallsUnderWay()): SlotBoard {
  calls.apply(started('a', 'document', 'beta', 12));
  calls.apply(started('b', 'children', 'alpha/one/deep', 65, 2));
  calls.apply(started('p', 'pick', '', 3));
  return new SlotBoard(() => concurrency, calls, researchDescriptor);
}

const running: MoveUnderWay[] = [
  expand('1', byTitle('Beta')),
  { id: '2', kind: 'choose', nodes: [byTitle('Two').id, byTitle('Three').id], isWork: false, expands: false },
  expand('3', byTitle('Deep')),
];

describe('the slots', () => {
  const rows = (slots: SlotBoard, moves: MoveUnderWay[], now = NOW, room = 10): string[] =>
    slots.rows(moves, tree, now, room).map((row) => renderRow(row, 70, PLAIN));

  it('say what each is doing and for how long', () => {
    assert.deepEqual(rows(board(), running), [
      '  1 writing              12s  Beta',
      '  2 finding subtopics 1m 05s  Deep (try 2)',
      '  3 free',
      '  → picking               0s  what comes next, of 2 open topics',
    ]);
  });

  it('keep their work on one line until it ends', () => {
    const calls = new CallsUnderWay();
    const slots = board(3, calls);
    rows(slots, running);
    calls.apply(
      at(0, { type: 'call-ended', call: 'a', node: 'beta', purpose: 'document', outcome: 'ok', ms: 1, charged: true }),
    );
    const three = byTitle('Three');
    assert.deepEqual(rows(slots, [expand('4', three), expand('3', byTitle('Deep'))], NOW + 2000), [
      '  1 between calls         0s  Three',
      '  2 finding subtopics 1m 07s  Deep (try 2)',
      '  3 free',
      '  → picker idle',
    ]);
  });

  it('has a row for each slot that there is, and one at work keeps its own', () => {
    let slots = 1;
    const many = Array.from({ length: 3 }, (_, n) => expand(`m${n}`, byTitle('Beta')));
    const changing = new SlotBoard(() => slots, new CallsUnderWay(), researchDescriptor);
    assert.equal(rows(changing, many).length, 2);
    slots = 3;
    assert.equal(rows(changing, many).length, 4);
    slots = 1;
    assert.equal(rows(changing, many.slice(2)).length, 4, 'the third one is at work');
    assert.equal(rows(changing, []).length, 2);
  });

  it('are counted if there are too many', () => {
    const many = Array.from({ length: 20 }, (_, index) => expand(`m${index}`, byTitle('Three')));
    assert.deepEqual(rows(board(64), many, NOW, 5).slice(2), [
      '  3 between calls         0s  Three',
      '    17 more slots at work, 44 free',
      '  → picker idle',
    ]);
  });
});

describe('the picture of a running search', () => {
  const input = (more: Partial<FrameInput> = {}): FrameInput => ({
    title: 'Why is the \u001b[31mbuild slow?',
    modelLabel: 'm (127.0.0.1:8765)',
    free: false,
    tree,
    descriptor: researchDescriptor,
    wanted: [byTitle('Beta'), byTitle('Deep')],
    slots: (room) => board().rows(running, tree, NOW, room),
    results: resultsOf(tree, spend, 0),
    elapsedMs: 125_000,
    notice: undefined,
    lines: 15,
    ...more,
  });
  const draw = (more: Partial<FrameInput> = {}, columns = 64): string[] =>
    frameRows(input(more)).map((row) => renderRow(row, columns, PLAIN));

  it('has header, tree, slots, counts and spend', () => {
    assert.deepEqual(draw(), [
      'Why is the [31mbuild slow?',
      'm (127.0.0.1:8765)',
      '',
      '✓ Alpha 7.3/10 +2',
      '  ✓ One +1',
      '    ◐ Deep',
      '◐ Beta',
      '… 6 more topics',
      '',
      '  1 writing              12s  Beta',
      '  2 finding subtopics 1m 05s  Deep (try 2)',
      '  3 free',
      '  → picking               0s  what comes next, of 2 open topics',
      '✓ 2 expanded  ● 1 leaf  ◐ 2 in progress  ○ 3 open  ⊘ 1 pruned  …',
      '2m 05s · 34 calls · 120k tokens (62% cached) · $0.12',
    ]);
  });

  it('fits any terminal, and always shows what a person has to know', () => {
    for (let lines = 1; lines <= 40; lines++)
      for (const notice of [undefined, 'Waiting: no network']) {
        const drawn = draw({ lines, notice });
        assert.ok(drawn.length <= lines, `${drawn.length} lines of ${lines}`);
        if (notice) assert.equal(drawn.at(-1), notice);
      }
  });
});
