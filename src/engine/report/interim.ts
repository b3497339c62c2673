import type { Store } from '../../core/ports/store.ts';
import { progressOf, progressWords } from '../../core/search/progress.ts';
import type { SearchContext } from '../search-context.ts';
import { interimReport } from './messages.ts';

/** The result of writing an interim report: one that a person changed stays, and so does a better one. */
export type InterimWritten = 'written' | 'edited' | 'better';

/** The beginning of an interim report's notice, in every language. */
const MARK = '> ⏸ ';
/** Where it is looked for, in characters. */
const WITHIN = 2000;

/** The notice of a report on a search that is not finished: how far it is, and how it goes on. Nothing in a final report. */
export function interimNotice({ closing, tree, face, show }: SearchContext): string[] {
  if (!closing.isInterim) return [];
  return [`${MARK}${show(interimReport({ progress: progressWords(progressOf(tree.counts), face.words) }))}`];
}

/**
 * Writes an interim report, unless the one on disk is of another hand: one that a model was asked for, or that a person
 * changed since it was written. One of which nothing is known, as in a clone, counts as changed.
 */
export async function writeInterim(store: Store, write: () => Promise<void>): Promise<InterimWritten> {
  const there = await store.readReport();
  if (there !== undefined && !isInterim(there)) return 'better';
  if (there !== undefined && store.hashOf(there) !== (await store.readInterimHash())) return 'edited';
  await write();
  const written = await store.readReport();
  if (written !== undefined) await store.writeInterimHash(store.hashOf(written));
  return 'written';
}

/** Tells whether a report is about a search that was not finished. */
export function isInterim(report: string): boolean {
  return report.slice(0, WITHIN).includes(`\n${MARK}`);
}
