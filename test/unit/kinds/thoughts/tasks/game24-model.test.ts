import assert from 'node:assert/strict';
import { samplePuzzles } from '../../../../../bench/thoughts/game24-puzzles.ts';
import { isAnswer, runPuzzle } from '../../../../../bench/thoughts/thoughts-run.ts';
import type { ModelRequest } from '../../../../../src/core/ports/model.ts';
import { lastOutput } from '../../../../../src/core/text/model-output.ts';
import { Judgements, Thought } from '../../../../../src/kinds/thoughts/prompts/thought-messages.ts';
import { game24, readProblem } from '../../../../../src/kinds/thoughts/tasks/game24.ts';
import type { Verdict } from '../../../../../src/kinds/thoughts/tasks/task.ts';
import { JUDGE, PROPOSALS, PROPOSED, SCORES, WRONG } from '../../../../support/game24/game24-figures.ts';
import { game24Model, judge, propose } from '../../../../support/game24/game24-model.ts';
import { canMake24, keyOf, type Numbers, nextOf, whole } from '../../../../support/game24/game24-solver.ts';
import { claimedNumbers } from '../../../../support/game24/game24-writing.ts';
import { ONE_CALL } from '../../../../support/models/one-call.ts';

const never = new AbortController().signal;

function near(found: number, expected: number, within: number, what: string): void {
  assert.ok(Math.abs(found - expected) <= within, `${what}: ${found.toFixed(3)} instead of ${expected}`);
}

/** Counts how often something was so. */
class Frequency {
  #times = 0;
  #hits = 0;
  add(hit: boolean): void {
    this.#times++;
    if (hit) this.#hits++;
  }
  get value(): number {
    return this.#hits / this.#times;
  }
}

