import assert from 'node:assert/strict';
import { workGraphDot } from '../../../src/kinds/work-graph/exchange/drawn/dot.ts';
import { loadGraphviz } from '../../graphviz/install.ts';
import { HOSTILE_TITLES, treeWithTitles } from '../../support/work-graph/state-files.ts';

describe('a work graph in the language of Graphviz', () => {
  it('is drawn by the real Graphviz, whatever the titles are', async function () {
    this.timeout(60_000);
    const graphviz = await loadGraphviz();
    const drawn = JSON.parse(graphviz.layout(workGraphDot(treeWithTitles(HOSTILE_TITLES)), 'json', 'dot')) as {
      objects: { name: string; label?: string }[];
      edges?: unknown[];
    };
    const atoms = drawn.objects.filter(({ label }) => label?.startsWith('A'));
    assert.equal(atoms.length, HOSTILE_TITLES.length);
    assert.equal(drawn.edges, undefined, 'no title made an edge');
  });
});
