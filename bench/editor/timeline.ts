import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median, type PartOptions } from '../harness/figure.ts';
import { inChild } from '../harness/in-child.ts';
import { writeTree } from '../trees/write-tree.ts';

/** The timeline of one search in its panel; times in milliseconds, from what a person does to the picture. */
export interface TimelineResult {
  readonly events: number;
  readonly nodes: number;
  /** From the click on its button to its first marks, and to all of them. */
  readonly opened: number;
  readonly read: number;
  /** From a click in it, or a key, to the drawing of that moment. */
  readonly clicks: readonly number[];
  readonly steps: readonly number[];
  /** From a click until every node is there, also those out of sight. */
  readonly whole: readonly number[];
  /** The processor time of the extension's side for opening it, and for every node of a moment. */
  readonly openedWork: number;
  readonly work: readonly number[];
  /** Bytes that extension and page hold more than before it was opened. */
  readonly hostBytes: number;
  readonly pageBytes: number;
}

/** Trees of about ten thousand and a hundred thousand events. */
const TREES: readonly (readonly number[])[] = [
  [6, 6, 5, 7],
  [6, 6, 5, 78],
];

/** The timeline end to end: a finished search on disk, the extension's own code in front of it, the real page in Chromium. */
export async function timeline({ quick, say }: PartOptions): Promise<Figure[]> {
  const found: TimelineResult[] = [];
  for (const fanouts of quick ? TREES.slice(0, 1) : TREES) {
    const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
    try {
      writeTree(folder, fanouts);
      found.push(await inChild<TimelineResult>(new URL('timeline-child.ts', import.meta.url), folder));
      say(`${found.at(-1)?.events} events`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return found.flatMap((each, index) => figuresOf(each, index === 1, index === 1 ? found[0] : undefined));
}

function figuresOf(found: TimelineResult, isLarge: boolean, smaller: TimelineResult | undefined): Figure[] {
  const figure = (what: string, value: number, unit: string, atMost: number, note = ''): Figure => ({
    part: 'timeline',
    what: `${what}, ${found.events} events`,
    value: Math.round(value * 10) / 10,
    unit,
    ...(isLarge && { target: { atMost } }),
    note: `${note}${note && '; '}${found.nodes} nodes`,
  });
  const ratio = (now: number, before: number | undefined): string =>
    before === undefined ? '' : `${(now / before).toFixed(1)} × that of ${smaller?.events} events`;
  const both = [...found.clicks, ...found.steps];
  const spread = (times: readonly number[]): string =>
    `median ${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`;
  const mb = (bytes: number): number => bytes / 2 ** 20;
  return [
    figure(
      'first picture of the timeline',
      found.opened,
      'ms',
      1000,
      [`processor time of the extension ${found.openedWork.toFixed(0)} ms`, ratio(found.opened, smaller?.opened)]
        .filter(Boolean)
        .join('; '),
    ),
    figure('the whole timeline', found.read, 'ms', 2000, ratio(found.read, smaller?.read)),
    figure(
      'a moment that is clicked, 95th percentile',
      percentile(found.clicks),
      'ms',
      100,
      `${spread(found.clicks)}${smaller ? `; median ${ratio(median(both), median([...smaller.clicks, ...smaller.steps]))}` : ''}`,
    ),
    figure('a step by a key, 95th percentile', percentile(found.steps), 'ms', 100, spread(found.steps)),
    figure(
      'every node of a moment that is clicked, median',
      median(found.whole),
      'ms',
      1000,
      `worst ${Math.max(...found.whole).toFixed(0)} ms; processor time of the extension, median ${median(found.work).toFixed(0)} ms`,
    ),
    figure(
      'memory while it is open',
      mb(found.hostBytes + found.pageBytes),
      'MB',
      150,
      `${mb(found.hostBytes).toFixed(1)} in the extension, ${mb(found.pageBytes).toFixed(1)} in the page`,
    ),
  ];
}

function percentile(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
}
