import { posix } from 'node:path';
import { roleOf } from './file-role.ts';
import { languageName } from './languages.ts';
import type { SourceFile } from './source-file.ts';

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
  /** Returns the path of the part that a file of code belongs to. */
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

/** Returns the folder below which the parts are: the first one that does not have nearly everything in one folder. */
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

/** Which files of a workspace import which. */
export class Imports {
  readonly #imported = new Map<string, ReadonlySet<string>>();

  /** The imports of each file, as written. */
  constructor(written: ReadonlyMap<SourceFile, readonly string[]>) {
    const byStem = new Map<string, string[]>();
    for (const { path } of written.keys()) {
      const stems = [stemOf(path), ...(stemOf(posix.basename(path)) === 'index' ? [posix.dirname(path)] : [])];
      for (const stem of stems) byStem.set(stem, [...(byStem.get(stem) ?? []), path]);
    }
    for (const [{ path }, specifiers] of written) {
      if (specifiers.length === 0) continue;
      this.#imported.set(path, new Set(specifiers.flatMap((one) => resolve(one, path, byStem))));
    }
  }

  /**
   * Tells whether a file can refer to what another defines: it imports that, possibly through a file between them. A
   * file that imports nothing may refer to anything (scripts share names, and not every language declares its imports).
   */
  reaches(from: SourceFile, to: SourceFile): boolean {
    const direct = this.#imported.get(from.path);
    if (from === to || !direct || direct.has(to.path)) return true;
    for (const between of direct) if (this.#imported.get(between)?.has(to.path)) return true;
    return false;
  }
}

function resolve(specifier: string, from: string, byStem: ReadonlyMap<string, readonly string[]>): readonly string[] {
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(from), specifier);
    return byStem.get(stemOf(path)) ?? byStem.get(path) ?? [];
  }
  // An alias ("@/core/model"): its target is configured elsewhere, but it ends like the path.
  const end = stemOf(specifier).split('/').slice(1).join('/');
  if (end === '') return [];
  return [...byStem].filter(([stem]) => stem === end || stem.endsWith(`/${end}`)).flatMap(([, paths]) => paths);
}

function stemOf(path: string): string {
  return path.replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
}

/**
 * Finds files by the names people use: the path from the workspace's folder, or its end if only one file has it, with
 * its extension (`queue.ts`, `src/queue.ts`).
 */
export class FileNames<File extends { readonly path: string }> {
  readonly #byName = new Map<string, File[]>();

  constructor(files: readonly File[]) {
    for (const file of files) {
      const name = file.path.slice(file.path.lastIndexOf('/') + 1);
      const same = this.#byName.get(name);
      if (same) same.push(file);
      else this.#byName.set(name, [file]);
    }
  }

  find(name: string): File | undefined {
    if (!/[./]/.test(name)) return undefined;
    const same = this.#byName.get(posix.basename(name)) ?? [];
    const exact = same.find(({ path }) => path === name);
    if (exact) return exact;
    const ending = same.filter(({ path }) => path.endsWith(`/${name}`));
    return ending.length === 1 ? ending[0] : undefined;
  }
}
