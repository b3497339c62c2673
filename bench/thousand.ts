import type { Figure, PartOptions } from './figure.ts';
import { inChild } from './in-child.ts';
import { TOPICS } from './thousand-tree.ts';

/** How long every call takes, in milliseconds. */
export const CALL_MS = 10_000;
const SLOTS = 1000;
const FEW = 4;

/** A whole search of the tree. */
export interface ThousandResult {
  readonly nodes: number;
  readonly calls: number;
  readonly picks: number;
  /** The most calls under way at a time, without picks. */
  readonly most: number;
  /** Virtual time, and the time of all calls except picks. */
  readonly seconds: number;
  readonly workSeconds: number;
  /** Processor time of the whole process, without the model's, in milliseconds. */
  readonly cpuMs: number;
  /** Bytes of the heap that the search holds at its end. */
  readonly heap: number;
  /** Bytes of the process at its largest. */
  readonly largest: number;
}

/**
 * A search of about 20,000 nodes at 1,000 slots, in virtual time with real files; a scripted model in the process stands
 * for a fleet. Next to it, in the same run, the same search at 4 slots.
 */
export async function thousand({ quick, say }: PartOptions): Promise<Figure[]> {
  say(`${SLOTS} slots`);
  const many = await inChild<ThousandResult>('thousand-child.ts', SLOTS);
  const what = (text: string): { part: string; what: string } => ({ part: 'thousand', what: text });
  const { most, calls, picks, nodes } = many;
  const seen = `${nodes} nodes, ${calls} calls, ${picks} of them rankings; ${most} under way at most`;
  const figures: Figure[] = [
    {
      ...what(`time over bound, ${SLOTS} slots`),
      value: many.seconds / boundOf(many),
      unit: '×',
      target: { atMost: 1.1 },
      note: `${many.seconds} s; ${seen}`,
    },
    { ...what(`processor time a call, ${SLOTS} slots`), value: many.cpuMs / calls, unit: 'ms', target: { atMost: 5 } },
  ];
  if (quick) return figures;
  say(`${FEW} slots`);
  const few = await inChild<ThousandResult>('thousand-child.ts', FEW);
  figures.push(
    { ...what(`processor time a call, ${FEW} slots`), value: few.cpuMs / few.calls, unit: 'ms' },
    {
      ...what('heap a node over that at 4 slots'),
      value: many.heap / many.nodes / (few.heap / few.nodes),
      unit: '×',
      target: { atMost: 1.1 },
      note: `${bytes(many)} and ${bytes(few)} bytes; the process at its largest ${megabytes(many)} and ${megabytes(few)} MB`,
    },
  );
  return figures;
}

/**
 * The shortest possible time, in seconds: the levels that have fewer nodes than there are slots, one after the other, and
 * the report at the end; the rest of the work, divided by the slots.
 */
function boundOf({ workSeconds }: ThousandResult): number {
  const call = CALL_MS / 1000;
  let alone = call; // the first level's list
  let done = call;
  for (let level = TOPICS; level < SLOTS; level *= TOPICS) {
    alone += 2 * call;
    done += 2 * call * level;
  }
  return alone + call + (workSeconds - done - call) / SLOTS;
}

function bytes({ heap, nodes }: ThousandResult): string {
  return (heap / nodes).toFixed(0);
}

function megabytes({ largest }: ThousandResult): string {
  return (largest / 1e6).toFixed(0);
}
