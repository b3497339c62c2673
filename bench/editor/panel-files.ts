import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { inChild } from '../harness/in-child.ts';
import { FANOUTS } from '../trees/even-tree.ts';
import { writeTree } from '../trees/write-tree.ts';

/** One way to open the panel of a search, and to show its tab again; times in milliseconds. */
export interface PanelFilesResult {
  readonly nodes: number;
  /** From opening the tab to the first picture. */
  readonly first: number;
  /** From opening the tab until all nodes, as their files say, are in the page. */
  readonly whole: number;
  /** From the page's first message to the first picture, of a tab that is shown again. */
  readonly again: number;
  /** The same from where the page begins to load. */
  readonly againLoaded: number;
  /** The longest that the extension's side, and the page, were held up by one task. */
  readonly hostBlock: number;
  readonly pageBlock: number;
  /** What the panel's side of the extension holds once all is read, in bytes of the heap. */
  readonly heap: number;
}

/**
 * The panel end to end: a finished search on disk, the extension's own code in front of it, the real page in Chromium. In the
 * same run an almost empty tree, for what page and browser take themselves.
 */
export async function panelFiles({ quick, say }: PartOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  const run = (folder: string, how: 'journal' | 'snapshot'): Promise<PanelFilesResult> =>
    inChild<PanelFilesResult>(new URL('panel-files-child.ts', import.meta.url), folder, how);
  for (const size of quick ? [1000] : [10_000, 100_000]) {
    const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
    try {
      say(`writing a tree of ${size} nodes`);
      writeTree(join(folder, 'large'), FANOUTS[size] as readonly number[]);
      writeTree(join(folder, 'small'), [3]);
      const small = await run(join(folder, 'small'), 'snapshot');
      say('without a snapshot');
      figures.push(...figuresOf(size, 'journal', await run(join(folder, 'large'), 'journal'), small));
      say('with a snapshot');
      figures.push(...figuresOf(size, 'snapshot', await run(join(folder, 'large'), 'snapshot'), small));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

function figuresOf(size: number, how: string, found: PanelFilesResult, small: PanelFilesResult): Figure[] {
  const figure = (what: string, value: number, unit: string, atMost?: number, note?: string): Figure => ({
    part: 'panel-files',
    what: `${what}, ${found.nodes} nodes, ${how === 'snapshot' ? 'with a snapshot' : 'from its journal'}`,
    value: Math.round(value * 10) / 10,
    unit,
    ...(atMost !== undefined && size === 10_000 ? { target: { atMost } } : {}),
    ...(note === undefined ? {} : { note }),
  });
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  return [
    figure('first picture of a new tab', found.first, 'ms', 800, `with 3 nodes, in the same run: ${ms(small.first)}`),
    figure('all nodes from their files in the page', found.whole, 'ms', 4000),
    figure(
      'tab shown again, from its page’s first message to the picture',
      found.again,
      'ms',
      100,
      `with 3 nodes ${ms(small.again)}; with loading the page ${ms(found.againLoaded)}, with 3 nodes ${ms(small.againLoaded)}`,
    ),
    figure('longest task of the extension', found.hostBlock, 'ms', 50),
    figure('longest task of the page', found.pageBlock, 'ms', 50, `with 3 nodes ${ms(small.pageBlock)}`),
    figure('heap for the panel in the extension', found.heap / 2 ** 20, 'MB'),
  ];
}
