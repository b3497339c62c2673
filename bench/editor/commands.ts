import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Figure, median, type PartOptions } from '../harness/figure.ts';
import { FANOUTS } from '../trees/even-tree.ts';
import { writeTree } from '../trees/write-tree.ts';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** Returns the whole process of commands about a search of 10,000 nodes that nobody runs, as a person waits for it. */
export async function commands({ quick, say }: PartOptions): Promise<Figure[]> {
  if (!existsSync(CLI)) {
    say('no dist/cli.cjs: run `npm run build` first');
    return [];
  }
  const size = quick ? 1000 : 10_000;
  const workspace = await mkdtemp(join(tmpdir(), 'thought-tree-bench-'));
  const folder = join(workspace, 'thought-trees', 'slow-build');
  try {
    say(`writing a tree of ${size} nodes`);
    mkdirSync(folder, { recursive: true });
    writeTree(folder, FANOUTS[size] as readonly number[]);
    // What was changed shortly before it was written is in no snapshot.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const env = { ...process.env, XDG_STATE_HOME: join(workspace, 'state') };
    const seconds = async (...args: readonly string[]): Promise<number> => {
      const begun = performance.now();
      await run(process.execPath, [CLI, ...args], { cwd: workspace, env, maxBuffer: 1e8 });
      return (performance.now() - begun) / 1000;
    };
    const first = await seconds('note', folder, 'the first time, without a snapshot');
    const times = quick ? 1 : 5;
    const figures: Figure[] = [];
    for (const [name, args] of [
      ['list', () => ['list']],
      ['status', () => ['status', folder]],
      ['note', (time: number) => ['note', folder, `the ${time}th`]],
      ['prune', (time: number) => ['prune', folder, `a-topic-${time + 1}`]],
    ] as const) {
      say(name);
      const taken: number[] = [];
      for (let time = 0; time < times; time++) taken.push(await seconds(...args(time)));
      figures.push({
        part: 'commands',
        what: `${name}, ${size} nodes, the whole process`,
        value: 1000 * median(taken),
        unit: 'ms',
        target: { atMost: 500 },
        note: name === 'note' ? `${(1000 * first).toFixed(0)} ms the first time, without a snapshot` : '',
      });
    }
    const started = await seconds('--version');
    return [...figures, { part: 'commands', what: 'a command that reads nothing', value: 1000 * started, unit: 'ms' }];
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
