import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import {
  decompositionFrom,
  readDecomposition,
  readJudgements,
  readThoughts,
} from '../../../../../src/kinds/thoughts/prompts/thought-answers.ts';
import {
  Decomposition,
  DecompositionResult,
  EvaluationResults,
  GeneratedThoughts,
  Judgement,
  Thought,
} from '../../../../../src/kinds/thoughts/prompts/thought-messages.ts';
import { effort } from '../../../../support/effort.ts';

const answer = (value: unknown): string => `thinking\n<output>\n${JSON.stringify(value)}\n</output>`;

describe('the messages of the source', () => {
  it('are read as they are', () => {
    const thoughts = { type: 'generated_thoughts', payload: { candidates: [{ temp_id: 't1', content: 'a' }] } };
    assert.deepEqual(readThoughts(answer(GeneratedThoughts.parse(thoughts)), 5), [{ content: 'a' }]);
    const judged = { type: 'evaluation_results', payload: { evaluations: [{ id: 'a', score: 3 }], ranking: ['a'] } };
    assert.equal(readJudgements(answer(EvaluationResults.parse(judged)), { ids: ['a'] }).get('a')?.score, 3);
    const payload = {
      thought_granularity: 'step',
      intermediate_steps: ['one'],
      depth_estimate: 3,
      constraints: [],
      success_criteria: 'done',
    };
    const message = DecompositionResult.parse({ type: 'decomposition_result', payload });
    assert.deepEqual(readDecomposition(answer(message)), payload);
  });
});

describe('thoughts in an answer', () => {
  it('are taken from a bare list, from the message of the source, and from plain texts', () => {
    const expected = [{ content: '13 - 9 = 4', action_type: 'subtract' }];
    assert.deepEqual(readThoughts(answer(expected), 5), expected);
    assert.deepEqual(readThoughts(answer({ candidates: expected }), 5), expected);
    assert.deepEqual(
      readThoughts(answer({ type: 'generated_thoughts', payload: { candidates: expected } }), 5),
      expected,
    );
    assert.deepEqual(readThoughts(answer(['a', 'b']), 5), [{ content: 'a' }, { content: 'b' }]);
  });

  it('are each said once, and no more than were asked for', () => {
    assert.deepEqual(
      readThoughts(answer(['One  step', 'one step', 'two', 'three']), 2).map(({ content }) => content),
      ['One  step', 'two'],
    );
    assert.deepEqual(readThoughts(answer([]), 3), []);
  });

  it('are refused in words for the model', () => {
    const deep = `<output>[{"content":"x","metadata":{"a":${'['.repeat(9000)}${']'.repeat(9000)}}}]</output>`;
    for (const wrong of ['nothing', '<output>{', answer(3), answer([{ text: 'x' }]), answer([{ content: ' ' }]), deep])
      assert.throws(
        () => readThoughts(wrong, 3),
        (error) => isThoughtTreeError(error, 'bad-answer'),
      );
  });
});

describe('judgements in an answer', () => {
  it('are taken by id, also under the name of the source, with what is suggested', () => {
    const said = {
      evaluations: [
        { node_id: 'node_1', score: '7.5', confidence: 2, reasoning: 'good', dimension_scores: { progress: 11 } },
        { id: 'node_2', score: -3, solution: true },
        { id: 'nobody', score: 5 },
      ],
      pruning_suggestions: ['node_2'],
    };
    const judged = readJudgements(answer(said), { ids: ['node_1', 'node_2'] });
    assert.deepEqual(judged.get('node_1'), {
      id: 'node_1',
      score: 7.5,
      confidence: 1,
      reasoning: 'good',
      dimension_scores: { progress: 10 },
    });
    assert.deepEqual(judged.get('node_2'), { id: 'node_2', score: 0, solution: true, prune: true });
    assert.equal(judged.size, 2);
  });

  it('without ids are taken in order, and one left out is asked for', () => {
    assert.equal(readJudgements(answer([{ score: 1 }, { score: 2 }]), { ids: ['a', 'b'] }).get('b')?.score, 2);
    assert.throws(
      () => readJudgements(answer([{ id: 'a', score: 1 }]), { ids: ['a', 'b'] }),
      (error) => isThoughtTreeError(error, 'bad-answer') && error.message.includes('b'),
    );
  });
});

