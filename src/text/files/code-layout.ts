import { roleOf } from './file-role.ts';
import { languageName } from './language-name.ts';

/** A file by its path and size. */
interface ListedFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** A folder of a workspace's code, or a file where there are no folders, as a part of the whole. */
export interface CodePart {
  /** Relative to the workspace; of a folder with `/` at its end. */
  readonly path: string;
  readonly files: number;
  /** Their size. */
  readonly bytes: number;
  /** The language of most of it, as people say; may be empty. */
  readonly language: string;
}

/** The layout of a workspace's code, judging by the paths and sizes of all its files. */
export interface CodeLayout {
  /** The folder that all code is in: with `/` at its end, empty if more than a little is elsewhere. */
  readonly folder: string;
  /** The largest first. */
  readonly parts: readonly CodePart[];
  /** The path of the part that a file of code belongs to. */
  partOf(path: string): string;
}

/** One folder with so much of everything is not a part but the whole. */
const WHOLE = 0.8;
/** The share of files that may be elsewhere than all code: what builds it, an example. */
const MOST_OUTSIDE = 0.05;

/** @param files all that are searched; those that are no code do not count */
export function layoutOf(files: readonly ListedFile[]): CodeLayout {
  const code = files.filter(({ path }) => roleOf(path) === 'source');
  const base = baseOf(code);
  const outside = code.filter(({ path }) => !path.startsWith(base)).length;
  const groups = Map.groupBy(code, ({ path }) => partPath(path, base));
  const parts = [...groups].map(([path, own]) => ({
    path,
    files: own.length,
    bytes: own.reduce((sum, { size }) => sum + size, 0),
    language: languageIn(own),
  }));
  return {
    folder: outside <= Math.max(1, MOST_OUTSIDE * code.length) ? base : '',
    parts: parts.sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1)),
    partOf: (path) => partPath(path, base),
  };
}

/** The folder below which the parts are: the first one that does not have nearly everything in one folder. */
function baseOf(files: readonly ListedFile[]): string {
  let base = '';
  for (;;) {
    const counts = new Map<string, number>();
    for (const { path } of files) {
      const end = path.startsWith(base) ? path.indexOf('/', base.length) : -1;
      const name = path.slice(base.length, end);
      if (end >= 0) counts.set(name, (counts.get(name) ?? 0) + 1);
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

function languageIn(files: readonly ListedFile[]): string {
  const bytes = new Map<string, number>();
  for (const { path, size } of files) {
    const name = languageName(path);
    bytes.set(name, (bytes.get(name) ?? 0) + size);
  }
  return [...bytes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}
