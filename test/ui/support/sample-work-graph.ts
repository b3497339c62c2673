import { workGraphDescriptor } from '../../../src/kinds/work-graph/descriptor.ts';
import type { GraphNode, GraphSearch } from '../../../src/protocol/graph-node.ts';
import { graphNodes, sampleGraph } from '../../support/work-graph/sample-graph.ts';
import { sampleSearch } from './sample-tree.ts';

/** A work graph as the panel gets it. */
export function sampleWorkGraph(nodes: readonly GraphNode[] = graphNodes(sampleGraph())): {
  readonly search: GraphSearch;
  readonly nodes: readonly GraphNode[];
} {
  const search = sampleSearch(nodes, {
    title: 'All tests pass on Node 26',
    question: 'All tests pass on Node 26',
    kind: workGraphDescriptor.name,
    words: { ...workGraphDescriptor.words, doing: { work: 'working on a task' } },
    drawnLinks: workGraphDescriptor.graph?.drawing.links ?? {},
    order: [],
    bestPath: [],
  });
  return { search, nodes };
}