describe('what a judge says of a candidate', () => {
  const about = { ids: ['a', 'b'], criteria: ['It is brief', 'It is dated'] };

  it('are its defects, each once, and scores by the numbers of the success criteria', () => {
    const said = [
      {
        id: 'a',
        score: 6,
        defects: ['35 days, not 32', ' 35 days,  not 32', { defect: 'no owner' }, 7, ''],
        criteria: { 1: 9, 2: '4', 3: 8 },
      },
      { id: 'b', score: 6 },
    ];
    const judged = readJudgements(answer(said), about);
    assert.deepEqual(judged.get('a')?.defects, ['35 days, not 32', 'no owner']);
    assert.deepEqual(judged.get('a')?.dimension_scores, { 'It is brief': 9, 'It is dated': 4 });
    assert.deepEqual(judged.get('b'), { id: 'b', score: 6 });
  });

  it('is in the order of the ranking where candidates were compared, and has none where each was judged alone', () => {
    const said = {
      evaluations: [
        { id: 'a', score: 8 },
        { id: 'b', score: 5 },
      ],
      ranking: ['b', 'a'],
    };
    const compared = readJudgements(answer(said), { ...about, isCompared: true });
    assert.deepEqual([compared.get('a')?.score, compared.get('b')?.score, compared.get('b')?.rank], [5, 8, 1]);
    const apart = readJudgements(answer(said), about);
    assert.deepEqual([apart.get('a')?.score, apart.get('a')?.rank], [8, undefined]);
  });
});

describe('hostile answers', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json().map((text) => `<output>${text}</output>`),
    fc.anything().map(answer),
  );

  it('give something that satisfies the schemas, or one of our errors', () => {
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        assert.ok(isThoughtTreeError(error, 'bad-answer'), String(error));
      }
    };
    fc.assert(
      fc.property(anything, (text) => {
        attempt(() => {
          for (const each of readThoughts(text, 5)) Thought.parse(each);
        });
        attempt(() => {
          for (const each of readJudgements(text, { ids: ['a', 'b'] }).values()) Judgement.parse(each);
        });
        attempt(() => Decomposition.parse(readDecomposition(text)));
      }),
      { numRuns: effort(2000) },
    );
  });

  it('limits lengths, and drops invisible characters', () => {
    const [long] = readThoughts(answer([{ content: 'x'.repeat(100_000), metadata: { a: 'y'.repeat(10_000) } }]), 5);
    assert.equal(long?.content.length, 20_000);
    assert.equal(long?.metadata, undefined);
    assert.deepEqual(readThoughts(answer(['a\u0000\u202eb\ud800']), 1), [{ content: 'a  b\ufffd' }]);
    const proto = readJudgements('<output>[{"id":"a","score":1,"dimension_scores":{"__proto__":3}}]</output>', {
      ids: ['a'],
    });
    assert.equal(Object.getPrototypeOf(proto.get('a')?.dimension_scores ?? {}), Object.prototype);
  });

  it('a decomposition of a person is checked as a model\u2019s', () => {
    const listed = { success_criteria: ['x', '', 'y'], assumptions: ['z'], solutions: 'graded' };
    const { success_criteria: criteria, assumptions, solutions } = decompositionFrom(listed);
    assert.deepEqual([criteria, assumptions, solutions], [['x', 'y'], ['z'], 'graded']);
    assert.deepEqual(decompositionFrom({ success_criteria: 'x', depth_estimate: 900, constraints: 'no list' }), {
      thought_granularity: 'step',
      intermediate_steps: [],
      depth_estimate: 64,
      constraints: [],
      success_criteria: 'x',
    });
  });
});
