import { oneLine } from '../../core/text/text.ts';
import { nodeAt, pathOf } from '../../core/tree/tree.ts';
import type { Palette } from '../../drawing/palette.ts';
import { treeSvg } from '../../drawing/tree-svg.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import { graphNodeOf, graphSearchOf, type Show } from '../graph/graph-of-search.ts';
import { outlineNodes } from '../reader/outline-nodes.ts';
import type { SearchOverview } from '../reader/search-overview.ts';
import { bestPathOf } from './best-path-of.ts';
import { Discreet } from './discreet.ts';

/** The parts besides a search from which it is drawn for other people. */
export interface DrawingParts {
  readonly kinds: Kinds;
  readonly show: Show;
  /** The most nodes that are drawn. */
  readonly most: number;
  readonly theme: 'light' | 'dark' | Palette;
  readonly link?: (path: string) => string | undefined;
}

/** A search, drawn: the best path, then the nodes nearest to the question, as many as there is room for. */
export async function drawnTree(
  overview: SearchOverview,
  { kinds, show, most, theme, link }: DrawingParts,
): Promise<{ readonly svg: string; readonly nodes: number }> {
  const { tree, file, reader } = overview;
  const face = faceOf(kinds, file.kind);
  const best = bestPathOf(overview);
  const wanted = best.flatMap((path) => nodeAt(tree, path) ?? []);
  const chosen = [tree.root, ...outlineNodes(tree, most, wanted).map(({ node }) => node)];
  const titles = await new Discreet().lines(chosen.map(({ title }) => oneLine(title, 300)));
  const search = { ...graphSearchOf(reader, tree, { kinds, show }), actions: [] };
  const nodes = chosen.map((node, i) => {
    const { summary: _summary, failure: _failure, ...drawn } = graphNodeOf(node, face, show, { links: tree.links });
    return { ...drawn, title: titles[i] || node.slug || pathOf(node) };
  });
  const options = link ? { link } : {};
  return { svg: treeSvg({ search, nodes }, theme, options), nodes: chosen.length - 1 };
}
