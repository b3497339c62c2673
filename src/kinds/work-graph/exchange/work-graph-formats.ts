import type { Format } from '../../../engine/kind/kind-format.ts';
import { aotState } from './aot-state-format.ts';
import { workGraphDot } from './drawn/dot.ts';
import { workGraphMermaid } from './drawn/mermaid.ts';

/** The graph, for Graphviz. */
const dot: Format = {
  name: 'dot',
  write: ({ tree }) => Promise.resolve(workGraphDot(tree)),
  fileName: () => 'work-graph.dot',
};

/** The graph, for Mermaid, as it is drawn on many sites. */
const mermaid: Format = {
  name: 'mermaid',
  write: ({ tree }) => Promise.resolve(workGraphMermaid(tree)),
  fileName: () => 'work-graph.mmd',
};

export const workGraphFormats: readonly Format[] = [aotState, dot, mermaid];
