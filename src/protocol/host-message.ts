import type {
  GraphAction,
  GraphDetails,
  GraphNode,
  GraphSearch,
  GraphTimedCall,
  GraphTranscript,
} from './graph-node.ts';
import type { GraphTimeline } from './graph-timeline.ts';
import type { Where } from './view-message.ts';

/** Everything at once; replaces what was shown before. */
export interface SnapshotMessage {
  readonly type: 'snapshot';
  /** The number of the last change that is in it. */
  readonly seq: number;
  /** Identifies the search, for state that is kept over a reload. */
  readonly folder: string;
  readonly search: GraphSearch;
  /** Parents before their children. */
  readonly nodes: readonly GraphNode[];
}

/** The changes since the previous message. */
export interface ChangeMessage {
  readonly type: 'change';
  readonly seq: number;
  /** Only the fields that changed. */
  readonly search: Partial<GraphSearch>;
  /** Whole nodes, parents before their children. */
  readonly upserts: readonly GraphNode[];
  /** The tops of removed branches. */
  readonly removals: readonly string[];
}

/** The calls that a page is told of, and shows: the latest. */
export const MOST_CALLS = 20_000;

/** A message from the extension to the panel. */
export type HostMessage =
  | SnapshotMessage
  | ChangeMessage
  /** The actions on the selected node. */
  | { readonly type: 'actions'; readonly path: string; readonly actions: readonly GraphAction[] }
  | { readonly type: 'details'; readonly details: GraphDetails }
  | { readonly type: 'exchange'; readonly exchange: GraphTranscript }
  | { readonly type: 'reveal'; readonly path: string }
  /** Everything that happened so far, for as long as the page asks for it. */
  | { readonly type: 'timeline'; readonly timeline: GraphTimeline }
  /** Calls that began or changed; those that the page knows already are forgotten if these begin anew. */
  | { readonly type: 'calls'; readonly isAnew: boolean; readonly calls: readonly GraphTimedCall[] }
  /** The moment that was asked for is shown, or cannot be. */
  | { readonly type: 'sought'; readonly to: Where | null }
  /** Make a picture of pixels out of an SVG file; `painted` answers, with the same number. */
  | { readonly type: 'paint'; readonly number: number; readonly svg: string }
  | { readonly type: 'lost'; readonly message: string };

/**
 * Checks a message; undefined if it is invalid. It comes from our own extension: only the form is checked, as far as the
 * drawing would fail without it.
 */
export function readHostMessage(value: unknown): HostMessage | undefined {
  if (!isRecord(value)) return undefined;
  switch (value['type']) {
    case 'snapshot':
      return isCount(value['seq']) && isText(value['folder']) && isRecord(value['search']) && areNodes(value['nodes'])
        ? (value as unknown as SnapshotMessage)
        : undefined;
    case 'change':
      return isCount(value['seq']) &&
        isRecord(value['search']) &&
        areNodes(value['upserts']) &&
        areTexts(value['removals'])
        ? (value as unknown as ChangeMessage)
        : undefined;
    case 'details':
      return isRecord(value['details']) && isText(value['details']['path']) && Array.isArray(value['details']['calls'])
        ? (value as unknown as HostMessage)
        : undefined;
    case 'actions':
      return isText(value['path']) && areActions(value['actions']) ? (value as unknown as HostMessage) : undefined;
    case 'exchange':
      return isRecord(value['exchange']) && isText(value['exchange']['path']) && isCount(value['exchange']['call'])
        ? (value as unknown as HostMessage)
        : undefined;
    case 'reveal':
      return isText(value['path']) ? (value as unknown as HostMessage) : undefined;
    case 'timeline':
      return isTimeline(value['timeline']) ? (value as unknown as HostMessage) : undefined;
    case 'calls':
      return Array.isArray(value['calls']) && value['calls'].every(isTimedCall)
        ? (value as unknown as HostMessage)
        : undefined;
    case 'sought':
      return value['to'] === null || isRecord(value['to']) ? (value as unknown as HostMessage) : undefined;
    case 'paint':
      return isCount(value['number']) && isText(value['svg']) ? (value as unknown as HostMessage) : undefined;
    case 'lost':
      return isText(value['message']) ? (value as unknown as HostMessage) : undefined;
    default:
      return undefined;
  }
}

function areNodes(value: unknown): boolean {
  return Array.isArray(value) && value.every(isNode);
}

function isNode(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { path, title, status, index, score, sameAs, links = [] } = value;
  return (
    isText(path) &&
    isText(title) &&
    isText(status) &&
    isCount(index) &&
    (score === undefined || Number.isFinite(score)) &&
    (sameAs === undefined || isText(sameAs)) &&
    Array.isArray(links) &&
    links.every((each) => isRecord(each) && isText(each['type']) && isText(each['path']))
  );
}

function isTimedCall(value: unknown): boolean {
  return isRecord(value) && isCount(value['id']) && isText(value['node']) && isText(value['time']);
}

function isTimeline(value: unknown): boolean {
  if (!isRecord(value) || !isInstant(value['first']) || !isInstant(value['last'])) return false;
  const { marks, pauses, counts } = value;
  return Array.isArray(marks) && marks.every(isInstant) && Array.isArray(pauses) && isRecord(counts);
}

function isInstant(value: unknown): boolean {
  return isRecord(value) && isCount(value['seq']) && isCount(value['at']) && Number.isFinite(value['time']);
}

function areActions(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => isRecord(each) && isText(each['name']) && isText(each['title']));
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
