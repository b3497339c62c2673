import type { Passage } from '../cut/passage.ts';
import type { Silence } from '../cut/silence.ts';
import type { SourceFile } from '../files/source-file.ts';

/** Where code names a symbol. */
export interface Use {
  readonly passage: Passage;
  /** From 0. */
  readonly row: number;
  /** True if it looks like a call or a member access: more than a word that happens to be the same. */
  readonly reached: boolean;
}

/** Where the workspace's symbols are named. */
export interface Uses {
  /** By identifier; one place per passage, by path and line. */
  readonly byName: ReadonlyMap<string, readonly Use[]>;
  /** By passage: the identifiers it names, in order. */
  readonly byPassage: readonly ReadonlySet<string>[];
}

const IDENTIFIER = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu;
// An identifier in ASCII, which most lines are: several times as fast.
const ASCII_IDENTIFIER = /[A-Za-z_$][\w$]*/g;
const NOT_ASCII = /[^\t -~]/;
/** A name this short, or defined this often, is ambiguous. */
const MIN_NAME = 3;
const MAX_DEFINITIONS = 12;
const NOTHING: ReadonlySet<string> = new Set();

/** Finds where code, except comments and strings, names a symbol that the workspace defines. */
export function findUses(
  passages: readonly Passage[],
  definitions: ReadonlyMap<string, readonly Passage[]>,
  silentIn: (file: SourceFile) => Silence | undefined,
): Uses {
  const byName = new Map<string, Use[]>();
  // A local variable does not refer to a member of the same name.
  const members = new Set<string>();
  for (const [name, found] of definitions) {
    if (name.length < MIN_NAME || found.length > MAX_DEFINITIONS) continue;
    byName.set(name, []);
    if (found.every(({ kind }) => kind === 'member')) members.add(name);
  }
  const byPassage = passages.map((passage) => {
    const { file } = passage;
    if (file.role === 'docs' || file.role === 'config') return NOTHING;
    const silent = silentIn(file);
    const best = new Map<string, Use>();
    for (const row of ownRows(passage)) {
      if (silent?.isComment(row)) continue;
      const line = file.lines[row] ?? '';
      const identifiers = NOT_ASCII.test(line) ? IDENTIFIER : ASCII_IDENTIFIER;
      for (let found = nextOf(identifiers, line, 0); found; found = nextOf(identifiers, line, identifiers.lastIndex)) {
        const { 0: name, index } = found;
        if (!byName.has(name) || (row === passage.head && name === passage.identifier)) continue;
        if (isKey(line, index + name.length) || silent?.isString(row, index)) continue;
        const reached = isReached(line, index, name.length);
        if (!reached && (members.has(name) || best.has(name))) continue;
        if (!best.get(name)?.reached) best.set(name, { passage, row, reached });
      }
    }
    for (const [name, use] of best) byName.get(name)?.push(use);
    return new Set(best.keys());
  });
  return { byName, byPassage };
}

/** The next match from a place on; the next one after that is from the pattern's `lastIndex` on. */
function nextOf(pattern: RegExp, line: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(line);
}

/** `name(`, `.name`, `#name`, `->name`, `::name`: in any language we have a grammar for. */
function isReached(line: string, start: number, length: number): boolean {
  if (line[start + length] === '(') return true;
  const before = line.slice(Math.max(0, start - 2), start);
  return (before.endsWith('.') && before !== '..') || before.endsWith('#') || before === '->' || before === '::';
}

/** `name: value` defines a name and does not use one. */
function isKey(line: string, end: number): boolean {
  return line[end] === ':' && line[end + 1] !== ':';
}

/** The lines of a passage that belong to no passage inside it. */
function* ownRows({ start, end, inner }: Passage): Generator<number> {
  let row = start;
  for (const [from, to] of inner) {
    for (; row < from; row++) yield row;
    row = Math.max(row, to + 1);
  }
  for (; row <= end; row++) yield row;
}
