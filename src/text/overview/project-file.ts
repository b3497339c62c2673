import { posix } from 'node:path';
import * as z from 'zod';
import type { SourceFile } from '../files/source-file.ts';

/** A file that a project is run or loaded by. */
interface Entry {
  /** As the manifest has it: a path relative to the manifest, or a module of Python with its function. */
  readonly target: string;
  /** Such as `bin mocha` or `main`. */
  readonly as: string;
}

/** The facts that a manifest states about its project; others are empty. */
export interface Project {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly entries: readonly Entry[];
}

type Said = Omit<Project, 'path'>;

/** The longest manifest that is read, in lines; those of people are shorter. */
const MOST_LINES = 3000;
const LONGEST_LINE = 1000;
const MOST_ENTRIES = 12;
const DEEPEST_EXPORT = 4;

const Text = z.string().catch('');
const PackageJson = z.object({
  name: Text,
  version: Text,
  description: Text,
  main: z.string().optional().catch(undefined),
  module: z.string().optional().catch(undefined),
  browser: z.string().optional().catch(undefined),
  bin: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .catch(undefined),
  exports: z.unknown().optional(),
});

const READERS: readonly (readonly [RegExp, (lines: readonly string[]) => Said | undefined])[] = [
  [/^(?:package|composer|deno)\.jsonc?$/, fromJson],
  [/^Cargo\.toml$/, fromCargo],
  [/^pyproject\.toml$/, fromPyproject],
  [/^setup\.cfg$/, fromSetupCfg],
  [/^go\.mod$/, (lines) => said({ name: firstMatch(lines, /^module\s+(\S{1,200})/) })],
  [/^pom\.xml$/, fromPom],
  [/^setup\.py$|\.gemspec$|^mix\.exs$|^CMakeLists\.txt$|^settings\.gradle(?:\.kts)?$/, fromCode],
  [/^PKG-INFO$/, fromPkgInfo],
];

/** Tells whether a file is a manifest that can be read, by its name alone. */
export function isManifest(path: string): boolean {
  const name = posix.basename(path);
  return READERS.some(([pattern]) => pattern.test(name));
}

/**
 * Returns the project that a manifest is of; undefined if it names none. The surest kinds come first in
 * `manifestOrder`.
 */
export function projectIn({ path, lines }: Pick<SourceFile, 'path' | 'lines'>): Project | undefined {
  const reader = READERS.find(([pattern]) => pattern.test(posix.basename(path)));
  const found = reader?.[1](lines.slice(0, MOST_LINES));
  if (!found || found.name + found.description === '') return undefined;
  return { path, ...found, entries: found.entries.slice(0, MOST_ENTRIES) };
}

/** Manifests of one folder, the one that says most first. */
export function manifestOrder(path: string): number {
  const name = posix.basename(path);
  return READERS.findIndex(([pattern]) => pattern.test(name));
}

function said(one: Partial<Said>): Said {
  return { name: '', version: '', description: '', entries: [], ...one };
}

function fromJson(lines: readonly string[]): Said | undefined {
  try {
    const read = PackageJson.parse(JSON.parse(lines.join('\n')));
    const { name, version, description, main, module, browser, bin, exports } = read;
    const bins = typeof bin === 'string' ? { [posix.basename(name)]: bin } : (bin ?? {});
    const entries = [
      ...Object.entries(bins).map(([command, target]) => ({ target, as: `command ${command}` })),
      ...exportsIn(exports),
      ...[main, module, browser].flatMap((target, at) =>
        target === undefined ? [] : [{ target, as: ['main', 'module', 'browser'][at] as string }],
      ),
    ];
    return { name, version, description, entries };
  } catch {
    return undefined; // it is no JSON: then it says nothing
  }
}

/** Lists what a package exports, for code rather than for types. */
function exportsIn(exports: unknown, as = 'exports', depth = 0): Entry[] {
  if (typeof exports === 'string') return [{ target: exports, as }];
  if (typeof exports !== 'object' || exports === null || depth === DEEPEST_EXPORT) return [];
  const all = Object.entries(exports).filter(
    ([key]) => key !== 'types' && !key.includes('*') && !key.endsWith('.json'),
  );
  const paths = all.filter(([key]) => key.startsWith('.'));
  if (paths.length > 0)
    return paths.flatMap(([key, value]) => exportsIn(value, key === '.' ? as : `exports ${key.slice(2)}`, depth + 1));
  // Of what differs by who loads it, one is enough.
  for (const key of ['import', 'node', 'default', 'require'])
    for (const [name, value] of all) if (name === key) return exportsIn(value, as, depth + 1);
  return [];
}

