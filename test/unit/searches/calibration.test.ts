import assert from 'node:assert/strict';
import { addedUp, calibrationOf } from '../../../src/core/search/calibration.ts';
import { simulateThoughts } from '../../support/searches/simulated-thoughts.ts';

describe('what scores were worth', () => {
  /** Two first thoughts, judged alike; the search continues both, and a solution is below one of them. */
  async function search(solvedBelow: string): Promise<ReturnType<typeof calibrationOf>> {
    const { run, search: opened } = await simulateThoughts({
      strategy: 'breadth-first',
      options: { candidates: 2, beam: 2, threshold: 0, maxDepth: 2, tries: 1 },
      task: {
        name: 'below',
        defaults: {},
        decomposition: () => ({
          thought_granularity: 'step',
          intermediate_steps: [],
          depth_estimate: 2,
          constraints: [],
          success_criteria: 'luck',
        }),
        solved: ({ thoughts }) => thoughts.at(-1)?.content === solvedBelow,
        compose: () => 'done',
      },
      model: { score: (content) => (content === 'step.1' ? 8.5 : 8) },
    });
    await run();
    return calibrationOf(opened.tree);
  }

  it('is how many of a score that were continued led to a solution', async () => {
    const one = await search('step.2.1');
    assert.deepEqual(one[8], { continued: 2, led: 1 });
    assert.ok(one.every(({ continued }, score) => score === 8 || continued === 0));
    const none = await search('nowhere');
    assert.deepEqual(none[8], { continued: 2, led: 0 });
    assert.deepEqual(addedUp([one, none])[8], { continued: 4, led: 1 });
  });
});
