import { type CitationMark, linesText, placeText } from '../../core/citations/citation.ts';
import { citationLink, recordsIn } from '../../core/citations/citation-marks.ts';
import type { ReadStore } from '../../core/ports/store.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { withPresentPaths } from '../../core/search/record/nodes-seen.ts';
import type { NodeFile } from '../../core/tree/node-file.ts';
import { nodeAt, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import {
  type CallStory,
  type FoundTranscript,
  type NodeStory,
  nodeStory,
  transcriptOf,
} from '../../engine-parts/transcripts/transcript.ts';
import { folderInWorkspace, type Place } from '../place.ts';

/** Links that are told of one node, at most. */
const MOST_LINKS = 300;

/** Everything about one node, or about the search as a whole, that a tree has no use for. */
export interface NodeDetails {
  /** Slug path, empty for the search as a whole. */
  readonly path: string;
  /** node.json; undefined for the search as a whole, and if it is gone. */
  readonly file: NodeFile | undefined;
  /** document.md, including its front matter. */
  readonly document: string | undefined;
  /** A person's note for it. */
  readonly note: string | undefined;
  /** The first quotations of the document: those that are not where it says, then the others. */
  readonly quotations: readonly CheckedQuotation[];
  /** Its links to other nodes, then those of others to it, the first ones. */
  readonly links: readonly NodeLink[];
  readonly story: NodeStory;
}

/** A link between a node and another one. */
export interface NodeLink {
  readonly type: string;
  /** It is the other one's link to this node. */
  readonly isIncoming: boolean;
  /** The other node; undefined where it is gone. */
  readonly other: { readonly path: string; readonly title: string } | undefined;
  /** The id in the link. */
  readonly id: string;
}

/** The sources that details are read from. */
export interface DetailsSource {
  readonly place: Place;
  readonly store: ReadStore;
  readonly tree: Tree;
  /** The events that tell of the node. */
  readonly events: readonly JournalEvent[];
  /** A living process works on the search. */
  readonly isHeld: boolean;
}

export async function detailsOf(source: DetailsSource, path: string): Promise<NodeDetails> {
  const { place, store, tree, events, isHeld } = source;
  const story = nodeStory(events, path, isHeld);
  if (path === '') {
    const note = trimmed(await store.readNotes());
    return { path, file: undefined, document: undefined, note, quotations: [], links: [], story };
  }
  const [document, file] = await Promise.all([store.readDocument(path), store.readNodeFile(path)]);
  const quotations = document === undefined ? [] : checkedQuotations(file?.quotations, place, path);
  return { path, file, document, note: trimmed(file?.note), quotations, links: linksOf(tree, path), story };
}

function linksOf(tree: Tree, path: string): NodeLink[] {
  const node = nodeAt(tree, path);
  if (!node) return [];
  const found = (node: TreeNode | undefined): NodeLink['other'] => node && { path: pathOf(node), title: node.title };
  const own = tree.links.from(node).map(({ type, to, id }) => ({ type, id, isIncoming: false, other: found(to) }));
  const others = tree.links.to(node).map(({ type, from, id }) => ({ type, id, isIncoming: true, other: found(from) }));
  return [...own, ...others].slice(0, MOST_LINKS);
}

function trimmed(text: string | undefined): string | undefined {
  return text?.trim() || undefined;
}

const MOST = 200;

/** A quotation in a document, and whether it is where the document says. */
interface CheckedQuotation {
  /** As the document names it: `src/queue.ts:12-15`. */
  readonly place: string;
  readonly mark: CitationMark;
  /** The lines where it is now, if it moved. */
  readonly now?: string;
  /** A link from the document to the lines; undefined if there is no relative path. */
  readonly href?: string;
}

/**
 * Returns the quotations of a document with the marks in its node.json, those that are not in place first; each with a link
 * from the document to the lines: where a moved one is now, else the lines that the document names.
 * @param entries what node.json says of its citations
 * @param path slug path of the document's node
 */
export function checkedQuotations(
  entries: readonly string[] | undefined,
  place: Place,
  path: string,
): CheckedQuotation[] {
  const at = [...folderInWorkspace(place).split('/'), path].join('/');
  const all = recordsIn(entries).map(({ mark, now, ...lines }) => {
    const href = citationLink(at, { ...lines, ...now });
    return {
      place: placeText(lines),
      mark,
      ...(now ? { now: linesText(now) } : {}),
      ...(href === undefined ? {} : { href }),
    };
  });
  const isInPlace = ({ mark }: CheckedQuotation): boolean => mark === 'verified';
  return [...all.filter((each) => !isInPlace(each)), ...all.filter(isInPlace)].slice(0, MOST);
}

/** The sources that the words of a call are read from. */
export interface TranscriptSource {
  readonly store: ReadStore;
  /** The events about the node. */
  readonly events: readonly JournalEvent[];
  /** A living process works on the search. */
  readonly isHeld: boolean;
}

/** A call, and its words if they are known. */
export interface CallTranscript {
  readonly call: CallStory;
  readonly found: FoundTranscript;
}

/**
 * The transcript of one call made for a node.
 * @param number the call's, from 1
 * @returns undefined if there is no such call
 */
export async function transcriptAt(
  source: TranscriptSource,
  path: string,
  number: number,
): Promise<CallTranscript | undefined> {
  const { store, isHeld } = source;
  const events = withPresentPaths(source.events);
  const story = nodeStory(events, path, isHeld);
  const call = story.calls[number - 1];
  if (!call) return undefined;
  return { call, found: await transcriptOf({ store, journal: events, story }, call) };
}