/** Returns the keys of a file of TOML or INI with their values on the same line, by section. */
function sectionsOf(lines: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  sections.set('', section);
  for (const line of lines) {
    const name = /^\s{0,20}\[{1,2}([^[\]]{1,200})\]/.exec(line)?.[1]?.trim();
    if (name !== undefined) {
      section = sections.get(name) ?? new Map<string, string>();
      sections.set(name, section);
      continue;
    }
    const at = line.indexOf('=');
    const key = line.slice(0, Math.max(0, at)).trim().replace(/["']/g, '');
    if (at > 0 && !section.has(key)) section.set(key, unquoted(line.slice(at + 1, LONGEST_LINE)));
  }
  return sections;
}

function unquoted(value: string): string {
  const trimmed = value.trim();
  return (
    /^"([^"]*)"|^'([^']*)'/
      .exec(trimmed)
      ?.slice(1)
      .find((one) => one !== undefined) ?? trimmed
  );
}

function fromCargo(lines: readonly string[]): Said {
  const sections = sectionsOf(lines);
  const own = sections.get('package');
  const of = (section: string, key: string): string => sections.get(section)?.get(key) ?? '';
  const targets = [
    { target: of('lib', 'path'), as: 'library' },
    { target: of('bin', 'path'), as: `command ${of('bin', 'name')}`.trim() },
  ];
  return said({
    name: own?.get('name') ?? '',
    version: own?.get('version')?.startsWith('{') ? '' : (own?.get('version') ?? ''),
    description: own?.get('description') ?? '',
    entries: targets.filter(({ target }) => target !== ''),
  });
}

function fromPyproject(lines: readonly string[]): Said {
  const sections = sectionsOf(lines);
  const own = sections.get('project') ?? sections.get('tool.poetry') ?? sections.get('tool.flit.metadata');
  const scripts = ['project.scripts', 'project.gui-scripts', 'tool.poetry.scripts'].flatMap((name) =>
    Array.from(sections.get(name) ?? [], ([command, target]) => ({ target, as: `command ${command}` })),
  );
  const of = (key: string): string => own?.get(key) ?? '';
  return said({ name: of('name'), version: of('version'), description: of('description'), entries: scripts });
}

function fromSetupCfg(lines: readonly string[]): Said {
  const own = sectionsOf(lines).get('metadata');
  const of = (key: string): string => own?.get(key) ?? '';
  const version = /^(?:attr|file):/.test(of('version')) ? '' : of('version');
  return said({ name: of('name'), version, description: of('description'), entries: scriptsIn(lines) });
}

