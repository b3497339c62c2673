import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';

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
