import assert from 'node:assert/strict';
import { workGraphDot, workGraphMermaid } from '../../../../../src/kinds/work-graph/exchange/formats.ts';
import { HOSTILE_TITLES, searchFrom, stateFile, treeWithTitles } from '../../../../support/work-graph/state-files.ts';

describe('a work graph drawn by other programs', () => {
  it('shows in DOT what waits for what, alternatives in a box, and how sure each is', () => {
    const dot = workGraphDot(searchFrom(stateFile('good', 'switched.md')).tree);
    assert.match(
      dot,
      /n1 \[label="A1\\nmeasure\\nresolved, reported", fillcolor=palegreen, style="filled,rounded,solid"\];/,
    );
    assert.match(dot, /subgraph cluster_n2 \{\n {4}label="how";/);
    assert.match(dot, /label="A2_cache\\na cache\\nfailed", fillcolor=mistyrose, style="filled,rounded,dashed"/);
    assert.match(
      dot,
      /label="A2_lazy\\nload lazily\\nresolved, reported", fillcolor=palegreen, style="filled,rounded,solid"/,
    );
    assert.match(
      dot,
      /n2 -> n5 \[style=solid, ltail=cluster_n2\];/,
      'waiting for one alternative is waiting for the group',
    );
  });

  it('shows the same in Mermaid', () => {
    const mermaid = workGraphMermaid(searchFrom(stateFile('good', 'switched.md')).tree);
    assert.match(mermaid, /n1\["A1<br\/>measure<br\/>resolved, reported"\]/);
    assert.match(mermaid, /subgraph n2\["how"\]\n {4}n3/);
    assert.match(mermaid, /n2 --> n5\n/);
    assert.match(mermaid, /style n3 stroke-dasharray/);
  });

  it('means nothing in Mermaid but what it shows', () => {
    const lines = workGraphMermaid(treeWithTitles(HOSTILE_TITLES)).split('\n');
    const nodes = lines.filter((line) => /^ {4}n\d+\["/.test(line));
    assert.equal(nodes.length, HOSTILE_TITLES.length);
    for (const line of nodes) assert.match(line, /^ {4}n\d+\["(?:[\p{L}\p{N} ,.:_-]|#\d+;|<br\/>)*"\]$/u);
    assert.ok(!lines.some((line) => /-->|<script|%%/.test(line)));
  });
});
