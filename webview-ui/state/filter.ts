import type { NodeStatus } from '../../src/core/tree/node-file.ts';
import { branch, type ViewNode } from '../../src/drawing/tree-model.ts';

/** A person's filter. */
export interface Filter {
  /** Words in title, path or summary; empty for anything. */
  readonly text: string;
  /** Empty for any. */
  readonly statuses: readonly NodeStatus[];
  /** From 0 to 10; nodes without a score count as 0. */
  readonly minScore: number;
}

export const NO_FILTER: Filter = { text: '', statuses: [], minScore: 0 };

export function isFiltering({ text, statuses, minScore }: Filter): boolean {
  return text.trim() !== '' || statuses.length > 0 || minScore > 0;
}

/** Returns the matching nodes, in the tree's order; undefined without a filter. */
export function matches(root: ViewNode | undefined, filter: Filter): ViewNode[] | undefined {
  if (!root || !isFiltering(filter)) return undefined;
  const words = filter.text.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  const found: ViewNode[] = [];
  for (const node of branch(root)) if (node.parent && fits(node, filter, words)) found.push(node);
  return found;
}

function fits({ data }: ViewNode, { statuses, minScore }: Filter, words: readonly string[]): boolean {
  if (statuses.length > 0 && !statuses.includes(data.status)) return false;
  if ((data.score ?? 0) < minScore) return false;
  if (words.length === 0) return true;
  const text = `${data.title} ${data.path} ${data.summary ?? ''}`.toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}
