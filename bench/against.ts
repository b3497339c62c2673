import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Figure, median } from './harness/figure.ts';

// The figures of this tree next to those of an earlier commit, measured in turns: a machine that is slower for a while is
// slower for both. The ratio is the median of the rounds' own ratios.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const USAGE = 'node bench/against.ts COMMIT [--only PART]… [--rounds 3] [--quick] [--puzzles FILE]';

/** What counts as the same: figures that differ by less are noise of the machine, or not worth a word. */
const TOLERANCE = 0.03;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: ['slots', 'scale', 'thoughts', 'extension', 'sizes'] },
    rounds: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
    puzzles: { type: 'string' },
  },
});
const [commit] = positionals;
const rounds = Number(values.rounds);
if (commit === undefined || positionals.length > 1 || !Number.isInteger(rounds) || rounds < 1) {
  console.error(`Usage: ${USAGE}`);
  process.exit(2);
}

interface Compared {
  readonly before: Figure[];
  readonly now: Figure[];
}

const folder = mkdtempSync(join(tmpdir(), 'thought-tree-against-'));
const earlier = join(folder, 'earlier');
try {
  run(ROOT, 'git', 'worktree', 'add', '--quiet', '--detach', earlier, commit);
  run(earlier, 'npm', 'ci', '--silent', '--no-audit', '--no-fund');
  for (const tree of [earlier, ROOT]) run(tree, 'npm', 'run', '--silent', 'build');
  const compared = new Map<string, Compared>();
  for (let round = 1; round <= rounds; round++) {
    for (const part of values.only) {
      console.error(`round ${round} of ${rounds}: ${part}`);
      // The one that goes first changes with each round, so that neither always finds the caches warm.
      for (const side of round % 2 === 1 ? (['before', 'now'] as const) : (['now', 'before'] as const)) {
        for (const figure of measure(side === 'now' ? ROOT : earlier, part)) {
          const name = `${figure.part}: ${figure.what}`;
          const entry = compared.get(name) ?? { before: [], now: [] };
          compared.set(name, entry);
          entry[side].push(figure);
        }
      }
    }
  }
  print(compared);
} finally {
  run(ROOT, 'git', 'worktree', 'remove', '--force', earlier);
  rmSync(folder, { recursive: true, force: true });
}

function measure(tree: string, part: string): Figure[] {
  const file = join(folder, 'figures.json');
  const options = [...(values.quick ? ['--quick'] : []), ...(values.puzzles ? ['--puzzles', values.puzzles] : [])];
  run(tree, process.execPath, 'bench/bench.ts', '--only', part, '--json', file, ...options);
  return (JSON.parse(readFileSync(file, 'utf8')) as { figures: Figure[] }).figures;
}

function run(cwd: string, command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

function print(compared: ReadonlyMap<string, Compared>): void {
  for (const [name, { before, now }] of compared) {
    if (before.length === 0 || now.length === 0) {
      console.log(`${name}: measured ${now.length === 0 ? 'before' : 'now'} only`);
      continue;
    }
    const ratios = now.map((figure, i) => ratioOf(figure.value, (before[i] ?? (before[0] as Figure)).value));
    const ratio = median(ratios);
    const unit = now[0]?.unit ?? '';
    const target = now[0]?.target;
    const worse = target && 'atLeast' in target ? 1 - ratio : ratio - 1;
    const verdict = Math.abs(ratio - 1) <= TOLERANCE ? '' : worse > 0 ? 'WORSE' : 'better';
    console.log(
      `${name}: ${short(before)} before, ${short(now)} now (${unit}); ratio ${ratio.toFixed(3)} ` +
        `(${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}) ${verdict}`.trimEnd(),
    );
  }
}

function ratioOf(now: number, before: number): number {
  return before === now ? 1 : now / before;
}

function short(figures: readonly Figure[]): string {
  return String(Number(median(figures.map(({ value }) => value)).toPrecision(4)));
}
