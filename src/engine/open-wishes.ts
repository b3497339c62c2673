import type { JournalEvent } from '../core/search/events.ts';

/** A node that a person wants worked on next. */
export interface Wish {
  readonly node: string;
  /** For a leaf that is to be expanded: how many lists of children the model had given before. */
  readonly listsBefore: number | undefined;
}

/**
 * The wishes that no run has come to yet, the oldest first.
 * @param actions those that wish for a node
 */
export function openWishes(journal: readonly JournalEvent[], actions: ReadonlySet<string> = WISHES): Wish[] {
  const wishes = new Map<string, Wish>();
  for (const event of journal) {
    if (event.type === 'steered' && event.node !== undefined && actions.has(event.action)) {
      wishes.delete(event.node);
      wishes.set(event.node, { node: event.node, listsBefore: event.listsBefore });
    } else if (event.type === 'node-status' && DONE.has(event.status)) wishes.delete(event.node);
  }
  return [...wishes.values()];
}

const WISHES: ReadonlySet<string> = new Set(['expand', 'redo']);
const DONE = new Set(['expanded', 'leaf', 'failed', 'pruned']);
