import { FOUND, type JournalEvent } from '../../core/search/events.ts';
import type { NodeData } from '../../core/tree/node-file.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';

/** A node as a search wrote it last, according to its journal; changes found in the folder are no part of it. */
export interface WrittenNode {
  readonly own: NodeData['own'] | undefined;
  /** The hash of its document. */
  readonly document: string | undefined;
}

const FOUND_BY: ReadonlySet<string | undefined> = new Set(Object.values(FOUND));

/**
 * Returns what a search wrote of its nodes last, by their slug paths.
 * @param journal with paths as they are now
 */
export function writtenBySearch(journal: readonly JournalEvent[]): ReadonlyMap<string, WrittenNode> {
  const written = new Map<string, WrittenNode>();
  const write = (path: string, { own, document }: Partial<WrittenNode>): void => {
    const before = written.get(path);
    written.set(path, { own: own ?? before?.own, document: document ?? before?.document });
  };
  for (const event of journal) {
    if (event.type === 'adopted') written.clear();
    if ('by' in event && FOUND_BY.has(event.by)) continue;
    if (event.type === 'node-status') write(event.node, event as Partial<WrittenNode>);
    if (event.type === 'node-added')
      for (const child of event.children) write(joinedPath(event.node, child.slug), child as Partial<WrittenNode>);
  }
  return written;
}
