import type { SourceFile } from '../files/source-file.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';

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

const FILES =
  /^(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|setup\.(?:py|cfg)|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|CMakeLists\.txt|[\w-]+\.gemspec|mix\.exs|deno\.jsonc?|DESCRIPTION)$/;
const MOST_LINES = 2000;
const MOST_COLUMNS = 300;
const MOST_STARTS = 6;
const IS =
  /^\s*(?:s\.|spec\.)?["']?(name|description|summary|module|project|artifactId|rootProject\.name)["']?\s*[:=(>\s]/i;
const STARTS =
  /^\s*["']?(main|bin|start|serve|dev|browser|exports|module|default-run|path|entry_points|console_scripts|scripts|project\.scripts|mainClass|cli)["']?\s*[:=]|^\s*\[(?:project\.scripts|\[?bin\]?|lib)\]/;
const VALUE = /[:=(>]\s*["'(]?([^"'<>]{1,300})/;

/** The manifests at the top of a workspace, in the order of their kinds. */
export function manifestsOf(index: WorkspaceIndex): Manifest[] {
  return index.files.filter(({ path }) => FILES.test(path)).map(manifestIn);
}

function manifestIn(file: SourceFile): Manifest {
  const lines = file.lines.slice(0, MOST_LINES).map((line) => line.slice(0, MOST_COLUMNS));
  const first = new Map<string, number>();
  const startRows: number[] = [];
  lines.forEach((line, row) => {
    const key = IS.exec(line)?.[1]?.toLowerCase();
    // The first of a name is the project's own; a manifest of npm has hundreds of others below.
    if (key !== undefined && !first.has(key) && (depthOf(line) <= 4 || file.path === 'setup.py')) first.set(key, row);
    else if (STARTS.test(line) && depthOf(line) <= 4 && line.length < 300) startRows.push(row);
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

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

function pathsIn(text: string): string[] {
  return Array.from(text.matchAll(/[\w@.-]{0,100}(?:\/[\w@.-]{1,100}){0,9}\.[a-z]{1,4}\b/g), ([path]) =>
    path.replace(/^\.\//, ''),
  );
}
