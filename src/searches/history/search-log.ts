import { type Message, messageOf } from '../../core/messages/message.ts';
import { FOUND, type JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import { TreeRecord } from '../../core/tree/tree-record.ts';
import * as say from './messages.ts';

/** One thing that happened to a search. */
export interface LogEntry {
  /** The number of its event, with which `DIR@NUMBER` is the search right after it. */
  readonly seq: number;
  /** ISO 8601, in UTC. */
  readonly time: string;
  /** Who did it, if not the search itself. */
  readonly by: string | undefined;
  /** A person did it. */
  readonly isPersons: boolean;
  /** The slug path of the node that it happened to. */
  readonly node: string | undefined;
  readonly say: Message;
}

/** Who asks by the words of this program's own hosts is a person; others are agents, by the names of their programs. */
const PERSONS: ReadonlySet<string> = new Set(['terminal', 'vscode', 'chat', FOUND.byHand, FOUND.onOpening]);

/**
 * Returns what the search and people did, a line each, in the order of the journal; what only the search needs to know
 * is left out.
 */
export function logOf(title: string, journal: Iterable<JournalEvent>): LogEntry[] {
  const told = new TreeRecord(title);
  const files = new Set<string>();
  const entries: LogEntry[] = [];
  for (const event of journal) {
    const titleOf = (path: string): string => oneLine(nodeAt(told.tree, path)?.title ?? path, 200);
    const before = 'node' in event && event.node !== undefined ? titleOf(event.node) : '';
    told.apply(event);
    // What was there when a search was first opened, nobody changed.
    const isFirst = event.type === 'text-written' && !files.has(event.file);
    if (event.type === 'text-written') files.add(event.file);
    if (isFirst && event.by === FOUND.onOpening) continue;
    const words = wordsFor(event, titleOf, before);
    if (!words) continue;
    const by = 'by' in event ? event.by : undefined;
    const node = 'node' in event ? event.node : undefined;
    entries.push({
      seq: event.seq,
      time: event.time,
      by,
      isPersons: by !== undefined && PERSONS.has(by),
      node,
      say: words,
    });
  }
  return entries;
}

function wordsFor(event: JournalEvent, titleOf: (path: string) => string, before: string): Message | undefined {
  switch (event.type) {
    case 'search-started':
      return say.started({ model: event.model });
    case 'search-resumed':
      return say.resumed({ model: event.model });
    case 'search-paused':
      return messageOf(event.message, event.say);
    case 'search-finished':
      return event.message === undefined ? say.finished() : messageOf(event.message, event.say);
    case 'steered':
      return messageOf(event.message, event.say);
    case 'forked':
      return say.forkedHere(event.from);
    case 'adopted':
      return say.adopted();
    case 'picked':
      return say.ranked({ count: event.ranking.length });
    case 'node-added':
      return event.children.length === 0
        ? undefined
        : say.added({ count: event.children.length, title: titleOf(event.node) });
    case 'node-removed':
      return say.removed({ title: before });
    case 'node-moved':
      return say.moved({ title: titleOf(event.node), from: event.from, to: event.node });
    case 'node-order':
      return say.reordered({ title: titleOf(event.node) });
    case 'node-status':
      return statusWords(event, titleOf(event.node));
    case 'text-written':
      if (event.by === undefined && event.file !== 'report.md') return undefined;
      return (event.text === undefined ? say.fileGone : event.by === undefined ? say.fileWritten : say.fileChanged)({
        file: event.file,
      });
    default:
      return undefined;
  }
}

function statusWords(event: Extract<JournalEvent, { type: 'node-status' }>, title: string): Message | undefined {
  const { status, was, by } = event;
  const isHand = by === FOUND.byHand || by === FOUND.onOpening;
  if (isHand && event.document !== undefined) return say.documentEdited({ title });
  if (isHand && event.gone?.includes('document')) return say.documentRemoved({ title });
  if (isHand && was === undefined) return say.edited({ title });
  if (was === undefined) return undefined;
  if (status === 'expanded' || status === 'leaf')
    return was === 'pruned' ? say.restored({ title }) : say.done({ title });
  if (status === 'failed')
    return say.failed({ title, why: event.failure ? messageOf(event.failure.message, event.failure.say) : '' });
  if (status === 'pruned') return say.pruned({ title });
  return status === 'unexpanded' && was !== 'in-progress' ? say.opened({ title }) : undefined;
}
