import assert from 'node:assert/strict';
import { textOf } from '../../../../src/core/messages/message.ts';
import { type ProgressWords, progressOf, progressWords } from '../../../../src/core/search/progress.ts';
import { Tree } from '../../../../src/core/tree/tree.ts';
import { researchDescriptor } from '../../../../src/kinds/research/descriptor.ts';
import { workGraphDescriptor } from '../../../../src/kinds/work-graph/descriptor.ts';

const topics = researchDescriptor.words;
const atoms = workGraphDescriptor.words;

function said(done: number, open: number, failed = 0, words: ProgressWords = topics): string {
  return progressWords({ done, open, failed }, words).text;
}

describe('the progress of a search', () => {
  it('says what was looked into and what was not, in the terms of the kind', () => {
    assert.equal(said(60, 142), '60 topics done, 142 open');
    assert.equal(said(1, 1), '1 topic done, 1 open');
    assert.equal(said(5, 3, 0, atoms), '5 tasks done, 3 to do');
    assert.equal(progressWords({ done: 2, open: 1, failed: 0 }).text, '2 nodes done, 1 open');
  });

  it('leaves out what there is none of', () => {
    assert.equal(said(60, 0), '60 topics');
    assert.equal(said(0, 6), '6 topics open');
    assert.equal(said(0, 1, 0, atoms), '1 task to do');
    assert.equal(said(0, 0), 'nothing yet');
  });

  it('names what failed', () => {
    assert.equal(said(4, 2, 1), '4 topics done, 2 open, 1 failed');
    assert.equal(said(0, 0, 2), '0 topics, 2 failed');
  });

  it('writes large numbers as the reader does, in a language too', () => {
    assert.equal(said(10_110, 1234), '10,110 topics done, 1,234 open');
    const texts = { '{0} topics': '{0} Themen', '{0} done, {1} open': '{0}, {1} offen' };
    const message = progressWords({ done: 2000, open: 3, failed: 0 }, topics);
    assert.equal(
      textOf(message, { language: 'de', texts: { ...texts, 'search.progress.number': '{n:number}' } }),
      '2.000 Themen, 3 offen',
    );
  });

  it('does not count what is below a pruned branch as not looked into', () => {
    const tree = new Tree('Why?');
    const kept = tree.add(tree.root, 'kept', { title: 'Kept', status: 'expanded' });
    tree.add(kept, 'open', { title: 'Open', status: 'unexpanded' });
    const cut = tree.add(tree.root, 'cut', { title: 'Cut', status: 'expanded' });
    tree.add(cut, 'below', { title: 'Below', status: 'unexpanded' });
    assert.deepEqual(progressOf(tree.counts), { done: 2, open: 2, failed: 0 });
    tree.update(cut, { status: 'pruned' });
    assert.deepEqual(progressOf(tree.counts), { done: 1, open: 1, failed: 0 });
  });
});
