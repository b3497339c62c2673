import type { ChangedFile, CommitId, Diff, Workshop } from '../../../core/ports/workshop.ts';
import { type CheckItem, commandsIn } from '../plan/plan.ts';
import { matcherOf } from './path-globs.ts';

// The files that a check runs are guarded: who is judged by it may not change it. It cannot be known exactly what a
// command reads, so these are the files that its words name, scripts of package.json that it runs, and what tests and
// builds usually obey.

/** Settings that decide what a command does, wherever they are. */
const SETTINGS = [
  '**/package.json',
  '**/tsconfig*.json',
  '**/.{mocharc,nycrc,c8rc,babelrc,eslintrc,npmrc,swcrc,prettierrc,oxlintrc}*',
  '**/{jest,vitest,vite,babel,ava,karma,playwright,cypress,eslint,webpack,rollup,esbuild,prettier}.config.*',
  '**/{biome,oxlintrc,knip,nx,turbo,deno}.json*',
  '**/{Makefile,makefile,GNUmakefile,justfile,Justfile,Rakefile,CMakeLists.txt,build.gradle,pom.xml}',
  '**/{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb}',
  // Packages are installed before the work; committed ones would take their place.
  '**/node_modules/**',
  '**/{pytest.ini,tox.ini,setup.cfg,setup.py,pyproject.toml,conftest.py,noxfile.py,Cargo.toml,go.mod}',
];
/** Tests. */
const TESTS = ['**/*.{test,spec}.*', '**/*_test.*', '**/test_*.py', '**/{test,tests,spec,__tests__,__snapshots__}/**'];
const RUNNERS =
  /\b(?:npm|npx|pnpm|yarn|bun|make|just|rake|test|tests|mocha|jest|vitest|ava|tap|c8|nyc|playwright|cypress|pytest|tox|cargo|go|tsc|eslint|biome)\b/;
const PACKAGERS = /\b(?:npm|npx|pnpm|yarn|bun)\b/;
const DEEPEST = 5;
const MOST_PACKAGES = 30;

/** The facts about a commit that guards need. */
type Files = Pick<Workshop, 'fileAt' | 'pathsAt'>;

/** The reason for which a changed file is guarded: it decided a check before, or would be the first to do so. */
export type Guard = 'before' | 'added';

/** Tells how each of some changed files is guarded, as the checks and what they run were at a commit. */
export async function guardOf(
  files: Files,
  at: CommitId,
  items: readonly CheckItem[],
  setUp?: string,
): Promise<(changed: ChangedFile) => Guard | undefined> {
  const checks = commandsIn(items);
  if (checks.length === 0) return () => undefined;
  // The set-up of a check's checkout decides what it finds there.
  const lines = setUp === undefined ? checks : [...checks, setUp];
  const paths = await files.pathsAt(at);
  const packages = lines.some((line) => PACKAGERS.test(line)) ? packagesIn(paths) : [];
  const scripts = await scriptsAt(files, at, packages);
  const all = [...new Set(lines.flatMap((line) => withScripts(line, scripts, DEEPEST)))];
  const isRun = checks.some((line) => withScripts(line, scripts, DEEPEST).some((each) => RUNNERS.test(each)));
  const isSetting = matcherOf(SETTINGS);
  const isTest = matcherOf(TESTS);
  const byLines = namedIn(all, paths, packages.map(folderOf));
  const starts = [...paths.filter(byLines), ...(isRun ? paths.filter(isTest) : [])];
  const imported = await importedBy(files, at, starts, new Set(paths));
  const named = (path: string): boolean => byLines(path) || (imported.has(path) && !ORDINARY.test(path));
  return ({ path, change }) => {
    if (isRun && isSetting(path)) return 'before';
    if (!named(path) && !(isRun && isTest(path))) return undefined;
    return change === 'added' ? 'added' : 'before';
  };
}

/** Returns their package.json files: a line may run the scripts of any of them. */
function packagesIn(paths: readonly string[]): string[] {
  const isPackage = (path: string): boolean => /(?:^|\/)package\.json$/.test(path) && !path.includes('node_modules/');
  return paths.filter(isPackage).slice(0, MOST_PACKAGES);
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}

/** Returns the lines of scripts by their names. */
async function scriptsAt(files: Files, at: CommitId, packages: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const path of packages)
    for (const [name, line] of scriptsOf(await files.fileAt(at, path)))
      found.set(name, [...(found.get(name) ?? []), line]);
  return found;
}

function scriptsOf(text: string | undefined): [string, string][] {
  try {
    const { scripts } = JSON.parse(text ?? '{}') as { scripts?: unknown };
    const entries = Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {}).slice(0, 500);
    return entries.flatMap(([name, line]) => (typeof line === 'string' ? [[name, line]] : []));
  } catch {
    return [];
  }
}

/** Returns a command line, and those of the scripts that it names. */
function withScripts(line: string, scripts: ReadonlyMap<string, readonly string[]>, depth: number): string[] {
  if (depth === 0 || !PACKAGERS.test(line)) return [line];
  const names = wordsOf(line).flatMap((word) => [word === 't' ? 'test' : word, `pre${word}`, `post${word}`]);
  const found = [...new Set(names.flatMap((name) => scripts.get(name) ?? []))];
  return [line, ...found.flatMap((each) => withScripts(each, scripts, depth - 1))];
}

