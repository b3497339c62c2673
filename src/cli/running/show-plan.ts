import { createInterface } from 'node:readline/promises';
import { decompositionFrom } from '../../core/search/thought-answers.ts';
import type { Decomposition } from '../../core/search/thought-messages.ts';
import { oneLine } from '../../core/text/text.ts';
import type { OpenedSearch } from '../../searches/open-search.ts';
import type { Output } from '../terminal/output.ts';
import { canAsk } from './ask-yes.ts';

/**
 * Shows how the problem was taken apart before a search begins, and waits for a person who may edit the file meanwhile.
 * Without a terminal it is taken as it is, when the search comes to it.
 */
export async function showPlan({ search, store }: OpenedSearch, folder: string, out: Output): Promise<void> {
  if (!canAsk()) return;
  await search.prepare(async (plan) => {
    for (const line of planLines(plan)) out.line(line);
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      await lines.question(`Press Enter to begin. To change it, edit ${folder}/decomposition.json first. `);
    } finally {
      lines.close();
    }
    return decompositionFrom((await store.readDecomposition()) ?? plan);
  });
}

function planLines(plan: Decomposition): string[] {
  const { thought_granularity, intermediate_steps, depth_estimate, constraints, success_criteria } = plan;
  return [
    `One thought is: ${thought_granularity}`,
    ...intermediate_steps.map((step, index) => `  ${index + 1}. ${step}`),
    `Steps to a solution: about ${depth_estimate}`,
    ...constraints.map((constraint) => `Has to hold: ${constraint}`),
    `Solved when: ${success_criteria}`,
  ].map((line) => oneLine(line, 500));
}
