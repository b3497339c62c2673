import { posix } from 'node:path';
import type { Passage } from '../../../text/cut/passage.ts';
import { extensionOf } from '../../../text/files/file-role.ts';
import type { SourceFile } from '../../../text/files/source-file.ts';
import type { WorkspaceIndex } from '../../../text/index/workspace-index.ts';

/** A folder of a workspace, or a file where there are no folders, as a part of the whole. */
export interface Part {
  /** Relative to the workspace; of a folder with `/` at its end. */
  readonly path: string;
  readonly files: readonly SourceFile[];
  readonly lines: number;
  /** What most of it is written in, as people say. */
  readonly language: string;
  /** What other parts name most, else the longest: the most important first. */
  readonly symbols: readonly Passage[];
}

/** One folder with so much of everything is not a part but the whole. */
const WHOLE = 0.8;
/** The share of files that may be elsewhere than all code: what builds it, an example. */
const MOST_OUTSIDE = 0.05;
const MOST_SYMBOLS = 12;
/** Methods that many types have, so that a use of their name tells of no one in particular. */
const COMMON =
  /^(?:Len|Less|Swap|Error|String|GoString|Read|Write|Close|Lock|Unlock|Unwrap|Is|As|Format|Marshal\w*|Unmarshal\w*|toString|toJSON|valueOf|to_s|fmt|equals|hashCode|__\w+__)$/;
/** Some languages keep tests next to the code. */
const TEST = /^(?:test_|tests?$|assert_|Test\p{Lu}|Benchmark)/u;
/** Lines of a file that may say what it is. */
export const MOST_OPENING = 40;
/** Symbols whose uses are looked up; a larger workspace is judged by some. */
const MOST_LOOKED_UP = 3000;

/** The parts of a workspace's code, by size and use, the most important first. */
export function partsOf(index: WorkspaceIndex): Part[] {
  const source = index.files.filter(({ role }) => role === 'source');
  const base = baseOf(source);
  const groups = Map.groupBy(source, ({ path }) => partPath(path, base));
  const uses = usesIn(index, (file) => partPath(file.path, base));
  const parts = [...groups].map(([path, files]) => partOf(path, files, index, uses));
  const lines = Math.max(1, ...parts.map((part) => part.lines));
  const used = new Map(parts.map((part) => [part, part.symbols.reduce((sum, one) => sum + (uses.get(one) ?? 0), 0)]));
  const most = Math.max(1, ...used.values());
  const worth = (part: Part): number => part.lines / lines + (used.get(part) ?? 0) / most;
  return parts.sort((a, b) => worth(b) - worth(a) || (a.path < b.path ? -1 : 1));
}

/** The folder that all code of a workspace is in: with `/` at its end, empty if more than a little is elsewhere. */
export function codeFolder(index: WorkspaceIndex): string {
  const source = index.files.filter(({ role }) => role === 'source');
  const base = baseOf(source);
  const outside = source.filter(({ path }) => !path.startsWith(base)).length;
  return outside <= Math.max(1, MOST_OUTSIDE * source.length) ? base : '';
}

