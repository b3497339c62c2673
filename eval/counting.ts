import type { Ours } from './ours.ts';
import { decidingLines, type Question } from './questions.ts';

/** Lines of a file, from 1, inclusive. */
export interface Lines {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** What an answer is worth. */
export interface Mark {
  /** The place of the first right file among the first three, from 1; 0 if it is not there. */
  readonly rank: number;
  /** Whether one of the lines that decide is quoted. */
  readonly hasLine: boolean;
  /** How many lines are quoted. */
  readonly quoted: number;
  /** Whether one of the lines that decide is among those shown first, and how many these are. */
  readonly isShown: boolean;
  readonly shown: number;
  /** The first three files. */
  readonly files: readonly string[];
}

/** Topics that count. */
const FIRST = 3;
/** Quoted lines that count: otherwise quoting everything would be best. */
const MOST_LINES = 100;

/**
 * Marks topics, each of which is a list of quotations in the order of its document. A topic counts with the file of its
 * first quotation, and of the lines quoted in the first three topics, and of those shown first, only the first hundred count.
 */
export function markTopics({ topics, shown }: Ours, question: Question): Mark {
  const counted = topics.slice(0, FIRST);
  const marked = markAnswer(
    counted.map(([quote]) => quote?.path ?? ''),
    counted.flat(),
    question,
  );
  return { ...marked, isShown: hasDecidingLine(shown, decidingLines(question)), shown: countOf(shown) };
}

/** Marks an answer that consists of files, best first, and of the lines that are shown, in their order. */
export function markAnswer(files: readonly string[], shown: readonly Lines[], question: Question): Mark {
  const first = files.slice(0, FIRST);
  return {
    rank: first.findIndex((file) => question.files.includes(file)) + 1,
    hasLine: hasDecidingLine(shown, decidingLines(question)),
    quoted: countOf(shown),
    isShown: false,
    shown: 0,
    files: first,
  };
}

function hasDecidingLine(shown: readonly Lines[], deciding: readonly Lines[]): boolean {
  let left = MOST_LINES;
  for (const { path, start, end } of shown) {
    const last = Math.min(end, start + left - 1);
    if (deciding.some((lines) => lines.path === path && lines.start <= last && start <= lines.end)) return true;
    left -= lengthOf({ path, start, end });
    if (left <= 0) return false;
  }
  return false;
}

function countOf(lines: readonly Lines[]): number {
  return lines.reduce((sum, each) => sum + lengthOf(each), 0);
}

function lengthOf({ start, end }: Lines): number {
  return Math.max(0, end - start + 1);
}
