import type { Look } from '../core/kind/kind-descriptor.ts';
import type { NodeStatus } from '../core/tree/node-file.ts';
import type { GraphNode } from '../protocol/graph-node.ts';
import type { Placed } from './layout/tree-layout.ts';
import type { Palette } from './palette.ts';

/** A shape of 14 by 14: each status has its own, so that colour is never the only difference. */
export interface Glyph {
  readonly name: GlyphName;
  /** Areas and lines in the status's colour, then lines in the background colour; as in SVG's `d`. */
  readonly fill?: string;
  readonly stroke?: string;
  readonly mark?: string;
}

export type GlyphName = NodeStatus | 'aside' | 'merged' | 'solved' | 'question';

const CIRCLE = 'M7 1.4a5.6 5.6 0 1 0 0 11.2a5.6 5.6 0 1 0 0-11.2Z';
const CHECK = 'M4.3 7.2L6.2 9.2L9.8 5';

// They are like the editor's icons for the same nodes in its lists.
const GLYPHS: Readonly<Record<GlyphName, Glyph>> = {
  unexpanded: { name: 'unexpanded', stroke: CIRCLE },
  'in-progress': {
    name: 'in-progress',
    stroke: 'M7 1.4a5.6 5.6 0 1 1-5.6 5.6',
    fill: 'M7 4.6a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 1 0 0-4.8Z',
  },
  expanded: { name: 'expanded', stroke: `${CIRCLE}${CHECK}` },
  leaf: { name: 'leaf', fill: CIRCLE },
  solved: { name: 'solved', fill: 'M7 0.4a6.6 6.6 0 1 0 0 13.2a6.6 6.6 0 1 0 0-13.2Z', mark: CHECK },
  merged: {
    name: 'merged',
    stroke: 'M7 0.9L13.1 7L7 13.1L0.9 7Z',
    fill: 'M4.4 5.4h5.2v1.2H4.4ZM4.4 7.6h5.2v1.2H4.4Z',
  },
  // A ring with gaps, which can be taken up again.
  aside: {
    name: 'aside',
    stroke: 'M4.2 2.1A5.6 5.6 0 0 0 1.4 7M1.4 7A5.6 5.6 0 0 0 4.2 11.9M9.8 2.1A5.6 5.6 0 0 1 9.8 11.9M5.7 5V9M8.3 5V9',
  },
  pruned: { name: 'pruned', stroke: `${CIRCLE}M3.1 3.1L10.9 10.9` },
  failed: { name: 'failed', stroke: `${CIRCLE}M4.7 4.7L9.3 9.3M9.3 4.7L4.7 9.3` },
  question: { name: 'question', fill: CIRCLE, mark: 'M5 5.6a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1M7 10V10.8' },
};

/** The fields of a node on which its shape and colour depend. */
export type Marked = Pick<GraphNode, 'path' | 'status' | 'leafReason' | 'selected' | 'sameAs' | 'look'>;

/** The glyphs that kinds name. */
const NAMED: Readonly<Record<Look['glyph'], GlyphName>> = {
  open: 'unexpanded',
  busy: 'in-progress',
  done: 'expanded',
  end: 'leaf',
  cut: 'pruned',
  failed: 'failed',
  merged: 'merged',
  aside: 'aside',
};

/** Returns the shape of a node. */
export function glyphOf(node: Marked): Glyph {
  return GLYPHS[glyphNameOf(node)];
}

function glyphNameOf(node: Marked): GlyphName {
  const { path, status, leafReason } = node;
  if (path === '') return 'question';
  if (node.look && status !== 'pruned') return NAMED[node.look.glyph];
  if (status === 'pruned') return 'pruned';
  if (isMerged(node)) return 'merged';
  if (leafReason === 'solved') return 'solved';
  return isSetAside(node) ? 'aside' : status;
}

/** Tells whether it was merged into an equal node. */
export function isMerged({ sameAs, leafReason }: Pick<GraphNode, 'sameAs' | 'leafReason'>): boolean {
  return sameAs !== undefined || leafReason === 'duplicate';
}

/** Tells whether it was good enough but not kept, or looks so by its kind: a proposal that nobody researched yet. */
export function isSetAside({ selected, status, look }: Pick<GraphNode, 'selected' | 'status' | 'look'>): boolean {
  return look?.glyph === 'aside' || (selected === false && status === 'unexpanded');
}

const COLOURS: Readonly<Record<NodeStatus, 'blue' | 'green' | 'red' | 'dim'>> = {
  'in-progress': 'blue',
  expanded: 'green',
  leaf: 'green',
  pruned: 'dim',
  failed: 'red',
  unexpanded: 'dim',
};

const TONES: Readonly<Record<Look['tone'], 'blue' | 'green' | 'red' | 'dim'>> = {
  plain: 'dim',
  busy: 'blue',
  good: 'green',
  dim: 'dim',
  bad: 'red',
};

/** Returns the colour of a node's shape. */
export function colourOf(node: Marked, palette: Palette): string {
  if (node.path === '') return palette.blue;
  if (node.look && node.status !== 'pruned') return palette[TONES[node.look.tone]];
  if (node.status !== 'pruned' && isMerged(node)) return palette.purple;
  return isSetAside(node) ? palette.orange : palette[COLOURS[node.status]];
}

/**
 * Returns the colour of a node's shape in a drawing, where a pruned branch has none: fainter, nobody could tell its
 * shapes.
 */
export function colourIn({ node: { data }, isCutOff }: Placed, palette: Palette): string {
  return isCutOff ? palette.dim : colourOf(data, palette);
}

/** Returns the colour of a score's bar; its length says the same. */
export function scoreColour(score: number, palette: Palette): string {
  if (score >= 7) return palette.green;
  return score >= 4 ? palette.yellow : palette.orange;
}
