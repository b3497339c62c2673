import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { findingsIn } from '../../../../src/core/search/record/search-state.ts';
import { simulateThoughts, type ThoughtSimulation } from '../../../support/searches/simulated-thoughts.ts';

const found = (...defects: string[]): string => `<output>${JSON.stringify({ defects })}</output>`;
const again = (answer: string, accounts: string): string =>
  `<answer>\n${answer}\n</answer>\n<defects>\n${accounts}\n</defects>`;

/** A search whose last calls are answered in turn: the answer, its reader, the answer again, and so on. */
async function closedWith(
  answers: readonly string[],
  more: { repairs?: number; calls?: number } = {},
): Promise<ThoughtSimulation & { closing: ModelRequest[] }> {
  const closing: ModelRequest[] = [];
  const instead = (request: ModelRequest): string | undefined => {
    if (request.purpose !== 'synthesize' && request.purpose !== 'review') return undefined;
    closing.push(request);
    return answers[closing.length - 1] ?? '';
  };
  const simulation = await simulateThoughts({
    strategy: 'depth-first',
    options: { candidates: 2, threshold: 0, maxDepth: 2, repairs: more.repairs ?? 1 },
    model: { instead },
    ...(more.calls === undefined ? {} : { search: { limits: { guards: { calls: more.calls } } } }),
  });
  await simulation.run();
  return { ...simulation, closing };
}

function answerOf({ search }: ThoughtSimulation): string {
  return findingsIn(search.results, 'thoughts')?.answer ?? '';
}

describe('the answer to a problem', () => {
  it('is read by somebody who has not seen how it was made, and written again without what was found', async () => {
    const done = await closedWith([
      'Move on Friday, with two vans.',
      found('Nobody has the key on Friday.', 'Two vans are one too many.'),
      again(
        'Get the key on Thursday; move on Friday, with two vans.',
        '1. mended: Thursday\n2. open: one is at the garage',
      ),
    ]);
    assert.deepEqual(
      done.closing.map(({ purpose }) => purpose),
      ['synthesize', 'review', 'synthesize'],
    );
    const [, review, rewrite] = done.closing;
    assert.ok(review?.prompt.includes('Move on Friday, with two vans.'));
    assert.ok(!review?.prompt.includes('step.1'), 'the reader sees nothing of the tree');
    assert.ok(rewrite?.prompt.includes('1. Nobody has the key on Friday.\n2. Two vans'));
    const answer = answerOf(done);
    assert.ok(answer.startsWith('Get the key on Thursday; move on Friday, with two vans.\n\n'), answer);
    assert.ok(answer.includes('- Nobody has the key on Friday. → Thursday'));
    assert.ok(answer.includes('still open**\n\n- Two vans are one too many. → one is at the garage'));
    assert.ok((await done.store.readReport())?.includes('Get the key on Thursday'));
  });

  it('stays where its reader finds nothing, and is not read where the settings say so', async () => {
    const good = await closedWith(['Move on Friday.', found()]);
    assert.equal(good.closing.length, 2);
    assert.equal(answerOf(good), 'Move on Friday.');
    const unread = await closedWith(['Move on Friday.'], { repairs: 0 });
    assert.equal(unread.closing.length, 1);
  });

  it('is read again as often as the settings allow, until nothing is found', async () => {
    const done = await closedWith(
      [
        'One one one.',
        found('A.'),
        again('Two two two.', '1. mended: a'),
        found('B.'),
        again('Three 3 3.', '1. mended: b'),
        found(),
      ],
      { repairs: 3 },
    );
    assert.equal(done.closing.length, 6);
    assert.match(answerOf(done), /^Three 3 3\.\n\n[\s\S]*- A\. → a\n- B\. → b$/);
  });

  it('stays, with what was found as open, where what comes back is no answer', async () => {
    const whole = 'Move on Friday, with two vans, after the key was fetched on Thursday by one of the two.';
    for (const back of ['', 'See above.', again('Done.', '1. mended: yes')]) {
      const answer = answerOf(await closedWith([whole, found('The vans are not booked.'), back]));
      assert.ok(answer.startsWith(whole), back);
      assert.match(answer, /still open\*\*\n\n- The vans are not booked\.$/);
    }
  });

  it('stays where its reader says nothing that can be read', async () => {
    for (const said of ['I like it.', '<output>{"defects": "none"}</output>', '']) {
      const done = await closedWith(['Move on Friday.', said]);
      assert.equal(done.closing.length, 2, 'nobody is asked twice');
      assert.equal(answerOf(done), 'Move on Friday.');
    }
  });

  it('is not read where the budget has no room for it', async () => {
    const free = await closedWith(['Move on Friday.', found()]);
    const calls = free.search.results.calls - 1;
    const short = await closedWith(['Move on Friday.', found('Late.')], { calls });
    assert.equal(short.closing.length, 1);
    assert.equal(answerOf(short), 'Move on Friday.');
  });
});
