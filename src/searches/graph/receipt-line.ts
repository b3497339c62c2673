import { nodeAt } from '../../core/tree/tree.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import * as say from '../messages.ts';
import { overviewOf, type SearchOverview } from '../reader/search-overview.ts';
import type { SearchReader } from '../reader/search-reader.ts';
import type { Show } from './graph-of-search.ts';

/** Tells a node's origin in a line, as far as this user's own journal tells the same; undefined without receipts. */
export function receiptLine({ tree, receiptOf }: SearchOverview, path: string, show: Show): string | undefined {
  const node = path === '' ? undefined : nodeAt(tree, path);
  const receipt = node && receiptOf(node);
  if (!receipt) return undefined;
  if (receipt.by === 'engine') return show(say.receiptOfEngine({ call: receipt.call, model: receipt.model }));
  return show(receipt.by === 'agent' ? say.receiptOfAgent({ agent: receipt.agent }) : say.noReceipt());
}

/** Reads that line for a search that is only followed: with what its kind knows, if its kind has marks. */
export async function readReceiptLine(
  { folder, file }: SearchReader,
  kinds: Kinds,
  path: string,
  show: Show,
): Promise<string | undefined> {
  if (!file || !faceOf(kinds, file.kind)?.marks) return undefined;
  return receiptLine(await overviewOf(kinds, folder), path, show);
}
