// Measures how much there is to read, and fails where a figure is worse than the one that house.json keeps.
//   node scripts/house.mjs            prints the figures beside those that are kept and those that are aimed at
//   node scripts/house.mjs --check    fails where one is worse
//   node scripts/house.mjs --update   keeps those of now: a figure that rises needs a reason in the commit
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname, normalize } from 'node:path/posix';
import { parseSync } from 'oxc-parser';
import { BUNDLES } from './bundles.ts';
import { root } from './ensure.mjs';

/** The interfaces of which each kind of search implements its own. */
const CONTRACTS = ['src/engine/kind.ts', 'src/core/kind/kind-format.ts', 'src/core/kind/kind-hooks.ts'];
/** Comments that begin as a noun clause, and need a second reading. */
const CLAUSE = /^\W*(?:What|Whether|How|The same|That of)\b/;
/** Files that are read by something else than an import: a thread, a table of texts, a bundle. */
const STANDS_ALONE = /(?:messages|catalogue|worker|thread|main|child)\.tsx?$/;
const ENTRIES = new Set(Object.values(BUNDLES));

const files = globSync('src/**/*', { cwd: root, withFileTypes: true })
  .filter((each) => each.isFile())
  .map((each) => join(each.parentPath, each.name).slice(root.length).replaceAll('\\', '/').replace(/^\//, ''));
const code = files.filter((path) => /\.tsx?$/.test(path));
const parsed = new Map(code.map((path) => [path, parse(path)]));

const figures = {
  'files in src': { now: code.length, aim: 720 },
  'lines in src': { now: sum(code, linesOf), aim: 88_000 },
  'files in src/engine': { now: code.filter(isOfTheEngine).length, aim: 15 },
  'lines in src/engine': { now: sum(code.filter(isOfTheEngine), linesOf), aim: 5000 },
  'circles of imports, with types': { now: circles(), aim: 0 },
  'uses of `as never`': { now: sum(code, (path) => parsed.get(path).text.split(/\bas never\b/).length - 1), aim: 0 },
  'optional members of the contracts of a kind': { now: sum(CONTRACTS, optionalMembers), aim: 12 },
  'files with one importer, in the same folder': { now: withOneUser(), aim: 60 },
  'KB of ARCHITECTURE.md': { now: Math.ceil(statSync(join(root, 'ARCHITECTURE.md')).size / 1024), aim: 12 },
  'KB of data in src': {
    now: Math.ceil(
      sum(
        files.filter((path) => !code.includes(path)),
        sizeOf,
      ) / 1024,
    ),
    aim: 0,
  },
  'comments that begin as a clause': { now: sum(code, clauses), aim: 400 },
};

const kept = join(root, 'scripts', 'house.json');
if (process.argv.includes('--update')) {
  const now = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure.now]));
  writeFileSync(kept, `${JSON.stringify(now, undefined, 2)}\n`);
}
const before = JSON.parse(readFileSync(kept, 'utf8'));
const isCheck = process.argv.includes('--check');
for (const [name, { now, aim }] of Object.entries(figures)) {
  const isWorse = now > (before[name] ?? 0);
  if (!isCheck)
    console.log(
      `${String(now).padStart(7)}  kept ${String(before[name]).padStart(7)}  aim ${String(aim).padStart(6)}  ${name}`,
    );
  if (!isWorse) continue;
  console.error(
    `${name}: ${now}, ${before[name]} before. Take out what is not needed, or say why and keep it: node scripts/house.mjs --update`,
  );
  process.exitCode = 1;
}

function parse(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const { module, comments, program } = parseSync(path, text);
  const named = [
    ...module.staticImports.map((each) => each.moduleRequest.value),
    ...module.dynamicImports.map((each) => text.slice(each.moduleRequest.start + 1, each.moduleRequest.end - 1)),
  ];
  const imports = named.filter((name) => name.startsWith('.')).map((name) => normalize(`${dirname(path)}/${name}`));
  return { text, comments, program, imports: new Set(imports) };
}

function linesOf(path) {
  return parsed.get(path).text.split('\n').length - 1;
}

function sizeOf(path) {
  return statSync(join(root, path)).size;
}

function isOfTheEngine(path) {
  return path.startsWith('src/engine/');
}

function sum(all, of) {
  return all.reduce((total, each) => total + of(each), 0);
}

/** Counts members with a question mark in the interfaces of a file. */
function optionalMembers(path) {
  const interfaces = parsed.get(path).program.body.map((each) => each.declaration ?? each);
  return sum(
    interfaces.filter(({ type }) => type === 'TSInterfaceDeclaration'),
    ({ body }) => body.body.filter(({ optional }) => optional).length,
  );
}

function clauses(path) {
  return parsed.get(path).comments.filter(({ value }) => CLAUSE.test(value)).length;
}

function withOneUser() {
  const users = new Map();
  const besides = globSync('{scripts,webview-ui}/**/*.{ts,tsx,mjs}', { cwd: root });
  for (const [path, { imports }] of [...parsed, ...besides.map((path) => [path, parse(path)])])
    for (const used of imports) users.set(used, [...(users.get(used) ?? []), path]);
  return code.filter((path) => {
    const [user, another] = users.get(path) ?? [];
    const standsAlone = STANDS_ALONE.test(path) || ENTRIES.has(path);
    return user !== undefined && another === undefined && dirname(user) === dirname(path) && !standsAlone;
  }).length;
}

/** Counts groups of files each of which reaches all the others of its group (Tarjan's strongly connected components). */
function circles() {
  const low = new Map();
  const stack = [];
  let found = 0;
  const visit = (path) => {
    const number = low.size;
    low.set(path, number);
    stack.push(path);
    let lowest = number;
    for (const used of parsed.get(path).imports) {
      if (!parsed.has(used)) continue;
      if (!low.has(used)) lowest = Math.min(lowest, visit(used));
      else if (stack.includes(used)) lowest = Math.min(lowest, low.get(used));
    }
    if (lowest === number && stack.splice(stack.indexOf(path)).length > 1) found++;
    return lowest;
  };
  for (const path of parsed.keys()) if (!low.has(path)) visit(path);
  return found;
}
