import { oneLine } from '../cut/markdown.ts';
import type { Passage } from '../cut/passage.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';

const MOST_FILES = 16;
const MOST_OF_FILE = 9;
/** Passages of a file whose uses are counted. */
const LOOKED_AT = 150;
const LONGEST_NAME = 60;
/** Being so many lines longer is as important as being used at all. */
const LINES_A_USE = 16;

/**
 * The main symbols of the most important files, a line for each file, with the lines that they begin at: the longest and
 * most used, in the order of the file.
 * @param worth what a file is worth, 0 if it is not to be shown
 */
export function symbolLines(index: WorkspaceIndex, worth: (path: string, lines: number) => number): string[] {
  const code = index.files.filter(({ role, language }) => role === 'source' && language !== undefined);
  // Prose has its sections instead.
  const all = code.length > 0 ? code : index.files.filter(({ role }) => role === 'docs');
  const files = all
    .map((file) => ({ file, worth: worth(file.path, file.lines.length) }))
    .filter((one) => one.worth > 0)
    .sort((a, b) => b.worth - a.worth || (a.file.path < b.file.path ? -1 : 1))
    .slice(0, MOST_FILES);
  const chosen = new Set(files.map(({ file }) => file));
  const groups = Map.groupBy(
    index.passages.filter(
      ({ file, kind }) => chosen.has(file) && /^(?:class|function|member|type|section)$/.test(kind),
    ),
    ({ file }) => file,
  );
  return files.flatMap(({ file }) => {
    const symbols = mainOf(groups.get(file) ?? [], index);
    return symbols.length < (code.length > 0 ? 2 : 1) ? [] : [`${file.path}: ${symbols.join(', ')}`];
  });
}

function mainOf(passages: readonly Passage[], index: WorkspaceIndex): string[] {
  const seen = new Set<string>();
  const own = passages.slice(0, LOOKED_AT).filter(({ name, owner }) => {
    const isNew = name.length <= LONGEST_NAME && !seen.has(name) && !isWithinFunction(owner, index);
    seen.add(name);
    return isNew;
  });
  const weight = new Map(own.map((one) => [one, weightOf(one, index)]));
  return own
    .toSorted((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0) || a.id - b.id)
    .slice(0, MOST_OF_FILE)
    .sort((a, b) => a.head - b.head)
    .map(({ kind, name, head }) => `${kind === 'section' ? `“${oneLine(name)}”` : oneLine(name)} ${head + 1}`);
}

function weightOf(passage: Passage, index: WorkspaceIndex): number {
  const meanings = Math.max(1, index.names.namesakes(passage).length);
  return Math.sqrt(index.names.usesOf(passage).length / meanings) + (passage.end - passage.head) / LINES_A_USE;
}

function isWithinFunction(owner: number | undefined, { passages }: WorkspaceIndex): boolean {
  return owner !== undefined && !/^(?:class|section)$/.test(passages[owner]?.kind ?? '');
}
