import { walk } from '../../../src/core/tree/tree.ts';
import { descriptorOf } from '../../../src/engine/kind.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import type { GraphDetails, GraphNode, GraphSearch } from '../../../src/protocol/graph-node.ts';
import { overviewOf } from '../../../src/searches/reader/search-overview.ts';
import { detailsOf, graphNodeOf, graphSearchOf } from '../../../src/searches/search-graph.ts';

/** What the panel gets of a whole search. */
export interface ShownSearch {
  readonly search: GraphSearch;
  readonly nodes: readonly GraphNode[];
  /** What it gets of a node that is selected. */
  readonly detailsOf: (path: string) => Promise<GraphDetails>;
}

/** A search in a folder as the panel gets it, in English. */
export async function shownSearch(folder: string): Promise<ShownSearch> {
  const { tree, file, reader } = await overviewOf(KINDS, folder);
  const parts = { kinds: KINDS, show: ({ text }: { text: string }) => text };
  const context = { links: tree.links };
  const nodes = [...walk(tree.root)].map((node) =>
    graphNodeOf(node, descriptorOf(KINDS, file.kind), parts.show, context),
  );
  return {
    search: { ...graphSearchOf(reader, tree, parts), actions: [] },
    nodes,
    detailsOf: (path) => detailsOf(reader, KINDS, path, parts.show),
  };
}
