import type { CitationCounts } from '../../core/citations/citation.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import { formatNumber } from '../terminal/figures.ts';

const WORDS: Readonly<Record<keyof CitationCounts, string>> = {
  verified: 'verified',
  moved: 'moved',
  stale: 'stale',
  not_found: 'not found',
};

/** The result of checking quotations, in a few words; undefined if there are none. */
export function citationsText(nodes: Iterable<Pick<TreeNode, 'citations'>>): string | undefined {
  const sums: Record<keyof CitationCounts, number> = { verified: 0, moved: 0, stale: 0, not_found: 0 };
  const marks = Object.keys(WORDS) as (keyof CitationCounts)[];
  for (const { citations } of nodes) for (const mark of marks) sums[mark] += citations?.[mark] ?? 0;
  const said = marks.filter((mark) => sums[mark] > 0).map((mark) => `${formatNumber(sums[mark])} ${WORDS[mark]}`);
  return said.length > 0 ? said.join(', ') : undefined;
}
