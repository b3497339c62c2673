import type { WorkspaceIndex } from '../../../text/index/workspace-index.ts';
import { splitWords } from '../../../text/words/split-words.ts';

const MOST = 5;
const SHORTEST = 4;
const LONGEST = 40;
/** Names looked at; more would be slow, and none of them better. */
const MOST_NAMES = 50_000;

/** The names of a workspace that are spelt like some words: what somebody may have meant who misspelt one. */
export function nearNames(index: WorkspaceIndex, words: readonly string[]): string[] {
  const asked = words.filter((word) => word.length >= SHORTEST && word.length <= LONGEST);
  const found = new Map<string, number>();
  for (const { identifier, file } of index.passages.slice(0, asked.length > 0 ? MOST_NAMES : 0)) {
    if (identifier === undefined || file.role !== 'source' || found.has(identifier)) continue;
    const parts = splitWords(identifier).filter((part) => part.length >= SHORTEST && part.length <= LONGEST);
    const away = Math.min(...parts.flatMap((part) => asked.map((word) => howFar(part, word))));
    if (Number.isFinite(away)) found.set(identifier, away + 0.1 * parts.length);
  }
  const nearest = [...found].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
  return nearest.slice(0, MOST).map(([name]) => name);
}

/** Counts the letters that differ; infinite if they are different words. */
function howFar(a: string, b: string): number {
  if (a === b) return 0;
  const most = Math.min(a.length, b.length) < 7 ? 1 : 2;
  if (Math.abs(a.length - b.length) > most || a[0] !== b[0]) return Number.POSITIVE_INFINITY;
  const away = lettersAway(a, b);
  return away <= most ? away : Number.POSITIVE_INFINITY;
}

function lettersAway(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
