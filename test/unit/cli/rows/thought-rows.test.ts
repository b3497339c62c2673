import assert from 'node:assert/strict';
import { thoughtRows } from '../../../../src/cli/rows/tree-rows.ts';
import { renderRow } from '../../../../src/cli/terminal/terminal.ts';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { simulateThoughts } from '../../../support/searches/simulated-thoughts.ts';
import { PLAIN } from './sample-tree.ts';

/** What is printed at the end of a search whose paths are as long as they get, and none is a solution for certain. */
async function printed(answer: string): Promise<string[]> {
  const instead = ({ purpose }: ModelRequest): string | undefined => (purpose === 'synthesize' ? answer : undefined);
  const options = { candidates: 2, beam: 1, threshold: 0, maxDepth: 1 };
  const simulation = await simulateThoughts({
    strategy: 'breadth-first',
    options,
    model: { instead, score: () => 6 },
  });
  const rows = thoughtRows(simulation.search, await simulation.run());
  return rows.map((row) => renderRow(row, 200, PLAIN));
}

describe('what a search for a solution prints at its end', () => {
  it('is the answer as it was written, with its path', async () => {
    assert.deepEqual(await printed('Paint it\n\nred.'), ['Answer: Paint it red.', 'Its path:', '  1. step.1  6']);
  });

  it('keeps the lines of a table, and no command to the terminal in them', async () => {
    const [label, ...lines] = await printed('Red:\n\n| wall | days |\n| --- | --- |\n| north | 2 \u001b[31m|');
    assert.equal(label, 'Answer:');
    assert.deepEqual(lines.slice(0, 5), ['Red:', '', '| wall | days |', '| --- | --- |', '| north | 2  [31m|']);
  });

  it('is the path alone where nobody wrote an answer down, for its last thought is none', async () => {
    assert.deepEqual(await printed(' '), ['Its path:', '  1. step.1  6']);
  });
});
