import type { NodeFile, NodeStatus } from '../../core/tree/node-file.ts';
import type { FollowedSearch } from '../library/followed-search.ts';

/** A search in the sidebar. */
export interface SearchElement {
  readonly kind: 'search';
  readonly search: FollowedSearch;
  readonly folder: string;
  readonly path: '';
  /** True if it is expanded until the person says otherwise. */
  readonly isOpen: boolean;
}

/** A node in the sidebar; `file` is its node.json as last read. */
export interface NodeElement {
  readonly kind: 'node';
  readonly search: FollowedSearch;
  readonly folder: string;
  readonly path: string;
  readonly parent: NodeElement | SearchElement;
  file: NodeFile;
  hasDocument: boolean;
  children: number;
  /** The data that its first children keep for their kind, where it keeps something of them. */
  below?: readonly unknown[] | undefined;
  /** The title of the equal node into which it was merged. */
  same?: string | undefined;
  /** True if it is the best of its siblings, and so is everything above it. */
  isBest: boolean;
}

/** Nodes of a search that belong together, for kinds that divide them. */
export interface GroupElement {
  readonly kind: 'group';
  readonly parent: SearchElement;
  readonly folder: string;
  readonly path: '';
  readonly name: string;
  readonly nodes: readonly NodeElement[];
}

/** Searches that are listed together. */
export interface SearchesElement {
  readonly kind: 'searches';
  readonly folder: '';
  readonly path: '';
  readonly name: string;
  readonly searches: readonly SearchElement[];
}

/** The last row of a long list: shows the next siblings. */
export interface MoreElement {
  readonly kind: 'more';
  readonly parent: NodeElement | SearchElement | GroupElement;
  readonly folder: string;
  readonly path: string;
  readonly shown: number;
  readonly total: number;
}

export type TreeElement = SearchesElement | SearchElement | NodeElement | GroupElement | MoreElement;

/** Returns an id for an element that stays the same as long as it represents the same thing. */
export function elementId(element: Named): string {
  const { kind, folder, path } = element;
  if (kind === 'searches') return `searches ${element.name}`;
  if (kind === 'group') return `${folder}\n\ngroup ${element.name}`;
  if (kind === 'more' && element.parent.kind === 'group') return `${elementId(element.parent)}\nmore`;
  return `${folder}\n${path}${kind === 'more' ? '\nmore' : ''}`;
}

type Named =
  | Pick<SearchesElement, 'kind' | 'folder' | 'path' | 'name'>
  | Pick<SearchElement | NodeElement, 'kind' | 'folder' | 'path'>
  | Pick<GroupElement, 'kind' | 'folder' | 'path' | 'name'>
  | Pick<MoreElement, 'kind' | 'folder' | 'path' | 'parent'>;

/** Returns a node's status as a person sees it: nothing is in progress while nobody works on the search. */
export function statusOf({ file, search }: NodeElement): NodeStatus {
  return file.status === 'in-progress' && !search.isActive ? 'unexpanded' : file.status;
}

/** Tells whether a node above this one is pruned. */
export function isCutOff({ parent }: NodeElement): boolean {
  return parent.kind === 'node' && (parent.file.status === 'pruned' || isCutOff(parent));
}
