import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Figure, median, type PartOptions } from '../harness/figure.ts';
import { FANOUTS } from '../trees/even-tree.ts';
import { writeTree } from '../trees/write-tree.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The results of one extension host: times in milliseconds, memory as bytes of its heap, unless said otherwise. */
export interface HostResult {
  readonly activationMs: number;
  /** Processor time of the host's process in the meantime, for whatever purpose: more reliable on a busy machine. */
  readonly activationCpuMs: number;
  readonly activationBytes: number;
  readonly paints: readonly {
    readonly nodes: number;
    /** Until the first page of its topics was read. */
    readonly pageMs: number;
    /** Until its journal was read, too. */
    readonly journalMs: number;
    readonly bytes: number;
    /** The memory of the whole host's process, in bytes, with this search open in sidebar and drawing. */
    readonly rss: number;
  }[];
}

/**
 * The built extension in real extension hosts, each in its own process. Activation is loading the bundle and `activate()`;
 * the first paint is opening a search and reading the first page of its topics, while its journal is read concurrently. Then
 * every node of it is read for a drawing.
 */
export async function extension({ quick, say }: PartOptions): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
  try {
    const trees = (quick ? [1000] : [1000, 10_000, 100_000]).map((size) => {
      say(`writing a tree of ${size} nodes`);
      const tree = join(folder, String(size));
      writeTree(tree, FANOUTS[size] as readonly number[]);
      return tree;
    });
    const hosts: HostResult[] = [];
    for (let i = 0; i < (quick ? 1 : 5); i++) {
      say(`extension host ${i + 1}`);
      hosts.push(await inHost(folder, trees));
    }
    return figuresOf(hosts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function inHost(folder: string, trees: readonly string[]): Promise<HostResult> {
  const result = join(folder, 'result.json');
  const env = { ...process.env, BENCH_RESULT: result, BENCH_FOLDERS: JSON.stringify(trees) };
  const args = ['test/host/run-in-host.ts', 'bench/editor/extension-suite.ts', '--timeout', '600'];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, maxBuffer: 1e8 });
  return JSON.parse(await readFile(result, 'utf8')) as HostResult;
}

function figuresOf(hosts: readonly HostResult[]): Figure[] {
  const part = 'extension';
  const activations = hosts.map(({ activationMs }) => activationMs);
  const megabytes = (bytes: readonly number[]): string => `${(median(bytes) / 2 ** 20).toFixed(1)} MB of heap`;
  const figures: Figure[] = [
    {
      part,
      what: 'activation',
      value: median(activations),
      unit: 'ms',
      target: { atMost: 50 },
      note: `worst of ${hosts.length} hosts ${Math.max(...activations).toFixed(0)} ms; ${median(hosts.map(({ activationCpuMs }) => activationCpuMs)).toFixed(0)} ms of work; ${megabytes(hosts.map(({ activationBytes }) => activationBytes))}`,
    },
  ];
  for (const index of (hosts[0] as HostResult).paints.keys()) {
    const paints = hosts.flatMap(({ paints }) => paints[index] ?? []);
    const journal = median(paints.map(({ journalMs }) => journalMs));
    figures.push({
      part,
      what: `first page of the tree, ${paints[0]?.nodes} nodes`,
      value: median(paints.map(({ pageMs }) => pageMs)),
      unit: 'ms',
      note: `${journal.toFixed(0)} ms until its journal was read; ${megabytes(paints.map(({ bytes }) => bytes))} held`,
    });
    const nodes = paints[0]?.nodes ?? 0;
    figures.push({
      part,
      what: `memory of the whole extension host, ${nodes} nodes in sidebar and drawing`,
      value: median(paints.map(({ rss }) => rss)) / 2 ** 20,
      unit: 'MB',
      ...(nodes < 100_000 / 2 ? { target: { atMost: 300 } } : {}),
    });
  }
  return figures;
}
