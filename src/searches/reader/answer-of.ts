import type { Findings } from '../../core/search/findings.ts';
import { isPruned, nodeAt } from '../../core/tree/tree.ts';
import type { SearchOverview } from './search-overview.ts';

/** The results of a search for a solution, as journaled at its end. */
export function findingsOf({
  state,
  record,
  file,
}: Pick<SearchOverview, 'state' | 'record' | 'file'>): Findings | undefined {
  return state === 'finished' ? record.findings(file.kind) : undefined;
}

/**
 * The answer of a finished search for a solution: as it was written down, else the last thought of the solution.
 * @returns `none` if it found none, `unwritten` if nobody wrote it down, `pruned` if its branch was taken out since;
 *   undefined for other searches
 */
export function answerOf(
  overview: Pick<SearchOverview, 'state' | 'record' | 'file' | 'tree'>,
): { readonly text: string } | 'none' | 'unwritten' | 'pruned' | undefined {
  const findings = findingsOf(overview);
  if (!findings) return undefined;
  const last = findings.finishedPath.at(-1);
  const end = last === undefined ? undefined : nodeAt(overview.tree, last);
  if (end && isPruned(end)) return 'pruned';
  if (findings.answer !== undefined) return { text: findings.answer };
  if (last === undefined) return 'none';
  return findings.solved && end ? { text: end.title } : 'unwritten';
}
