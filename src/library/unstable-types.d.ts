// The types of what may change with any version: kinds of searches, and strategies.
import type { SearchRequest, SearchResult } from './library-types.d.ts';

/** Of a node, as long as the search is open. */
export type NodeId = number & { readonly brand?: 'node' };

/** One piece of work that a strategy asks for. */
export interface Move {
  readonly id: string;
  readonly kind: string;
  readonly nodes: readonly NodeId[];
}

/** Decides what a search works on next. */
export interface Strategy {
  open(tree: object, ranking?: readonly NodeId[]): void;
  ask(room: number): Move[];
  tell(move: Move, result: object): void;
  changed(nodes: Iterable<NodeId>): void;
  wish(node: NodeId): void;
  grow(size: 'small' | 'medium' | 'large' | 'all'): void;
  readonly end: 'size' | 'complete' | 'solved' | undefined;
}

/** A kind of search: what hosts show of it, and its code. ARCHITECTURE.md has the contracts of both. */
export interface KindEntry {
  readonly descriptor: { readonly name: string; readonly [field: string]: unknown };
  load(): Promise<object>;
}

/** The kinds that come with the package. */
export const kinds: readonly KindEntry[];

/** Returns a kind as it is, whose searches follow another strategy. */
export function withStrategy(kind: KindEntry, strategy: (own: Strategy) => Strategy): KindEntry;

/** Like `search` of the package itself, with kinds of your own: one with a name that is there already takes its place. */
export function search(request: SearchRequest & { readonly kinds?: readonly KindEntry[] }): Promise<SearchResult>;
