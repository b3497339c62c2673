import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { inChild } from '../harness/in-child.ts';

/** The children of a node, by its depth. */
export const FANOUTS_REAL: readonly number[] = [6, 12, 12];
/** The nodes of that tree. */
export const NODES_REAL = 942;
/** How long a fast model takes for an answer, in milliseconds, by its purpose. */
export const ANSWER_MS: Readonly<Record<string, number>> = { document: 300, children: 60, pick: 60 };

/** What the server saw. */
export interface Served {
  readonly calls: number;
  /** The time of all answers except picks, in milliseconds. */
  readonly workMs: number;
  readonly promptTokens: number;
  readonly pickShare: number;
}

/** A whole search: its duration, and the processor time of its process meanwhile, both in milliseconds. */
export interface RealRun {
  readonly ms: number;
  readonly cpuMs: number;
}

/** How much longer than (work ÷ slots) a search may take. */
const TARGETS: readonly [slots: number, atMost: number][] = [
  [4, 1.05],
  [16, 1.1],
  [64, 1.6],
];

/**
 * A search of 942 nodes in real time: a fast model behind HTTP, files on the disk, three processes. Next to it the plain
 * form: the same calls by a program without files, budget or picker.
 */
export async function real({ quick, say }: PartOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [slots, atMost] of TARGETS) {
    if (quick && slots === 4) continue; // 80 seconds each
    say(`${slots} slots, the plain form`);
    const plain = await served('real-plain-child.ts', slots);
    say(`${slots} slots`);
    const ours = await served('real-child.ts', slots);
    figures.push(
      {
        part: 'real',
        what: `time over (work ÷ slots), ${slots} slots`,
        value: over(ours, slots),
        unit: '×',
        target: { atMost },
        note: `plain form ${over(plain, slots).toFixed(3)}; ${(ours.run.ms / 1000).toFixed(1)} s for ${ours.seen.calls} calls`,
      },
      {
        part: 'real',
        what: `processor time a node, ${slots} slots`,
        value: ours.run.cpuMs / NODES_REAL,
        unit: 'ms',
        target: { atMost: 5 },
        note: `plain form ${(plain.run.cpuMs / NODES_REAL).toFixed(2)} ms`,
      },
      {
        part: 'real',
        what: `picker's share of prompt tokens, ${slots} slots`,
        value: 100 * ours.seen.pickShare,
        unit: '%',
        target: { atMost: 5 },
      },
    );
  }
  return figures;
}

interface Measured {
  readonly run: RealRun;
  readonly seen: Served;
}

function over({ run, seen }: Measured, slots: number): number {
  return run.ms / (seen.workMs / slots);
}

/** Runs a search against a server of its own. */
async function served(file: string, slots: number): Promise<Measured> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('real-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
    const { value: baseUrl } = await lines.next();
    const run = await inChild<RealRun>(new URL(file, import.meta.url), String(baseUrl), slots);
    server.stdin.end();
    const { value: said } = await lines.next();
    return { run, seen: JSON.parse(String(said)) as Served };
  } finally {
    server.kill();
  }
}
