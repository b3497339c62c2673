import { progressOf, progressWords } from '../../core/search/progress.ts';
import type { SearchContext } from '../search-context.ts';
import { interimReport } from './messages.ts';

/** What the notice of an interim report begins with, in every language. */
const MARK = '> ⏸ ';
/** Where it is looked for, in characters. */
const WITHIN = 2000;

/** The notice of a report on a search that is not finished: how far it is, and how it goes on. Nothing in a final report. */
export function interimNotice({ closing, tree, face, show }: SearchContext): string[] {
  if (!closing.isInterim) return [];
  return [`${MARK}${show(interimReport({ progress: progressWords(progressOf(tree.counts), face.words) }))}`];
}

/** Whether a report is about a search that was not finished. */
export function isInterim(report: string): boolean {
  return report.slice(0, WITHIN).includes(`\n${MARK}`);
}
