import { posix } from 'node:path';
import type { Passage } from '../cut/passage.ts';
import type { CodePart } from '../files/code-layout.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';

/** A part of a workspace's code, and what is known of it from a closer look. */
export interface Part extends CodePart {
  /** Undefined where not all of its files were read. */
  readonly lines: number | undefined;
  /** Those of its files that were read, by path. */
  readonly read: readonly SourceFile[];
  /** The symbols that other parts name most, else the longest: the most important first. */
  readonly symbols: readonly Passage[];
}

const MOST_SYMBOLS = 12;
/** Methods that many types have, so that a use of their name tells of no one in particular. */
const COMMON =
  /^(?:Len|Less|Swap|Error|String|GoString|Read|Write|Close|Lock|Unlock|Unwrap|Is|As|Format|Marshal\w*|Unmarshal\w*|toString|toJSON|valueOf|to_s|fmt|equals|hashCode|__\w+__|get|set|has|is_empty|isEmpty)$/;
/** Some languages keep tests next to the code. */
const TEST = /^(?:test_|tests?$|assert_|Test\p{Lu}|Benchmark)/u;
/** Lines of a file that may say what it is. */
export const MOST_OPENING = 40;
/** Symbols whose uses are looked up; a larger workspace is judged by some. */
const MOST_LOOKED_UP = 3000;

/** The parts of a workspace's code, by size and use, the most important first. */
export function partsOf(index: WorkspaceIndex): Part[] {
  const layout = index.layout();
  const source = index.files.filter(({ role }) => role === 'source');
  const groups = Map.groupBy(source, ({ path }) => layout.partOf(path));
  const uses = usesIn(index, (file) => layout.partOf(file.path));
  const parts = layout.parts.map((part) => partOf(part, groups.get(part.path) ?? [], index, uses));
  // The use that the rest makes of a part is known where all was read; else the largest comes first.
  if (parts.some(({ lines }) => lines === undefined)) return parts;
  const lines = Math.max(1, ...parts.map((part) => part.lines ?? 0));
  const used = new Map(parts.map((part) => [part, part.symbols.reduce((sum, one) => sum + (uses.get(one) ?? 0), 0)]));
  const most = Math.max(1, ...used.values());
  const worth = (part: Part): number => (part.lines ?? 0) / lines + (used.get(part) ?? 0) / most;
  return parts.sort((a, b) => worth(b) - worth(a) || (a.path < b.path ? -1 : 1));
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
  part: CodePart,
  read: readonly SourceFile[],
  index: WorkspaceIndex,
  uses: ReadonlyMap<Passage, number>,
): Part {
  const own = new Set(read);
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
    ...part,
    lines: read.length < part.files ? undefined : read.reduce((sum, file) => sum + file.lines.length, 0),
    read,
    symbols: known
      .sort((a, b) => Number(isImplementation(a)) - Number(isImplementation(b)) || worth(b) - worth(a) || a.id - b.id)
      .slice(0, MOST_SYMBOLS),
  };
}

/** Tells whether a passage adds to a type, whose name it has: it comes after the type, in Rust and with extensions. */
function isImplementation({ kind, file, head }: Passage): boolean {
  return (
    kind === 'class' &&
    /^\s*(?:(?:unsafe|public|private|internal)\s+)?(?:impl|extension)\b/.test(file.lines[head] ?? '')
  );
}

/** The file of a part that introduces it: its README, else the one that a language reads first. */
export function introductionOf({ path }: Part, index: WorkspaceIndex): SourceFile | undefined {
  if (path.endsWith('/')) return introductionIn(path, index);
  return index.files.find((file) => file.path === path);
}

/** Finds the file that introduces a folder: empty for the workspace, or with `/` at its end. */
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
