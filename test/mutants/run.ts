// Breaks the rules of the engine, one at a time, and shows which test finds out.
//   npm run test:mutants                     with least effort, and those that are not found with all of it
//   npm run test:mutants -- --effort 1       with this effort alone
//   npm run test:mutants -- NAME ...         some of them
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UseGraph } from '../../scripts/changed-tests.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** It fails for every mutant, as it looks at the text of the source. */
const OF_THE_LIST = 'test/unit/mutants.test.ts';
/** Tests that `npm test` leaves to `npm run test:all`: with least effort they count for nothing. */
const LEFT_OUT = /\.long\.test\.ts$/;
/** Tests that one process runs. */
const TOGETHER = 8;
/** The longest that they may take, in milliseconds: a mutant may go in circles. */
const LONGEST_MS = 30 * 60_000;
const LEAST = new Map([
  [1, 18],
  [10, 20],
]);

/** A copy of the project, in which files may be broken. */
class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'thought-tree-mutants-'));
  readonly graph: UseGraph;

  constructor() {
    const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const files = listed.split('\0').filter((path) => path !== '');
    for (const path of files) cpSync(join(ROOT, path), join(this.folder, path));
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    this.graph = new UseGraph(files, (path) => readFileSync(join(ROOT, path), 'utf8'));
  }

  /** The unit tests that can find a mutant, the likeliest first. */
  testsFor({ file, test: likeliest }: Mutant): string[] {
    const tests = this.graph.testsFor([file]).filter((test) => test.startsWith('test/unit/') && test !== OF_THE_LIST);
    const others = tests.filter((test) => test !== likeliest && !this.graph.needsBuild(test));
    return [...(tests.includes(likeliest) ? [likeliest] : []), ...others];
  }

  /** Breaks a rule for as long as something is done. */
  with<T>({ file, search, replace }: Mutant, use: () => T): T {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const at = join(this.folder, file);
    writeFileSync(
      at,
      text.replace(search, () => replace),
    );
    try {
      return use();
    } finally {
      writeFileSync(at, text);
    }
  }

  /** The first of some test files that fails; undefined if none does. */
  firstFailing(tests: readonly string[], effort: number): string | undefined {
    const output = join(this.folder, 'failures.json');
    rmSync(output, { force: true });
    const args = ['--no-parallel', '--bail', '--reporter', 'json', '--reporter-option', `output=${output}`, ...tests];
    const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/mocha/bin/mocha.js'), ...args], {
      cwd: this.folder,
      env: { ...process.env, TEST_EFFORT: String(effort) },
      stdio: 'ignore',
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    if (status === 0) return undefined;
    const [one] = tests;
    if (tests.length === 1) return one;
    const failed = failedIn(output);
    if (failed !== undefined) return tests.find((test) => failed.endsWith(test));
    for (const test of tests) if (this.firstFailing([test], effort) !== undefined) return test;
    return undefined;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The file of the test that failed, as mocha wrote it; undefined if it wrote nothing. */
function failedIn(output: string): string | undefined {
  try {
    const { failures } = JSON.parse(readFileSync(output, 'utf8')) as { failures: { file?: string }[] };
    return failures[0]?.file;
  } catch {
    return undefined;
  }
}

/** The test that finds a mutant: it fails with it, not without it, and with it again. Any other tells nothing. */
function finder(copy: Copy, mutant: Mutant, effort: number): string | undefined {
  let tests = copy.testsFor(mutant).filter((test) => effort > 1 || !LEFT_OUT.test(test));
  for (let together = 1; tests.length > 0; together = TOGETHER) {
    const some = tests.slice(0, together);
    const failing = copy.with(mutant, () => copy.firstFailing(some, effort));
    if (failing === undefined) tests = tests.slice(together);
    else {
      const isSound = copy.firstFailing([failing], effort) === undefined;
      if (isSound && copy.with(mutant, () => copy.firstFailing([failing], effort))) return failing;
      process.stderr.write(`${failing} fails now and then, or without ${mutant.name}\n`);
      tests = tests.filter((test) => test !== failing);
    }
  }
  return undefined;
}

const { values, positionals } = parseArgs({ options: { effort: { type: 'string' } }, allowPositionals: true });
const efforts = values.effort === undefined ? [...LEAST.keys()] : [Number(values.effort)];
const chosen = MUTANTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const copy = new Copy();
try {
  const found = new Map<string, number>();
  const wide = Math.max(...chosen.map(({ name }) => name.length));
  for (const mutant of chosen)
    for (const effort of efforts) {
      const test = finder(copy, mutant, effort);
      process.stdout.write(`${mutant.name.padEnd(wide)}  effort ${effort}  ${test ?? 'NOT FOUND'}\n`);
      if (test === undefined) continue;
      found.set(mutant.name, effort);
      break;
    }
  for (const effort of efforts) {
    const count = [...found.values()].filter((each) => each <= effort).length;
    process.stdout.write(`found with effort ${effort}: ${count} of ${chosen.length}\n`);
    const least = Math.ceil(((LEAST.get(effort) ?? 0) * chosen.length) / MUTANTS.length);
    if (count < least) process.exitCode = 1;
  }
} finally {
  copy.remove();
}