function wordsOf(line: string): string[] {
  return line
    .slice(0, 4000)
    .split(/[\s"'`;|&()<>=,]+/)
    .filter((word) => word !== '');
}

/** Tells whether a path is named by a word, or below a folder that is; also from within folders that the line names. */
function namedIn(
  lines: readonly string[],
  paths: readonly string[],
  packages: readonly string[],
): (path: string) => boolean {
  const words = new Set(lines.flatMap(runWords).map((word) => word.replace(/^\.\//, '').replace(/\/$/, '')));
  const globs = [...words].filter((word) => /[*?[{]/.test(word) && word.length <= 500);
  const folders = [...words].filter((word) => word !== '' && paths.some((path) => path.startsWith(`${word}/`)));
  const within = [...folders, ...packages.filter((folder) => folder !== ''), ...lines.flatMap(enteredBy)];
  const exact = new Set([...words, ...within.flatMap((folder) => [...words].map((word) => `${folder}/${word}`))]);
  const isGlobbed = matcherOf(globs);
  const isBelow = (path: string): boolean => folders.some((folder) => path.startsWith(`${folder}/`));
  return (path) => !ORDINARY.test(path) && (exact.has(path) || isBelow(path) || isGlobbed(path));
}

/** Returns the folders that a line goes into. */
function enteredBy(line: string): string[] {
  return line.split(/&&|\|\||[;|&\n]/).flatMap((part) => {
    const [program, folder] = wordsOf(part);
    return program === 'cd' && folder !== undefined ? [folder.replace(/^\.\//, '').replace(/\/$/, '')] : [];
  });
}

/**
 * The words of what a line runs: its programs, what interpreters and runners of tests are given, scripts and settings. What
 * other programs are given, and all that those such as `grep` look at, is what is judged, not what judges.
 */
function runWords(line: string): string[] {
  return line.split(/&&|\|\||[;|&\n]/).flatMap((part) => {
    const [program = '', ...args] = wordsOf(part).filter((word) => word !== '!' && word !== 'env');
    if (READERS.has(program)) return [];
    return [program, ...(INTERPRETERS.test(program) ? args : args.filter((word) => CODE.test(word)))];
  });
}

const INTERPRETERS =
  /^(?:node|deno|bun|npx|npm|pnpm|yarn|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|bash|sh|zsh|dash|pwsh|source|\.|make|mocha|jest|vitest|ava|tap|c8|nyc|pytest|tox|rspec|phpunit|playwright|cypress|go|cargo)$/;
const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|p[lm]|php|lua|ps1|bat|cmd|(?:ba|z)?sh|jsonc?|ya?ml|toml|ini|cfg|conf|xml|mk|gradle)$/i;
const READERS: ReadonlySet<string> = new Set(
  'grep egrep fgrep rg cat test [ [[ diff cmp ls wc head tail stat find jq yq sed awk sort uniq file du echo cd true false'.split(
    ' ',
  ),
);
/** Where the work itself is: a command that runs it, such as a linter or a program, does not thereby forbid it. */
const ORDINARY =
  /^(?:src|lib|app|source|packages)\/(?!(?:.*\/)?(?:tests?|spec|__tests__)\/|(?:.*\/)?(?:tests?|spec)\.|.*\.(?:test|spec)\.)/;

const FILE = 'diff --git ';

/** Returns a diff of work in which the files come first that it is judged by. */
export async function judgesFirst(
  shop: Pick<Workshop, 'fileAt' | 'pathsAt'>,
  { files, text }: Diff,
  base: CommitId,
  items: readonly CheckItem[],
): Promise<Diff> {
  const guard = await guardOf(shop, base, items);
  const judges = files.filter((file) => guard(file) !== undefined);
  if (judges.length === 0) return { files, text };
  const [head = '', ...parts] = text.split(/^diff --git /m);
  const names = judges.map(({ path }) => ` b/${path}`);
  const isFirst = (part: string): boolean => names.includes(part.slice(part.indexOf(' b/'), part.indexOf('\n')));
  const ordered = [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))];
  const others = files.filter((file) => !judges.includes(file));
  return { files: [...judges, ...others], text: head + ordered.map((part) => FILE + part).join('') };
}

/** The number of files that are read; a check of more is guarded as far as that. */
const MOST_READ = 60;
const JAVASCRIPT = /\.[cm]?[jt]sx?$/;
/** Where code names another file by a relative path. */
const RELATIVE = /["'`](\.{1,2}\/[^"'`\s]{1,300})["'`]/g;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.jsx', '.tsx', '.json', '/index.js', '/index.ts'];

/**
 * The files that JavaScript or TypeScript names by relative paths, and those that they name in turn: what a check is made of
 * is more than the one file that its line runs.
 */
async function importedBy(
  files: Pick<Workshop, 'fileAt'>,
  at: CommitId,
  starts: readonly string[],
  paths: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const waiting = starts.filter((path) => JAVASCRIPT.test(path));
  const read = new Set<string>();
  for (let path = waiting.shift(); path !== undefined && read.size < MOST_READ; path = waiting.shift()) {
    if (read.has(path)) continue;
    read.add(path);
    for (const named of namedBy(path, (await files.fileAt(at, path)) ?? '', paths)) {
      found.add(named);
      if (JAVASCRIPT.test(named)) waiting.push(named);
    }
  }
  return found;
}

function namedBy(path: string, text: string, paths: ReadonlySet<string>): string[] {
  return [...text.matchAll(RELATIVE)].flatMap(([, relative = '']) => {
    const place = resolved(path, relative);
    // In TypeScript a name may end as that of what it is compiled to.
    const names = [...ENDINGS.map((ending) => `${place}${ending}`), place.replace(/js$/, 'ts')];
    return names.filter((name) => paths.has(name));
  });
}

function resolved(path: string, relative: string): string {
  const steps = path.split('/').slice(0, -1);
  for (const step of relative.split('/'))
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  return steps.join('/');
}
