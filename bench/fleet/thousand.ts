import type { Figure, PartOptions } from '../harness/figure.ts';
import { inChild } from '../harness/in-child.ts';
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
  /** The most calls under way at a time, without picks, and the most picks. */
  readonly most: number;
  readonly mostPicks: number;
  /** Names in the longest ranking. */
  readonly longestRanking: number;
  /** Virtual time, and the time of all calls except picks. */
  readonly seconds: number;
  readonly workSeconds: number;
  /** Processor time of the whole process, in milliseconds, without that of whoever answers, which is the second one. */
  readonly cpuMs: number;
  readonly ownMs: number;
  /** Bytes of the heap that the search holds at its end. */
  readonly heap: number;
  /** Bytes of the process at its largest. */
  readonly largest: number;
  /** How often the leader of a fleet asked what has become of its calls, and for registrations. */
  readonly looks?: { readonly follows: number; readonly registrations: number };
}

/**
 * A search of about 20,000 nodes at 1,000 slots, in virtual time with real files: its leader's side of a queue in memory,
 * whose workers answer by a script. Next to it, in the same run, the same search without a queue, and that at 4 slots.
 */
export async function thousand({ quick, say }: PartOptions): Promise<Figure[]> {
  say(`${SLOTS} slots, with a queue`);
  const queued = await inChild<ThousandResult>(new URL('thousand-child.ts', import.meta.url), SLOTS, 'queue');
  say(`${SLOTS} slots`);
  const many = await inChild<ThousandResult>(new URL('thousand-child.ts', import.meta.url), SLOTS);
  const figures = [
    ...figuresOf(queued, `${SLOTS} slots and a queue`),
    ...figuresOf(many, `${SLOTS} slots`),
    {
      ...what('processor time a call with a queue, over that without'),
      value: cpuOf(queued) / cpuOf(many),
      unit: '×',
      note: `${queued.looks?.follows} looks after calls, ${queued.looks?.registrations} at cards; workers and queue ${seconds(queued.ownMs)} s, not counted`,
    },
    overHeap('heap a node with a queue, over that without', queued, many),
  ];
  if (quick) return figures;
  say(`${FEW} slots`);
  const few = await inChild<ThousandResult>(new URL('thousand-child.ts', import.meta.url), FEW);
  return [
    ...figures,
    { ...what(`processor time a call, ${FEW} slots`), value: cpuOf(few), unit: 'ms' },
    overHeap(`heap a node over that at ${FEW} slots`, many, few),
  ];
}

function figuresOf(result: ThousandResult, how: string): Figure[] {
  const { nodes, calls, picks, most, mostPicks, longestRanking } = result;
  const seen = `${nodes} nodes, ${calls} calls, ${picks} of them rankings; ${most} under way at most`;
  return [
    {
      ...what(`time over bound, ${how}`),
      ...{ value: result.seconds / boundOf(result), unit: '×', target: { atMost: 1.1 } },
      note: `${result.seconds} s; ${seen}`,
    },
    { ...what(`processor time a call, ${how}`), value: cpuOf(result), unit: 'ms', target: { atMost: 5 } },
    {
      ...what(`names in the longest ranking, ${how}`),
      ...{ value: longestRanking, unit: '', target: { atMost: 512 } },
      note: `${mostPicks} rankings side by side at most`,
    },
  ];
}

function overHeap(text: string, more: ThousandResult, less: ThousandResult): Figure {
  return {
    ...what(text),
    ...{ value: more.heap / more.nodes / (less.heap / less.nodes), unit: '×', target: { atMost: 1.1 } },
    note: `${bytes(more)} and ${bytes(less)} bytes; the process at its largest ${megabytes(more)} and ${megabytes(less)} MB`,
  };
}

function what(text: string): { part: string; what: string } {
  return { part: 'thousand', what: text };
}

function cpuOf({ cpuMs, calls }: ThousandResult): number {
  return cpuMs / calls;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
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
