import type { Figure, PartOptions } from '../harness/figure.ts';
import { inChild } from '../harness/in-child.ts';

/** The results of one run in a browser; times in milliseconds, intervals as the 95th percentile. */
export interface PanelResult {
  readonly first: number;
  readonly pan: number;
  /** With every node open and about a quarter of the tree in the window. */
  readonly panAll: number;
  readonly zoomAll: number;
  /** With a full redraw in each frame. */
  readonly plain: number;
  readonly snapshotBytes: number;
  readonly changeBytes: number;
}

/** Returns the panel in a browser without a graphics card: how soon it shows a tree, and how smoothly it moves. */
export async function panel({ quick, say }: PartOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of quick ? [100, 10_000] : [100, 10_000, 100_000]) {
    say(`${count} nodes`);
    figures.push(
      ...figuresOf(
        count,
        await inChild<PanelResult>(new URL('panel-child.ts', import.meta.url), count, quick ? 60 : 240),
      ),
    );
  }
  return figures;
}

function figuresOf(count: number, found: PanelResult): Figure[] {
  const figure = (what: string, value: number, unit: string, atMost?: number, note?: string): Figure => ({
    part: 'panel',
    what: `${what}, ${count} nodes`,
    value: Math.round(value * 10) / 10,
    unit,
    ...(atMost !== undefined && count === 10_000 ? { target: { atMost } } : {}),
    ...(note === undefined ? {} : { note }),
  });
  const plain = `a plain redraw of everything: ${found.plain.toFixed(1)} ms`;
  return [
    figure('first picture', found.first, 'ms', 500),
    figure('frame interval while panning, p95', found.pan, 'ms', 20),
    figure('frame interval while panning, all open, p95', found.panAll, 'ms', 20, plain),
    figure('frame interval while zooming, all open, p95', found.zoomAll, 'ms', 20, plain),
    figure('a snapshot', found.snapshotBytes / 1024, 'KB'),
    figure('one change', found.changeBytes, 'bytes'),
  ];
}
