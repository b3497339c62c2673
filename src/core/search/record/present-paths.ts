import { movedPath } from '../../tree/slug-path.ts';
import type { JournalEvent } from '../events.ts';

/**
 * Events with the current paths of their nodes: what happened to a node follows it when it is moved. The moves
 * themselves are left out.
 */
export function withPresentPaths(events: readonly JournalEvent[]): readonly JournalEvent[] {
  if (!events.some(({ type }) => type === 'node-moved')) return events;
  const later: { from: string; to: string }[] = [];
  const present: JournalEvent[] = [];
  const now = (told: string): string => later.reduce((path, { from, to }) => movedPath(path, from, to), told);
  for (const event of events.toReversed()) {
    if (event.type === 'node-moved') later.unshift({ from: event.from, to: event.node });
    else if (!('node' in event) || event.node === undefined) present.push(event);
    else present.push({ ...event, node: now(event.node), ...('about' in event && { about: event.about?.map(now) }) });
  }
  return present.reverse();
}
