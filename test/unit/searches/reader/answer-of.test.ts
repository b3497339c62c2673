import assert from 'node:assert/strict';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import { Tree } from '../../../../src/core/tree/tree.ts';
import { answerOf } from '../../../../src/searches/reader/search-overview.ts';

describe('the answer of a search', () => {
  const findings = { solved: true, answer: '24', finishedPath: ['a', 'a/b'], bestPath: [], callsByPurpose: {} };
  const record = SearchRecord.of([
    { seq: 1, time: '', type: 'search-finished', reason: 'solved', results: { thoughts: findings } as never },
  ]);
  const file = { kind: 'thoughts' } as never;

  it('is told no more once its branch, or one above it, is pruned', () => {
    const tree = new Tree('Make 24');
    const a = tree.add(tree.root, 'a', { file: { title: 'A', status: 'expanded' } });
    const b = tree.add(a, 'b', { file: { title: 'B', status: 'leaf' } });
    const answer = () => answerOf({ state: 'finished', record, file, tree });
    assert.deepEqual(answer(), { text: '24' });
    for (const node of [a, b]) {
      const { title, status } = node;
      tree.update(node, { file: { title, status: 'pruned' } });
      assert.equal(answer(), 'pruned');
      tree.update(node, { file: { title, status } });
    }
    assert.deepEqual(answer(), { text: '24' });
  });
});
