import type { SnapshotMessage } from '../protocol/host-message.ts';
import { layersLayoutOf } from './layout/layer-layout.ts';
import { layoutOf } from './layout/tree-layout.ts';
import { PALETTES, type Palette } from './palette.ts';
import { pictureOf } from './picture.ts';
import { TreeModel } from './tree-model.ts';

export interface SvgOptions {
  /** Levels below the question that are drawn, at least 1; by default all. Deeper nodes are counted, not drawn. */
  readonly levels?: number;
  /** Translates a text of the kind (`words`, `marks`); by default it stays English. */
  readonly say?: (text: string) => string;
  /** Returns the address to which the card of a node leads, if any. */
  readonly link?: (path: string) => string | undefined;
}

/**
 * A search as a self-contained SVG file: its tree, or its graph in layers for kinds that are drawn so, with the best path
 * in gold. Needs no browser: widths of texts are estimated.
 * @param snapshot what the panel is sent; its nodes have parents before their children
 * @param theme the editor's own light or dark colours, or others
 */
export function treeSvg(
  { nodes, search }: Pick<SnapshotMessage, 'nodes' | 'search'>,
  theme: 'light' | 'dark' | Palette,
  { levels = Number.MAX_SAFE_INTEGER, say = (text) => text, link }: SvgOptions = {},
): string {
  const tree = new TreeModel();
  tree.reset({ nodes });
  const unfolding = { levels, opened: new Set<string>(), closed: new Set<string>() };
  const faces = search.drawnLinks;
  const layout = faces ? layersLayoutOf(tree.root, unfolding, faces) : layoutOf(tree.root, unfolding);
  const scene = {
    layout,
    palette: typeof theme === 'string' ? PALETTES[theme] : theme,
    best: new Set(search.bestPath),
    faces,
  };
  return pictureOf(scene, { say, count: String, link });
}
