// Runs the tests that a change can reach, and no others.
//   npm run test:changed                       what is not committed
//   npm run test:changed -- REV                what differs from a commit
//   npm run test:changed -- src/kinds/thoughts FILES AND FOLDERS
//   … --list                                   names the tests, and runs none
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CODE = /\.(?:tsx?|mjs)$/;
const TEST = /^test\/(?!fixtures\/).*\.test\.ts$/;
/** Tests of whole programs, which hold nearly every file. */
const OF_PROGRAMS = /^test\/(?:e2e|host-suite|ui|agents|power)\//;
/** Tests inside the editor, which loads the extension. */
const OF_THE_EDITOR = /^test\/(?:e2e\/vscode|host-suite)\//;
/** What a test may name of what was built, and the files that it was built from. */
const BUILT = new Map([
  ['dist/cli.cjs', ['src/cli/cli.ts', 'webview-ui/chat/main.tsx']],
  ['dist/extension.cjs', ['src/extension/extension.ts', 'webview-ui/main.tsx']],
]);
/** Rooms that a program enters only where it is asked for them by name, and what a test that asks has in its own name or text. */
const ASKED_FOR: readonly [room: string, RegExp][] = [
  ['src/kinds/thoughts/', /thoughts/i],
  ['src/kinds/investigation/', /investigation/i],
  ['src/kinds/work-graph/', /work.?graph/i],
  ['src/fleet/', /fleet|queue/i],
  ['src/mcp/', /mcp|chat/i],
  ['webview-ui/', /test\/ui|vscode|panel/i],
];
/** What no import shows: a change here can reach everything. */
const EVERYWHERE =
  /^(?:package(?:-lock)?\.json|\.mocharc\.json|tsconfig.*\.json|esbuild\.mjs|test\/support\/own-state\.ts)$/;

/** What a file uses: what runs with it, with all that that uses, and what it only reads. */
interface Uses {
  readonly runs: readonly string[];
  readonly reads: readonly string[];
}

/** The files of a project, and what each one uses of the others when it runs. */
export class UseGraph {
  readonly #text: (path: string) => string;
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Map<string, string[]>();
  readonly #uses = new Map<string, Uses>();

