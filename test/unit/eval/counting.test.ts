import assert from 'node:assert/strict';
import { type Lines, type Mark, markAnswer, markTopics as markOurs } from '../../../eval/counting.ts';
import { figuresOf } from '../../../eval/figures.ts';
import type { Question } from '../../../eval/questions.ts';

const QUESTION: Question = {
  id: 'one',
  question: 'How long does it wait?',
  named: false,
  files: ['lib/wait.js', 'lib/twin.js'],
  lines: ['lib/wait.js:10-12', 'lib/twin.js:50'],
};

function lines(path: string, start: number, end = start): Lines {
  return { path, start, end };
}

function markTopics(topics: readonly (readonly Lines[])[], question: Question, shown: readonly Lines[] = []): Mark {
  return markOurs({ topics, shown }, question);
}

describe('the marks of an answer', () => {
  it('count a topic with the file of its first quotation', () => {
    const topics = [[lines('lib/a.js', 1), lines('lib/wait.js', 1)], [lines('lib/twin.js', 1)]];
    assert.deepEqual(markTopics(topics, QUESTION), {
      rank: 2,
      hasLine: false,
      quoted: 3,
      isShown: false,
      shown: 0,
      files: ['lib/a.js', 'lib/twin.js'],
    });
  });

  it('count no file beyond the third topic, however few files the first three have', () => {
    const same = [lines('lib/a.js', 1)];
    assert.equal(markTopics([same, same, same, [lines('lib/wait.js', 10)]], QUESTION).rank, 0);
    assert.equal(markTopics([same, [], [lines('lib/wait.js', 1)]], QUESTION).rank, 3);
  });

  it('count a deciding line wherever it is quoted in the first three topics', () => {
    const other = lines('lib/a.js', 10, 12);
    assert.equal(markTopics([[other, lines('lib/wait.js', 12, 14)]], QUESTION).hasLine, true);
    assert.equal(markTopics([[other], [other], [lines('lib/twin.js', 50)]], QUESTION).hasLine, true);
    assert.equal(markTopics([[other], [other], [other], [lines('lib/wait.js', 10)]], QUESTION).hasLine, false);
    assert.equal(markTopics([[lines('lib/wait.js', 13, 20), lines('lib/twin.js', 10, 12)]], QUESTION).hasLine, false);
  });

  it('count the first hundred quoted lines only', () => {
    const topics = (before: number): Lines[][] => [[lines('lib/a.js', 1, before)], [lines('lib/wait.js', 8, 30)]];
    assert.equal(markTopics(topics(97), QUESTION).hasLine, true);
    assert.equal(markTopics(topics(98), QUESTION).hasLine, false);
    assert.equal(markTopics(topics(200), QUESTION).hasLine, false);
    assert.equal(markTopics(topics(98), QUESTION).quoted, 121);
  });

  it('count a deciding line among those shown first by these alone', () => {
    const quoted = [[lines('lib/wait.js', 12)]];
    assert.equal(markTopics(quoted, QUESTION, [lines('lib/wait.js', 13, 24)]).isShown, false);
    const { isShown, shown } = markTopics([], QUESTION, [lines('lib/a.js', 1, 12), lines('lib/wait.js', 1, 10)]);
    assert.deepEqual({ isShown, shown }, { isShown: true, shown: 22 });
    assert.equal(markTopics([], QUESTION, [lines('lib/a.js', 1, 91), lines('lib/wait.js', 1, 20)]).isShown, false);
  });

  it('of a baseline are those of its first three files', () => {
    const files = ['lib/a.js', 'lib/b.js', 'lib/wait.js'];
    assert.equal(markAnswer(files, [], QUESTION).rank, 3);
    assert.equal(markAnswer(['lib/c.js', ...files], [], QUESTION).rank, 0);
    assert.equal(markAnswer(files, [lines('lib/twin.js', 41, 80)], QUESTION).hasLine, true);
  });
});

describe('the figures of a code base', () => {
  it('compare with the better baseline of each', () => {
    const right = { rank: 1, hasLine: true, quoted: 40, isShown: true, shown: 30, files: [] };
    const third = { rank: 3, hasLine: false, quoted: 20, isShown: true, shown: 10, files: [] };
    const wrong = { rank: 0, hasLine: false, quoted: 0, isShown: false, shown: 0, files: [] };
    const asked = [
      { id: 'a', named: true, milliseconds: 100, ours: right, rg: third, better: wrong },
      { id: 'b', named: false, milliseconds: 200, ours: third, rg: third, better: right },
      { id: 'c', named: false, milliseconds: 200, ours: wrong, rg: third, better: right },
      { id: 'd', named: false, milliseconds: 0, ours: right, rg: wrong, better: wrong },
    ];
    assert.deepEqual(figuresOf('x', asked), {
      name: 'x',
      questions: 4,
      first: { ours: 2, rg: 0, better: 2, more: 0, points: 0 },
      three: { ours: 3, rg: 3, better: 2, more: 0, points: 0 },
      line: { ours: 2, better: 2, more: 0, points: 0 },
      quoted: 25,
      shown: { ours: 3, lines: 18 },
      seconds: 0.5,
    });
    assert.deepEqual(figuresOf('x', asked.slice(1, 3)).first, { ours: 0, rg: 0, better: 2, more: -2, points: -100 });
  });
});
