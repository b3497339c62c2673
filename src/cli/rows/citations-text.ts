import type { CitationCounts } from '../../core/citations/citation.ts';
import { markCounts } from '../../core/citations/messages.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import { inWords } from '../terminal/translation.ts';

/** The result of checking quotations, in a few words; undefined if there are none. */
export function citationsText(nodes: Iterable<Pick<TreeNode, 'citations'>>): string | undefined {
  const sums: Record<keyof CitationCounts, number> = { verified: 0, moved: 0, stale: 0, not_found: 0 };
  const marks = Object.keys(markCounts) as (keyof CitationCounts)[];
  for (const { citations } of nodes) for (const mark of marks) sums[mark] += citations?.[mark] ?? 0;
  const said = marks.filter((mark) => sums[mark] > 0).map((mark) => inWords(markCounts[mark]({ count: sums[mark] })));
  return said.length > 0 ? said.join(', ') : undefined;
}
