import assert from 'node:assert/strict';
import { askedFor } from '../../../../src/text/rank/asked-for.ts';
import { ExactNames } from '../../../../src/text/rank/evidence.ts';

describe('what a question asks for', () => {
  it('is code, unless its words say otherwise', () => {
    const expected: Record<string, string[]> = {
      'Which test shows that a closed queue refuses jobs?': ['test'],
      'Is there a test of the retry after a timeout?': ['test'],
      'Where is the backoff documented?': ['docs'],
      'What does the README say about Windows?': ['docs'],
      'Which version of the parser does it need?': ['config'],
      'Is there an example of a custom logger?': ['example'],
      'When is the process forced to exit after the tests have finished?': [],
      'How does a failing test get retried?': [],
      'What happens when a document has several operations?': [],
    };
    for (const [question, standings] of Object.entries(expected))
      assert.deepEqual([...askedFor(question)], standings, question);
  });
});

describe('the names that a question writes as code does', () => {
  const passage = (identifier: string, text = '') =>
    ({ identifier, file: { lines: text.split('\n') }, start: 0, end: text.split('\n').length - 1 }) as never;

  it('are compared exactly', () => {
    const names = new ExactNames('Why does `run` call Queue#pushJob() twice, with max_size from lib/queue.js?');
    assert.ok(names.names(passage('pushJob')));
    assert.ok(names.names(passage('max_size')));
    assert.ok(names.names(passage('run')));
    assert.ok(!names.names(passage('pushjob')));
    assert.ok(!names.names(passage('twice')));
    assert.ok(names.namesFile('src/lib/queue.js'));
    assert.ok(!names.namesFile('src/lib/my-queue.js'));
  });

  it('are looked for in the lines of a passage', () => {
    const names = new ExactNames('What do maxSize and minSize do?');
    assert.equal(names.shareIn(passage('f', 'a\nif (maxSize) b')), 0.5);
    assert.equal(new ExactNames('What is it?').shareIn(passage('f', 'it')), 0);
  });
});