  /**
   * @param files their paths, from the project's folder, with `/`
   * @param text reads one
   */
  constructor(files: readonly string[], text: (path: string) => string) {
    this.#text = text;
    this.#files = new Set(files);
    for (const file of files)
      for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
        const inside = this.#folders.get(folder);
        if (inside) inside.push(file);
        else this.#folders.set(folder, [file]);
      }
  }

  /** Returns the tests that a change of some files, or of all in some folders, can reach; in order. */
  testsFor(changed: readonly string[]): string[] {
    const tests = [...this.#files].filter((file) => TEST.test(file)).sort();
    if (changed.some((path) => EVERYWHERE.test(path))) return tests;
    const of = new Set(changed.flatMap((path) => this.#folders.get(path) ?? [path]));
    return tests.filter((test) => this.#isReached(test, of));
  }

  /** Returns whether a test runs what `npm run build` makes. */
  needsBuild(test: string): boolean {
    const running = this.#running(test);
    return [...BUILT.values()].some(([entry = '']) => running.has(entry));
  }

  #isReached(test: string, changed: ReadonlySet<string>): boolean {
    if (changed.has(test)) return true;
    const used = [...this.#running(test)].flatMap((file) => [file, ...this.#usesOf(file).reads]);
    const found = used.filter((file) => changed.has(file));
    return OF_PROGRAMS.test(test) ? found.some((file) => this.#isAskedFor(test, file)) : found.length > 0;
  }

  #isAskedFor(test: string, file: string): boolean {
    const [, name] = ASKED_FOR.find(([room]) => file.startsWith(room)) ?? [];
    return name === undefined || name.test(`${test}\n${this.#text(test)}`);
  }

  /** Returns every file that runs in a test, however far it is from it. */
  #running(test: string): ReadonlySet<string> {
    const running = new Set([test]);
    if (OF_THE_EDITOR.test(test))
      for (const each of ['test/host/run-in-host.ts', ...(BUILT.get('dist/extension.cjs') ?? [])]) running.add(each);
    for (const file of running) for (const each of this.#usesOf(file).runs) if (!TEST.test(each)) running.add(each);
    return running;
  }

  #usesOf(file: string): Uses {
    let uses = this.#uses.get(file);
    if (!uses) {
      const named = CODE.test(file) ? strings(this.#text(file)).map((text) => this.#named(file, text)) : [];
      uses = { runs: named.flatMap(({ runs }) => runs), reads: named.flatMap(({ reads }) => reads) };
      this.#uses.set(file, uses);
    }
    return uses;
  }

  /**
   * Returns the files that a string names in a file: an import, a path from either folder, all of a folder, or a
   * pattern.
   */
  #named(file: string, text: string): Uses {
    const path = normalize(text).replace(/\/$/, '');
    for (const each of [normalize(join(dirname(file), path)), path.replace(/^(?:\.\.\/)+/, '')]) {
      const runs = BUILT.get(each) ?? (this.#files.has(each) ? [each] : undefined);
      if (runs) return { runs, reads: [] };
      // A program is given the folders that it reads; what it says of others are examples.
      if (!file.startsWith('test/')) continue;
      const inside = each.includes('/') ? this.#folders.get(each) : undefined;
      const isPattern = /^[\w-]+\/.*[*{]/.test(each);
      const reads = inside ?? (isPattern ? [...this.#files].filter((one) => matchesGlob(one, each)) : []);
      if (reads.length > 0) return { runs: [], reads };
    }
    return { runs: [], reads: [] };
  }
}

/** Returns the strings of a program that may name a file. Types are gone when it runs, and what they are imported from. */
function strings(program: string): string[] {
  const runs = program.replaceAll(/^(?:import|export) type\b[^;]*?from '[^']+';$/gm, '');
  return [...runs.matchAll(/(['"`])([^'"`\n\\]*\/[^'"`\n\\]*)\1/g)].map(([, , text]) => text ?? '');
}

function git(...args: string[]): string[] {
  const text = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return text.split('\0').filter((path) => path !== '');
}

/** Returns what differs from a commit, with what git does not know yet. */
function changedSince(rev: string): string[] {
  const untracked = git('ls-files', '-z', '--others', '--exclude-standard');
  return [...git('diff', '-z', '--name-only', '--no-renames', rev, '--'), ...untracked];
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' }).status === 0;
}

/** Runs tests; returns whether they passed. Those with packages or rights of their own are only named. */
function runTests(graph: UseGraph, tests: readonly string[]): boolean {
  const apart = tests.filter((test) => /^test\/(?:agents|power)\//.test(test));
  const inHost = tests.filter((test) => test.startsWith('test/host-suite/'));
  const others = tests.filter((test) => !apart.includes(test) && !inHost.includes(test));
  if (apart.length > 0) console.log(`Not run: npm run test:agents, npm run test:power\n  ${apart.join('\n  ')}`);
  if ([...inHost, ...others].some((test) => graph.needsBuild(test)) && !run('npm', 'run', 'build')) return false;
  const mocha = others.length === 0 || run(process.execPath, 'node_modules/mocha/bin/mocha.js', ...others);
  const pattern = inHost.length > 1 ? `{${inHost.join(',')}}` : (inHost[0] ?? '');
  return (inHost.length === 0 || run(process.execPath, 'test/host/run-in-host.ts', pattern)) && mocha;
}

function main(args: readonly string[]): boolean {
  const given = args.filter((arg) => arg !== '--list').map((arg) => arg.replace(/\/$/, ''));
  const [first = 'HEAD'] = given;
  const changed = given.length > 0 && given.every((path) => existsSync(join(ROOT, path))) ? given : changedSince(first);
  const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const graph = new UseGraph(
    files.filter((file) => existsSync(join(ROOT, file))),
    (path) => readFileSync(join(ROOT, path), 'utf8'),
  );
  const tests = graph.testsFor(changed);
  console.log(`${changed.length} changed, ${tests.length} files of tests reached`);
  if (!args.includes('--list')) return tests.length === 0 || runTests(graph, tests);
  for (const test of tests) console.log(test);
  return true;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2)) ? 0 : 1;
