// How early the right file comes for made-up questions about packages that nothing was fitted to: node eval/fit/measure.ts
//   --only NAME   one package, may be repeated
//   --most N      at most so many questions about a package; by default all of them
// Prints the mean reciprocal rank of the file among the first ten, for ours and both baselines.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import pLimit from 'p-limit';
import { madeUp } from './made-up.ts';

const run = promisify(execFile);

/** The place of the right file for each, from 1; 0 if it is not among the first ten. */
export interface Ranks {
  readonly masked: boolean;
  readonly ours: number;
  readonly rg: number;
  readonly better: number;
}

const WHO = ['ours', 'rg', 'better'] as const;

async function measure(only: readonly string[], most: number): Promise<void> {
  const packages = await madeUp('held-out', only);
  const two = pLimit(2);
  const rows = await Promise.all(
    packages.map(({ name }) => two(async () => ({ name, ranks: await ranksOf(name, most) }))),
  );
  const all = rows.flatMap(({ ranks }) => ranks);
  const parts = [
    { name: 'all', ranks: all },
    { name: 'with the name', ranks: all.filter(({ masked }) => !masked) },
    { name: 'name masked', ranks: all.filter(({ masked }) => masked) },
  ];
  console.log(`${''.padEnd(20)}questions${WHO.map((who) => who.padStart(8)).join('')}`);
  for (const { name, ranks } of [...rows, ...parts]) {
    const figures = WHO.map((who) =>
      meanReciprocal(ranks.map((each) => each[who]))
        .toFixed(3)
        .padStart(8),
    );
    console.log(`${name.padEnd(20)}${String(ranks.length).padStart(9)}${figures.join('')}`);
  }
}

async function ranksOf(name: string, most: number): Promise<Ranks[]> {
  const child = join(import.meta.dirname, 'measure-child.ts');
  const { stdout } = await run(process.execPath, [child, name, `${most}`], { maxBuffer: 1e8 });
  return JSON.parse(stdout) as Ranks[];
}

function meanReciprocal(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0) / Math.max(1, ranks.length);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true, default: [] }, most: { type: 'string', default: '1000' } },
  });
  await measure(values.only, Number(values.most));
}
