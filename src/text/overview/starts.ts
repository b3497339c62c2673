import { posix } from 'node:path';
import type { Project } from './project-file.ts';

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

/** The file that an entry of a manifest names; undefined if it is not there. */
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
