import type { Message } from '../../core/messages/message.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { isWithin } from '../../core/tree/slug.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import type { Search } from '../../engine/search.ts';

/**
 * Lets an open search write some documents anew, and lets the run that follows begin nothing besides: a search that had not come
 * to its end is paused once the last of them is begun. Only one that is run with `slotsFor` of them does no more.
 * @returns how many will be written, and why not of the others
 */
export async function writeAnew(
  search: Search,
  paths: readonly string[],
  by: string,
): Promise<{ readonly count: number; readonly refused: readonly Message[] }> {
  const wasAtEnd = (await search.left()) !== 'work';
  const waiting = new Set<string>();
  const refused: Message[] = [];
  for (const node of paths)
    try {
      await search.act({ action: 'redo', node }, by);
      waiting.add(node);
    } catch (error) {
      const { reason, say: why } = toThoughtTreeError(error);
      if (reason === 'internal') throw error;
      refused.push(why);
    }
  const count = waiting.size;
  search.listen((event) => {
    if (wasAtEnd || waiting.size === 0) return;
    if (event.type === 'node-status' && event.status === 'in-progress') waiting.delete(event.node);
    // Nothing below one that cannot be written is begun.
    const isOver = event.type === 'node-status' && (event.status === 'failed' || event.status === 'pruned');
    if (isOver || event.type === 'node-removed')
      for (const path of waiting) if (isWithin(path, event.node)) waiting.delete(path);
    if (waiting.size === 0) search.pause();
  });
  return { count, refused };
}

/** Tells whether nothing of what was to be written anew is open. */
export function areWritten({ tree }: Pick<Search, 'tree'>, paths: readonly string[] = []): boolean {
  return paths.every((path) => !['unexpanded', 'in-progress'].includes(nodeAt(tree, path)?.status ?? ''));
}

/** Returns with how many slots documents are written, so that none is free for others: one where some are below others. */
export function slotsFor(paths: readonly string[]): number {
  const areNested = paths.some((path) => paths.some((other) => other !== path && isWithin(other, path)));
  return areNested ? 1 : Math.max(1, Math.min(paths.length, MOST_SLOTS));
}

/** Documents that are written anew at the same time, at most. */
const MOST_SLOTS = 3;
