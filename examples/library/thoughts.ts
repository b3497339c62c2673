// A search for a solution, with a task of one's own: it checks what a model proposes.
import { type OwnModel, search, type Task } from 'thought-tree';

/** Numbers that add up to the one in the problem. */
const task: Task = {
  name: 'sums',
  start: (problem) => {
    if (!/^\d+$/.test(problem)) throw new Error('a whole number is needed');
    return `0 of ${problem}`;
  },
  decomposition: (problem) => ({
    thought_granularity: 'single_step',
    intermediate_steps: ['Add a digit', 'Add another one'],
    depth_estimate: 2,
    constraints: [],
    success_criteria: `The sum is ${problem}`,
  }),
  verify: ({ thoughts }) => {
    const last = thoughts.at(-1)?.content ?? '';
    return /^add \d$/.test(last.trim()) ? { ok: true } : { ok: false, why: 'each step is "add" and a digit' };
  },
  solved: ({ problem, thoughts }) => sumOf(thoughts) === Number(problem),
  compose: ({ thoughts }) => thoughts.map(({ content }) => content).join(', '),
};

function sumOf(thoughts: readonly { readonly content: string }[]): number {
  return thoughts.reduce((sum, { content }) => sum + Number(/\d/.exec(content)?.[0] ?? 0), 0);
}

const output = (said: unknown): string => `<output>${JSON.stringify(said)}</output>`;

/** It stands for any model: what it proposes is not always a step. */
const model: OwnModel = {
  name: 'example/adds',
  free: true,
  async generate({ purpose, prompt }) {
    if (purpose === 'generate')
      return { text: output([{ content: 'add 3' }, { content: 'add 4' }, { content: 'take 1' }]) };
    const ids = Array.from(prompt.matchAll(/"id":\s*"([^"]+)"/g), ([, id]) => id);
    return { text: output({ evaluations: ids.map((id) => ({ id, score: 7, confidence: 0.8 })) }) };
  },
};

const { state, report } = await search({ question: '7', kind: 'thoughts', task, model, limits: { size: 'small' } });
console.log(JSON.stringify({ state, answer: /add \d(?:, add \d)*/.exec(report ?? '')?.[0] }));
