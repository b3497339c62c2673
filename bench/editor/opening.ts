import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { inChild } from '../harness/in-child.ts';
import { FANOUTS } from '../trees/even-tree.ts';
import { writeTree } from '../trees/write-tree.ts';

interface Cost {
  readonly seconds: number;
  /** Bytes of the heap that are held afterwards. */
  readonly bytes: number;
}

/** The cost of opening one tree. */
export interface OpeningResult {
  readonly nodes: number;
  readonly events: number;
  readonly tree: Cost;
  readonly journal: Cost;
  readonly search: Cost;
  /** The process's peak memory, in bytes. */
  readonly mostResident: number;
}

/** The cost of opening one tree that has a snapshot, in a process of its own. */
export interface SnapshotResult {
  readonly nodes: number;
  readonly seconds: number;
  /** The process's peak memory, in bytes. */
  readonly mostResident: number;
}

/** Seals the snapshots of this benchmark. */
const KEY = 'benchmark';

/** Opening finished searches from the disk, whose files the operating system still has in memory. */
export async function opening({ quick, say }: PartOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of quick ? [1000] : [10_000, 100_000]) {
    const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
    try {
      say(`writing a tree of ${size} nodes`);
      writeTree(folder, FANOUTS[size] as readonly number[]);
      say('opening it');
      figures.push(...figuresOf(await inChild<OpeningResult>(new URL('opening-child.ts', import.meta.url), folder)));
      say('opening it with a snapshot');
      await inChild(new URL('snapshot-child.ts', import.meta.url), folder, KEY);
      for (const what of ['tree', 'search'] as const)
        figures.push(
          withSnapshot(
            await inChild<SnapshotResult>(new URL('with-snapshot-child.ts', import.meta.url), folder, KEY, what),
            what,
            size,
          ),
        );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

/** Megabytes that a process may take for a large search. */
const LARGEST = 300;

function withSnapshot({ nodes, seconds, mostResident }: SnapshotResult, what: 'tree' | 'search', size: number): Figure {
  const name = { tree: 'the tree, as the panel reads it', search: 'the whole search' }[what];
  return {
    part: 'opening',
    what: `${name}, with a snapshot, ${nodes} nodes`,
    value: seconds,
    unit: 's',
    ...(size === 100_000 && { target: { atMost: { tree: 1, search: 4 }[what] } }),
    note: `${((1e6 * seconds) / nodes).toFixed(0)} µs a node; the process at its largest ${megabytes(mostResident)} MB (to be ${LARGEST})`,
  };
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

function figuresOf({ nodes, events, tree, journal, search, mostResident }: OpeningResult): Figure[] {
  const figure = (what: string, { seconds, bytes }: Cost, note = ''): Figure => ({
    part: 'opening',
    what: `${what}, ${nodes} nodes`,
    value: seconds,
    unit: 's',
    note: `${((1e6 * seconds) / nodes).toFixed(0)} µs and ${(bytes / nodes).toFixed(0)} bytes a node${note}`,
  });
  return [
    figure('the tree from its files', tree),
    figure('the journal', journal, `, ${events} events`),
    figure('the whole search', search, `; the process at its largest ${megabytes(mostResident)} MB`),
  ];
}
