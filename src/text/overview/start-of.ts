import { posix } from 'node:path';
import { codeSpan } from '../../core/text/text.ts';
import type { Passage } from '../chunk/chunk-file.ts';
import { oneLine } from '../chunk/markdown.ts';
import { isQuotable } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Lines } from '../find/choose-lines.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';

/** Where a program, or the use of a library, begins. */
export interface Start {
  readonly lines: Lines;
  /** The line that is run first, or names what others load. */
  readonly row: number;
  readonly says: string;
}

const QUOTED_LINES = 8;
const MOST_SYMBOLS = 100;
/** Files that are run or loaded first by their names, the surest first. */
const NAMES = [
  /(?:^|\/)__main__\.py$/,
  /(?:^|\/)main\.(?:go|rs|py|ts|js|c|cc|cpp|java|rb|cs)$/i,
  /(?:^|\/)(?:cli|app|server|start)\.(?:[cm]?[jt]s|py|rb)$/,
  /(?:^|\/)(?:lib|mod)\.rs$/,
  /(?:^|\/)index\.(?:[cm]?[jt]sx?|php)$/,
  /(?:^|\/)__init__\.py$/,
];
/** Of these, the ones that a language loads by itself. */
const LOADED = /(?:^|\/)(?:lib\.rs|mod\.rs|index\.\w+|__init__\.py)$/;
const MAIN = /^(?:main|Main|run|start|__main__)$/;
const RUNS =
  /^if __name__ == ['"]__main__['"]|^\s*(?:func|fn|def|async def|int|void|public static void)\s+main\b|^(?!.*\b(?:function|def|fn|func)\b).*(?:^|[.\s])(?:main|run|runMain|start|listen|serve|bootstrap|execute)\(/;
/** Statements by which a file that is loaded gives something to others. */
const EXPORTS = /^(?:module\.exports\s*=|export\s+(?:default\b|\*|\{)|pub (?:use|mod)\b)/;

/**
 * Where a workspace's codeSpan starts: what its manifests name, else what is called so; undefined if several are.
 * @param base the folder of all codeSpan, empty or with `/` at its end
 */
export function startOf(index: WorkspaceIndex, manifests: readonly Manifest[], base: string): Start | undefined {
  const source = index.files.filter(({ role }) => role === 'source');
  const named = manifests.flatMap(({ file, starts }) => starts.flatMap((path) => fileOf(path, file, source) ?? []));
  const byName = NAMES.flatMap((name) => onlyOne(source.filter(({ path }) => name.test(path) && isAtTop(path, base))));
  for (const file of [...named, ...byName]) {
    const start = startIn(file, index, named.includes(file) || LOADED.test(file.path));
    if (start) return start;
  }
  // A library without any of these starts with what makes its main thing.
  const makers = index.passages.filter(
    ({ identifier = '', kind, file: { role, path } }) =>
      role === 'source' && kind === 'function' && isAtTop(path, base) && /^New$|^new$|^create/.test(identifier),
  );
  const news = makers.filter(({ identifier = '' }) => /^new$/i.test(identifier));
  const [maker, another] = news.length > 0 ? news : makers;
  return maker && !another ? startAt(maker) : undefined;
}

/** Tells whether a file is at the top: a deeper one starts a part, not the whole. */
function isAtTop(path: string, base: string): boolean {
  const below = path.startsWith(base) ? path.slice(base.length) : path;
  return /^(?:(?:src|source|app|bin|lib|cmd\/[^/]+)\/)?[^/]+$/.test(below);
}

/** Of several that are as near to the top, none is the one. */
function onlyOne(files: readonly SourceFile[]): SourceFile[] {
  const [first, second] = files.toSorted(byDepth);
  const isOne = first && !(second && depthOf(first) === depthOf(second));
  return isOne ? [first] : [];
}

function byDepth(a: SourceFile, b: SourceFile): number {
  return depthOf(a) - depthOf(b) || (a.path < b.path ? -1 : 1);
}

function depthOf({ path }: SourceFile): number {
  return path.split('/').length;
}

/** Returns a file that a manifest names; what is built is named after what it is built from. */
function fileOf(path: string, manifest: SourceFile, source: readonly SourceFile[]): SourceFile | undefined {
  const exact = source.find((file) => file.path === posix.join(posix.dirname(manifest.path), path));
  if (exact) return exact;
  const stem = posix.basename(path).replace(/\.[a-z]+$/, '');
  if (!/^(?:dist|build|lib|out|target)\//.test(path)) return undefined;
  return source.filter((file) => posix.basename(file.path).replace(/\.[a-z]+$/, '') === stem).sort(byDepth)[0];
}

/** @param isLoaded whether others load it, so that it needs not run anything */
function startIn(file: SourceFile, index: WorkspaceIndex, isLoaded: boolean): Start | undefined {
  const passages = index.passages.filter((passage) => passage.file === file && passage.kind !== 'rest');
  // A method of that name starts its object.
  const main = passages.find(
    ({ identifier = '', kind }) => MAIN.test(identifier) && (kind === 'function' || /^main$/i.test(identifier)),
  );
  if (main) return startAt(main);
  // Code in a function runs only if somebody calls it.
  const isOutside = (row: number): boolean => !passages.some(({ start, end }) => row >= start && row <= end);
  const runs = file.lines.findIndex(
    (line, row) => isQuotable(line) && RUNS.test(withoutStrings(line)) && isOutside(row) && !index.isComment(file, row),
  );
  if (runs >= 0) return linesAt(file, runs, `${codeSpan(oneLine(file.path))} is run`);
  if (!isLoaded) return undefined;
  const says = `${codeSpan(oneLine(file.path))} is loaded first`;
  const gives = file.lines.findIndex(
    (line, row) => EXPORTS.test(line) && isQuotable(line) && !index.isComment(file, row),
  );
  if (gives >= 0) return linesAt(file, gives, says);
  const first = mostUsed(
    passages.filter(({ owner, kind }) => owner === undefined && kind !== 'block' && kind !== 'type'),
    index,
  );
  const does = file.lines.findIndex((line, row) => isCode(line) && !index.isComment(file, row));
  return first ? { ...startAt(first), says } : linesAt(file, Math.max(0, does), says);
}

function withoutStrings(line: string): string {
  return /__name__/.test(line) ? line : line.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '""');
}

/** Of the first symbols of a file, the one that others name most. */
function mostUsed(passages: readonly Passage[], index: WorkspaceIndex): Passage | undefined {
  const uses = new Map(passages.slice(0, MOST_SYMBOLS).map((one) => [one, index.names.usesOf(one).length]));
  return [...uses].sort(([a, x], [b, y]) => y - x || a.id - b.id)[0]?.[0];
}

function isCode(line: string): boolean {
  return /\w/.test(line) && isQuotable(line) && !/^\s*(?:#|\/[/*]|['"]use |import\b|from\b|use\b|package\b)/.test(line);
}

function startAt({ file, head, end, name }: Passage): Start {
  const lines = linesAt(file, head, `${codeSpan(name)} in ${oneLine(file.path)}`);
  return { ...lines, lines: { ...lines.lines, end: Math.min(end, lines.lines.end) } };
}

function linesAt(file: SourceFile, row: number, says: string): Start {
  let end = row;
  while (end + 1 < file.lines.length && end - row + 1 < QUOTED_LINES && isQuotable(file.lines[end + 1] ?? '')) end++;
  while (end > row && (file.lines[end] ?? '').trim() === '') end--;
  return { lines: { file, start: row, end }, row, says };
}

/** The facts that a project states about itself to its tools. */
export interface Manifest {
  readonly file: SourceFile;
  readonly name: string;
  readonly description: string;
  /** The line of the description, from 0; that of the name, or the first, if there is none. */
  readonly row: number;
  /** Lines that say what it is, from 0. */
  readonly rows: readonly number[];
  /** Lines that say what is run or loaded first. */
  readonly startRows: readonly number[];
  /** Paths or modules named there. */
  readonly starts: readonly string[];
}

const MANIFESTS =
  /^(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|setup\.(?:py|cfg)|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|CMakeLists\.txt|[\w-]+\.gemspec|mix\.exs|deno\.jsonc?|DESCRIPTION)$/;
const MOST_MANIFEST_LINES = 2000;
const MOST_COLUMNS = 300;
const MOST_STARTS = 6;
const IS =
  /^\s*(?:s\.|spec\.)?["']?(name|description|summary|module|project|artifactId|rootProject\.name)["']?\s*[:=(>\s]/i;
const STARTS =
  /^\s*["']?(main|bin|start|serve|dev|browser|exports|module|default-run|path|entry_points|console_scripts|scripts|project\.scripts|mainClass|cli)["']?\s*[:=]|^\s*\[(?:project\.scripts|\[?bin\]?|lib)\]/;
const VALUE = /[:=(>]\s*["'(]?([^"'<>]{1,300})/;

/** Returns the manifests at the top of a workspace, in the order of their kinds. */
export function manifestsOf(index: WorkspaceIndex): Manifest[] {
  return index.files.filter(({ path }) => MANIFESTS.test(path)).map(manifestIn);
}

function manifestIn(file: SourceFile): Manifest {
  const lines = file.lines.slice(0, MOST_MANIFEST_LINES).map((line) => line.slice(0, MOST_COLUMNS));
  const first = new Map<string, number>();
  const startRows: number[] = [];
  lines.forEach((line, row) => {
    const key = IS.exec(line)?.[1]?.toLowerCase();
    // The first of a name is the project's own; a manifest of npm has hundreds of others below.
    if (key !== undefined && !first.has(key) && (indentOf(line) <= 4 || file.path === 'setup.py')) first.set(key, row);
    else if (STARTS.test(line) && indentOf(line) <= 4 && line.length < 300) startRows.push(row);
  });
  const valueAt = (key: string): string => {
    const row = first.get(key);
    const line = row === undefined ? '' : (lines[row] ?? '');
    return (VALUE.exec(line)?.[1] ?? line.trim().split(/\s+/)[1] ?? '').trim().replace(/[",]+$/, '');
  };
  return {
    file,
    name: valueAt('name') || valueAt('module') || valueAt('project') || valueAt('artifactid'),
    description: valueAt('description') || valueAt('summary'),
    row: first.get('description') ?? first.get('summary') ?? first.get('name') ?? 0,
    rows: [...first.values()].sort((a, b) => a - b),
    startRows: startRows.slice(0, MOST_STARTS),
    starts: startRows
      .toSorted((a, b) => Number(isRun(lines[b])) - Number(isRun(lines[a])))
      .slice(0, MOST_STARTS)
      .flatMap((row) => pathsIn(lines.slice(row, row + 4).join('\n'))),
  };
}

/** Tells whether a line is of an entry that is run; those come before what others load. */
function isRun(line = ''): boolean {
  return /^\s*["'[]*(?:bin|start|project\.scripts|console_scripts|mainClass|cli)\b/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function pathsIn(text: string): string[] {
  return Array.from(text.matchAll(/[\w@.-]{0,100}(?:\/[\w@.-]{1,100}){0,9}\.[a-z]{1,4}\b/g), ([path]) =>
    path.replace(/^\.\//, ''),
  );
}
