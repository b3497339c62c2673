import { countReceipts, type Receipt } from '../../core/search/receipt.ts';
import { type TreeNode, walk } from '../../core/tree/tree.ts';
import type { SearchOverview } from '../../searches/reader/search-overview.ts';
import { inWords } from '../terminal/translation.ts';
import { byAgent, byEngine, receiptCounts, unverified } from './messages.ts';

/** Tells how a node came about, in a line; undefined for kinds without receipts. */
export function receiptText({ receiptOf }: SearchOverview, node: TreeNode | undefined): string | undefined {
  const receipt = node && receiptOf(node);
  return receipt && inWords(wordsOf(receipt));
}

function wordsOf(receipt: Receipt): ReturnType<typeof unverified> {
  if (receipt.by === 'engine') return byEngine({ model: receipt.model, call: receipt.call });
  return receipt.by === 'agent' ? byAgent({ agent: receipt.agent }) : unverified();
}

/** Counts the receipts of a whole search; undefined if it has none. */
export function receiptsOf({ tree, receiptOf }: SearchOverview): ReturnType<typeof countReceipts> {
  return countReceipts([...walk(tree.root)].flatMap((node) => receiptOf(node) ?? []));
}

export function receiptsText(overview: SearchOverview): string | undefined {
  const counts = receiptsOf(overview);
  return counts && inWords(receiptCounts(counts));
}
