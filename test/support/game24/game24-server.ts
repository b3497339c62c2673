import { readThoughtRequest } from '../searches/thought-request.ts';
import type { ServerCall } from '../servers/server-call.ts';

/** Steps below a thought; `root` those of the first level. */
type Steps = Readonly<Record<string, readonly string[]>>;

/** Steps for `4 9 10 13`: one way leads to 24, others are dead ends, one is wrong. */
export const STEPS: Steps = {
  root: ['13 * 4 = 52 (left: 9 10 52)', '10 - 4 = 6 (left: 6 9 13)', '13 - 9 = 5 (left: 4 5 10)'],
  '10 - 4 = 6 (left: 6 9 13)': ['13 - 9 = 4 (left: 4 6)', '9 - 6 = 3 (left: 3 13)'],
  '13 - 9 = 4 (left: 4 6)': ['4 + 6 = 10 (left: 10)', '6 * 4 = 24 (left: 24)'],
};
const GOOD = new Set(['10 - 4 = 6 (left: 6 9 13)', '13 - 9 = 4 (left: 4 6)']);

/** Returns what a server answers that reads requests as a model would. */
export function stepsAnswer(steps: Steps = STEPS): (call: ServerCall) => string {
  return ({ prompt }) => {
    const { type, path, candidates } = readThoughtRequest(prompt);
    const said =
      type === 'generate'
        ? (steps[path.at(-1) ?? 'root'] ?? []).map((content) => ({ content }))
        : {
            evaluations: candidates.map(({ id, content }) => ({
              id,
              score: GOOD.has(content) ? 9 : 2,
              confidence: 0.9,
              reasoning: 'as I see it',
            })),
          };
    return `<output>${JSON.stringify(said)}</output>`;
  };
}
