import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FANOUTS } from './even-tree.ts';
import type { Figure, PartOptions } from './figure.ts';
import { inChild } from './in-child.ts';
import { writeTree } from './write-tree.ts';

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

/** Opening finished searches from the disk, whose files the operating system still has in memory. */
export async function opening({ quick, say }: PartOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of quick ? [1000] : [10_000, 100_000]) {
    const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
    try {
      say(`writing a tree of ${size} nodes`);
      writeTree(folder, FANOUTS[size] as readonly number[]);
      say('opening it');
      figures.push(...figuresOf(await inChild<OpeningResult>('opening-child.ts', folder)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return figures;
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
    figure('the whole search', search, `; the process at its largest ${(mostResident / 2 ** 20).toFixed(0)} MB`),
  ];
}