/** The folder below which the parts are: the first one that does not have nearly everything in one folder. */
function baseOf(files: readonly SourceFile[]): string {
  let base = '';
  for (;;) {
    const counts = new Map<string, number>();
    for (const { path } of files) {
      const next = path.startsWith(base) ? path.slice(base.length).split('/') : [];
      if (next.length > 1) counts.set(next[0] ?? '', (counts.get(next[0] ?? '') ?? 0) + 1);
    }
    const [name, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
    if (count < WHOLE * files.length || count === 0) return base;
    base += `${name}/`;
  }
}

function partPath(path: string, base: string): string {
  const parts = path.split('/');
  const above = base.split('/');
  let shared = 0;
  while (shared < parts.length - 1 && parts[shared] === above[shared]) shared++;
  return parts.slice(0, shared + 1).join('/') + (shared < parts.length - 1 ? '/' : '');
}

function usesIn(index: WorkspaceIndex, part: (file: SourceFile) => string): ReadonlyMap<Passage, number> {
  const named = index.passages.filter(
    ({ kind, owner, file }) => owner === undefined && kind !== 'rest' && kind !== 'section' && file.role === 'source',
  );
  return new Map(
    named.slice(0, MOST_LOOKED_UP).map((passage) => {
      const outside = index.names.usesOf(passage).filter((use) => use.passage.file.role === 'source');
      const apart = outside.filter((use) => part(use.passage.file) !== part(passage.file)).length;
      return [passage, apart + outside.length / 4];
    }),
  );
}

function partOf(
  path: string,
  files: readonly SourceFile[],
  index: WorkspaceIndex,
  uses: ReadonlyMap<Passage, number>,
): Part {
  const own = new Set(files);
  const known = index.passages.filter(
    ({ file, owner, kind, identifier }) =>
      own.has(file) &&
      owner === undefined &&
      !/rest|section|block/.test(kind) &&
      !TEST.test(identifier ?? '') &&
      !(kind === 'member' && COMMON.test(identifier ?? '')),
  );
  const worth = (one: Passage): number => (uses.get(one) ?? 0) + (one.end - one.start) / 1000;
  return {
    path,
    files,
    lines: files.reduce((sum, file) => sum + file.lines.length, 0),
    language: languageOf(files),
    symbols: known
      .sort((a, b) => Number(isImplementation(a)) - Number(isImplementation(b)) || worth(b) - worth(a) || a.id - b.id)
      .slice(0, MOST_SYMBOLS),
  };
}

/** What a type does comes after the type: in Rust, and in languages with extensions, it stands apart and has its name. */
function isImplementation({ kind, file, head }: Passage): boolean {
  return (
    kind === 'class' &&
    /^\s*(?:(?:unsafe|public|private|internal)\s+)?(?:impl|extension)\b/.test(file.lines[head] ?? '')
  );
}

const LANGUAGES = new Map(
  Object.entries({
    typescript: 'TypeScript',
    tsx: 'TypeScript',
    javascript: 'JavaScript',
    python: 'Python',
    go: 'Go',
    rust: 'Rust',
    java: 'Java',
    'c-sharp': 'C#',
    cpp: 'C and C++',
    ruby: 'Ruby',
    php: 'PHP',
    css: 'CSS',
    bash: 'shell',
    powershell: 'PowerShell',
  }),
);

function languageOf(files: readonly SourceFile[]): string {
  const lines = new Map<string, number>();
  for (const { path, language, lines: own } of files) {
    const name = LANGUAGES.get(language?.grammar ?? '') ?? extensionOf(path);
    lines.set(name, (lines.get(name) ?? 0) + own.length);
  }
  return [...lines].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

/** The file of a part that introduces it: its README, else the one that a language reads first. */
export function introductionOf({ path }: Part, index: WorkspaceIndex): SourceFile | undefined {
  if (path.endsWith('/')) return introductionIn(path, index);
  return index.files.find((file) => file.path === path);
}

/** The same of a folder: empty for the workspace, or with `/` at its end. */
export function introductionIn(folder: string, index: WorkspaceIndex): SourceFile | undefined {
  const here = index.files.filter(({ path }) => path.startsWith(folder) && !path.slice(folder.length).includes('/'));
  for (const name of [/^readme\b/i, /^doc\.go$/, /^(?:__init__\.py|mod\.rs|lib\.rs|index\.[cm]?[jt]sx?)$/]) {
    const found = here.find((file) => name.test(posix.basename(file.path)));
    if (found) return found;
  }
  // Of a program of Go, any file may say what its package is.
  return here.find(({ lines }) =>
    lines.slice(0, MOST_OPENING).some((line) => /^(?:(?:\/\/|\/\*) ?)?Package \w+ /.test(line)),
  );
}
