import type { Figure, PartOptions } from '../harness/figure.ts';
import { inChild } from '../harness/in-child.ts';

/** The cost of one node. */
export interface ScaleResult {
  readonly nodes: number;
  /** Microseconds of processor time. */
  readonly microseconds: number;
  /** Bytes of the heap that the search holds when it is done, without its files. */
  readonly bytes: number;
  /** Searches held together, so that small ones add up to something measurable. */
  readonly held: number;
}

/** The cost of one node in a tree on disk. */
export interface DiskScaleResult {
  readonly nodes: number;
  readonly microseconds: number;
  /** Milliseconds of wall-clock time. */
  readonly wallMs: number;
}

/**
 * The engine's own cost of a node in trees of four levels, for a model that answers at once: processor time without
 * the model's, and heap without the files. Small trees are searched many times over in one process.
 */
export async function scale({ quick, say }: PartOptions): Promise<Figure[]> {
  const sizes = quick ? [100] : [100, 1000, 10_000];
  const most = quick ? 10_000 : 100_000;
  const onDisk = quick ? 1000 : 10_000;
  say(`trees of ${[...sizes, most].join(', ')} nodes, and one of ${onDisk} on the disk; two processes at once`);
  const [largest, [others, disk]] = await Promise.all([
    inChild<ScaleResult>(new URL('scale-child.ts', import.meta.url), most),
    smallOnes(sizes, onDisk),
  ]);
  const results = [...others, largest];
  const figures = results.flatMap(figuresOf);
  const spread = (of: (result: ScaleResult) => number): number =>
    Math.max(...results.map(of)) / Math.min(...results.map(of));
  const target = { atMost: 2 };
  const range = { part: 'scale', unit: '×', target, note: `largest over smallest, ${sizes[0]} to ${most} nodes` };
  figures.push({ ...range, what: 'processor time a node', value: spread(({ microseconds }) => microseconds) });
  figures.push({ ...range, what: 'heap a node', value: spread(({ bytes }) => bytes) });
  const note = `${disk.wallMs.toFixed(1)} ms by the clock, 4 slots, a model that answers at once`;
  const what = `processor time a node, ${disk.nodes} nodes on the disk`;
  return [...figures, { part: 'scale', what, value: disk.microseconds, unit: 'µs', note }];
}

/** Returns one after the other, since the largest uses the second processor throughout. */
async function smallOnes(sizes: readonly number[], onDisk: number): Promise<[ScaleResult[], DiskScaleResult]> {
  const results: ScaleResult[] = [];
  for (const size of sizes) results.push(await inChild<ScaleResult>(new URL('scale-child.ts', import.meta.url), size));
  return [results, await inChild<DiskScaleResult>(new URL('scale-disk-child.ts', import.meta.url), onDisk)];
}

function figuresOf({ nodes, microseconds, bytes, held }: ScaleResult): Figure[] {
  const note = held > 1 ? `${held} searches` : 'one search';
  return [
    { part: 'scale', what: `processor time a node, ${nodes} nodes`, value: microseconds, unit: 'µs', note },
    { part: 'scale', what: `heap a node, ${nodes} nodes`, value: bytes, unit: 'bytes', note },
  ];
}
