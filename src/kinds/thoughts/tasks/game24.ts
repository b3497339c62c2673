import { expressionOf } from './game24-expression.ts';
import { list, readProblem, type Term, takeSteps } from './game24-steps.ts';
import { equal, rational } from './rational.ts';
import type { Task, ThoughtPath, Verdict } from './task.ts';

const GOAL = rational(24n);

/** Four numbers, each used once, combined by + - * / to make 24. */
export const game24: Task = {
  name: 'game24',
  preset: 'math_reasoning',
  // A judge that sees three numbers calls one solvable state in fourteen impossible: low scores come last, and are not
  // pruned.
  defaults: {
    strategy: 'best-first',
    maxDepth: 3,
    candidates: 12,
    generation: 'sequential_proposal',
    evaluation: 'independent_scoring',
    judge: 'layer',
    samples: 3,
    beam: 3,
    threshold: 1,
  },
  // Going all the way down below low scores costs several times the calls, and solves no more.
  defaultsWith: { 'depth-first': { threshold: 5 } },
  start: (problem) => readProblem(problem).join(' '),
  decomposition: () => ({
    thought_granularity: 'single_equation',
    intermediate_steps: [
      'Join two of the four numbers; three are left',
      'Join two of the three numbers; two are left',
      'Join the last two numbers',
    ],
    depth_estimate: 3,
    constraints: ['Use each number exactly once', 'Use only + - * / on two of the numbers that are left'],
    success_criteria: 'The one number left is 24',
  }),
  wording: {
    generate: [
      'A thought is one step on one line: two of the numbers left, joined by + - * or /, and what is left after it,',
      'as in `13 - 9 = 4 (left: 4 4 10)`. Write a number that is not whole with four decimals; it stands for the exact one.',
    ].join('\n'),
    evaluate: [
      'Judge whether the numbers left can still make 24: 9 where they surely can, 6 where it is likely or they are of a',
      'fitting size, 1.5 where it is impossible; 10 where 24 alone is left. Try it out before you judge.',
    ].join('\n'),
  },
  verify(path: ThoughtPath): Verdict {
    const steps = stepsOf(path);
    return 'left' in steps ? { ok: true } : { ok: false, why: steps.wrong };
  },
  state(path: ThoughtPath): string | undefined {
    const steps = stepsOf(path);
    return 'left' in steps ? list(steps.left) : undefined;
  },
  solved: (path: ThoughtPath): boolean => resultOf(path) !== undefined,
  compose(path: ThoughtPath): string | undefined {
    const result = resultOf(path);
    return result && `${expressionOf(result)} = 24`;
  },
};

function stepsOf({ problem, thoughts }: ThoughtPath): ReturnType<typeof takeSteps> {
  return takeSteps(
    problem,
    thoughts.map(({ content }) => content),
  );
}

/** The one number that is left, if it is 24. */
function resultOf(path: ThoughtPath): Term | undefined {
  const steps = stepsOf(path);
  if (!('left' in steps) || steps.left.length !== 1) return undefined;
  const [result] = steps.left;
  return result && equal(result.value, GOAL) ? result : undefined;
}