/** `console_scripts` of Python, however they are written. */
function scriptsIn(lines: readonly string[]): Entry[] {
  const script = /^\s*["']?([\w.-]{1,100})\s*=\s*([\w.]{1,200}:[\w.]{1,100})/;
  return lines.flatMap((line) => {
    const [, command, target] = script.exec(line) ?? [];
    return command === undefined || target === undefined ? [] : [{ target, as: `command ${command}` }];
  });
}

function fromPom(lines: readonly string[]): Said {
  const own: string[] = [];
  let isParent = false;
  for (const line of lines) {
    if (/<(?:parent|dependencies|build|dependencyManagement)>/.test(line)) isParent = true;
    if (!isParent) own.push(line);
    if (/<\/(?:parent|dependencies|build|dependencyManagement)>/.test(line)) isParent = false;
  }
  return said({
    name: firstMatch(own, /<artifactId>([^<]{1,200})</),
    version: firstMatch(own, /<version>([^<$]{1,50})</),
    description: firstMatch(own, /<description>\s*([^<]{1,300})/) || firstMatch(own, /<name>([^<$]{1,200})</),
  });
}

/** Programs that are manifests write `name: 'x'`, `name='x'`, `s.name = "x"`, `app: :x`. */
const IN_CODE = /(?:^|[\s(.,:])(name|app|version|summary|description)\s{0,9}[=:]\s{0,9}["':]([^"',]{1,300})/;

function fromCode(lines: readonly string[]): Said {
  const of = valuesIn(lines, IN_CODE);
  return said({
    name: of('name') || of('app') || firstMatch(lines, /^\s{0,20}project\s{0,9}\(\s{0,9}([\w.-]{1,100})/i),
    version: of('version'),
    description: of('summary') || of('description'),
    entries: scriptsIn(lines),
  });
}

function fromPkgInfo(lines: readonly string[]): Said {
  const of = valuesIn(lines, /^(Name|Version|Summary): (.{1,300})/);
  return said({ name: of('Name'), version: of('Version'), description: of('Summary') });
}

/** Returns the first value of each key. @param pattern its groups are a key and its value */
function valuesIn(lines: readonly string[], pattern: RegExp): (key: string) => string {
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, key = '', value = ''] = pattern.exec(line.slice(0, LONGEST_LINE)) ?? [];
    if (key !== '' && !values.has(key)) values.set(key, value.trim());
  }
  return (key) => values.get(key) ?? '';
}

function firstMatch(lines: readonly string[], pattern: RegExp): string {
  for (const line of lines) {
    const found = pattern.exec(line.slice(0, LONGEST_LINE))?.[1];
    if (found !== undefined) return found.trim();
  }
  return '';
}

/** Files that are run or loaded first by their names, where no manifest names any. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:src\/)?(?:[\w-]+\/)?__main__\.py$/, 'run'],
  [/^(?:manage|main|app|cli|server)\.py$/, 'run'],
  [/^(?:main\.go|cmd\/(?:[\w-]+\/)?main\.go)$/, 'run'],
  [/^src\/(?:main|bin\/[\w-]+|bin\/[\w-]+\/main)\.rs$/, 'run'],
  [/^src\/lib\.rs$/, 'library'],
  [/^(?:src\/)?(?:main|index|app|cli|server)\.[cm]?[jt]sx?$/, 'run or loaded'],
  [/^(?:src\/)?[\w-]+\/__init__\.py$/, 'package'],
  [/^(?:src\/)?main\.(?:c|cc|cpp|java|rb|cs|php)$/, 'run'],
];
const NOT_ENTRIES = /(?:^|\/)(?:tests?|docs?|examples?|scripts|benchmarks?|t)\//;
const MOST = 10;

/** The files that a workspace is run or loaded by, each with what as. */
export function startsOf(projects: readonly Project[], paths: readonly string[]): string[] {
  const known = new Set(paths);
  const starts = new Map<string, string[]>();
  const note = (path: string, as: string): void => {
    const said = starts.get(path) ?? [];
    starts.set(path, said.includes(as) ? said : [...said, as]);
  };
  for (const { path, entries } of projects)
    for (const { target, as } of entries) {
      const file = fileOf(target, posix.dirname(path), known);
      if (file !== undefined) note(file, as);
      else if (!target.includes(':')) note(...sourceOf(posix.normalize(target), as, paths));
    }
  for (const [pattern, as] of NAMES)
    for (const path of paths) if (pattern.test(path) && !NOT_ENTRIES.test(path) && !starts.has(path)) note(path, as);
  return Array.from(starts, ([path, as]) => `${path} (${as.slice(0, 3).join(', ')})`).slice(0, MOST);
}

/** Returns the file that an entry of a manifest names; undefined if it is not there. */
function fileOf(target: string, folder: string, known: ReadonlySet<string>): string | undefined {
  const [module = ''] = target.split(':');
  const python = module.replaceAll('.', '/');
  const tries = target.includes(':')
    ? ['', 'src/'].flatMap((base) => [`${base}${python}.py`, `${base}${python}/__init__.py`])
    : ['', '.js', '/index.js', '.mjs', '.cjs', '.ts'].map((end) => target + end);
  return tries.map((path) => posix.join(folder, path)).find((path) => known.has(path));
}

/** Finds the source from which a file that is not there is probably built. */
function sourceOf(target: string, as: string, paths: readonly string[]): [path: string, as: string] {
  const stem = (path: string): string => posix.basename(path).split('.')[0] ?? '';
  const depth = (path: string): number => path.split('/').length;
  const [source] = paths
    .filter((path) => stem(path) === stem(target) && /\.[cm]?[jt]sx?$/.test(path) && /^(?:src|lib|source)\//.test(path))
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  return source === undefined ? [target, `${as}; not there`] : [source, `${as}, as ${target}`];
}