describe('the scripted Game of 24 model', () => {
  const puzzles = samplePuzzles(100, 7);
  /** States of four, three and two numbers that can be met, some of each puzzle. */
  const states: Numbers[] = puzzles.flatMap((puzzle) => {
    const start = whole(readProblem(puzzle));
    const some = (numbers: Numbers, from: number): Numbers[] =>
      nextOf(numbers)
        .filter(({ isBroken }, i) => !isBroken && i % 5 === from)
        .slice(0, 4)
        .map((next) => next.numbers);
    const three = some(start, 0);
    return [start, ...three, ...three.flatMap((numbers) => some(numbers, 1))];
  });

  for (const left of [4, 3, 2])
    it(`proposes for ${left} numbers as often as GPT-4 did, what is right and what is wrong`, () => {
      const found = { can: new Frequency(), cannot: new Frequency(), broken: new Frequency() };
      const wrong = new Frequency();
      let proposals = 0;
      let answers = 0;
      for (const [i, numbers] of states.filter(({ length }) => length === left).entries())
        for (let time = 0; time < 12; time++) {
          const said = propose(numbers, 3, `${i} ${keyOf(numbers)}`, time);
          const aims = new Set(said.map(({ aim }) => aim));
          answers++;
          proposals += said.length;
          for (const { isWrong } of said) wrong.add(isWrong);
          for (const next of nextOf(numbers))
            found[canMake24(next.numbers) ? 'can' : next.isBroken ? 'broken' : 'cannot'].add(aims.has(next));
        }
      const figures = PROPOSED[left];
      assert.ok(figures);
      near(found.can.value, figures.can, 0.03, 'leads on');
      near(found.cannot.value, figures.cannot, 0.02, 'does not lead on');
      near(found.broken.value, figures.broken, 0.02, 'negative or broken');
      near(wrong.value, WRONG, 0.015, 'wrong');
      near(proposals / answers, PROPOSALS[left] as number, 0.9, 'proposals');
    });

  it('says steps that are wrong where it means to, and right ones otherwise', () => {
    for (const puzzle of puzzles.slice(0, 30))
      for (const { content, isWrong, aim } of propose(whole(readProblem(puzzle)), 1, puzzle, 0)) {
        const path = { problem: puzzle, thoughts: [{ content }] };
        const verdict = game24.verify?.(path, never) as Verdict;
        assert.equal(verdict.ok, !isWrong, content);
        if (!isWrong) assert.equal(keyOf(claimedNumbers(puzzle, [content]) as Numbers), keyOf(aim.numbers));
      }
  });

  for (const left of [3, 2, 1])
    it(`judges ${left} numbers as often right as GPT-4 did`, () => {
      const met =
        left === 1
          ? [whole([24]), ...Array.from({ length: 60 }, (_, i) => whole([i + 30]))]
          : states.filter(({ length }) => length === left);
      const counts = { can: [0, 0, 0], cannot: [0, 0, 0] };
      for (const [i, numbers] of met.entries())
        for (let time = 0; time < 40; time++) {
          const verdict = judge(numbers, 5, `${i} ${keyOf(numbers)}`, time);
          const column = verdict === 'likely' ? 1 : verdict === 'impossible' ? 2 : 0;
          const row = counts[canMake24(numbers) ? 'can' : 'cannot'];
          row[column] = (row[column] ?? 0) + 1;
        }
      for (const truth of ['can', 'cannot'] as const) {
        const [sure, likely, impossible] = counts[truth] as [number, number, number];
        const all = sure + likely + impossible;
        assert.ok(all >= 40);
        near(sure / all, JUDGE[left]?.[truth].sure as number, 0.02, `${truth}: sure`);
        near(likely / all, JUDGE[left]?.[truth].likely as number, 0.02, `${truth}: likely`);
      }
    });

  const request = (data: object, purpose: 'generate' | 'evaluate'): ModelRequest =>
    ({ purpose, node: '', system: '', turns: [], prompt: 'p', maxOutputTokens: 1000, data }) as unknown as ModelRequest;
  const proposing = (problem: string, most: number): ModelRequest => {
    const context = { problem, goal: '', constraints: [], path: [], earlier: ['13 - 9 = 4 (left: 4 4 10)'] };
    return request({ purpose: 'generate', message: { payload: { num_candidates: most, context } } }, 'generate');
  };

  it('answers in the messages of the engine, draws again when asked again, and the same for the same seed', async () => {
    const answers = async (seed: number): Promise<string[]> => {
      const model = game24Model(seed);
      const texts: string[] = [];
      for (let i = 0; i < 3; i++) {
        const answer = await model.generate(proposing('4 9 10 13', 20), { ...ONE_CALL, signal: never });
        assert.ok((answer.usage?.completion ?? 0) > 0);
        texts.push(answer.text);
      }
      return texts;
    };
    const texts = await answers(1);
    for (const text of texts) {
      const list = JSON.parse(lastOutput(text) as string) as unknown[];
      assert.ok(list.length > 2);
      for (const each of list) assert.match(Thought.parse(each).content, /^.+ [-+*/] .+ = .+ \(left: .+\)$/);
    }
    assert.equal(new Set(texts).size, 3);
    assert.deepEqual(await answers(1), texts);
    assert.notDeepEqual(await answers(2), texts);
  });

  it('says no more than it is asked for', async () => {
    const { text } = await game24Model(1).generate(proposing('4 9 10 13', 2), { ...ONE_CALL, signal: never });
    assert.equal((JSON.parse(lastOutput(text) as string) as unknown[]).length, 2);
  });

  it('judges what a thought claims to leave', async () => {
    const candidates = ['4 * 6 = 24 (left: 24)', '5 * 6 = 24 (left: 24)', '4 + 6 = 10 (left: 10)', 'no step'].map(
      (content, i) => ({ id: `node_${i}`, content }),
    );
    const payload = { candidates, context: { problem: '4 9 10 13' } };
    const { text } = await game24Model(1).generate(request({ purpose: 'evaluate', message: { payload } }, 'evaluate'), {
      ...ONE_CALL,
      signal: never,
    });
    const { evaluations } = Judgements.parse(JSON.parse(lastOutput(text) as string));
    assert.deepEqual(
      evaluations.map(({ score }) => score),
      [SCORES.finished, SCORES.finished, SCORES.impossible, SCORES.impossible],
    );
  });
});

describe('the Game of 24 with the scripted model', () => {
  it('is solved with few calls, and what is said to be solved is', async () => {
    const puzzles = samplePuzzles(25, 2);
    let calls = 0;
    for (const puzzle of puzzles) {
      const run = await runPuzzle(puzzle, 4, { options: { task: 'game24' } });
      assert.equal(run.solved, true, puzzle);
      calls += Object.values(run.calls).reduce((sum, count) => sum + count, 0);
      assert.deepEqual(Object.keys(run.calls).sort(), ['evaluate', 'generate']);
    }
    assert.ok(calls / puzzles.length <= 11, `${calls / puzzles.length} calls a puzzle`);
  });

  it('counts an answer only where it is one', () => {
    assert.equal(isAnswer('(10 - 4) * (13 - 9) = 24', '4 9 10 13'), true);
    assert.equal(isAnswer('8 / (3 - 8 / 3) = 24', '3 3 8 8'), true);
    assert.equal(isAnswer('10 - 4 * 13 - 9 = 24', '4 9 10 13'), false);
    assert.equal(isAnswer('4 * 6 = 24', '4 9 10 13'), false);
    assert.equal(isAnswer('(10 - 4) * (13 - 9) = 25', '4 9 10 13'), false);
    assert.equal(isAnswer(undefined, '4 9 10 13'), false);
  });
});
