import type { NodeStatus } from '../tree/node-status.ts';

// Hosts need these to show the searches of a kind as more than a tree: pure functions over what files say,
// which is unchecked.

/** The look of links of one type. */
export interface LinkFace {
  readonly line: 'solid' | 'dashed' | 'dotted';
  /** The relation from the node with the link, and from the other one, in English: "waits for", "needed by". */
  readonly text: string;
  readonly incoming: string;
  /** The node has to come in a later layer than the other one; others do where nothing is against it. */
  readonly isOrder?: true;
}

/**
 * The place of a node among its siblings: the alternative that was chosen, one that was not, or the end, which comes
 * after everything else.
 */
export type NodeRole = 'choice' | 'alternative' | 'end';

/** A node as far as its role depends on it. */
export interface RoleView {
  readonly status: NodeStatus;
  readonly own: unknown;
}

/** A drawing in layers, by the links between nodes, with a node's parts in a box. */
export interface KindDrawing {
  /** The links that are drawn, by their type. */
  readonly links: Readonly<Record<string, LinkFace>>;
  /**
   * @param above what its parent keeps
   * @param siblings in their order, itself among them at its place
   */
  readonly roleOf: (
    own: unknown,
    above: unknown,
    place: { readonly index: number; readonly siblings: () => readonly RoleView[] },
  ) => NodeRole | undefined;
}

/** A node in its surroundings. */
export interface GroupedNode extends RoleView {
  readonly path: string;
  /** Links to nodes that exist. */
  readonly links: readonly { readonly type: string; readonly path: string }[];
}

/** The groups into which a list of nodes is divided. */
export interface KindGroups {
  /** In their order; the title in English, the icon one of the editor's. */
  readonly all: readonly { readonly name: string; readonly title: string; readonly icon: string }[];
  /**
   * The group of each node that is listed, by its path.
   * @param nodes all of a search, parents before their children
   */
  readonly of: (nodes: readonly GroupedNode[]) => ReadonlyMap<string, string>;
}

/** A shape and a colour by name; each host draws them in its own way. */
export interface Look {
  readonly glyph: 'open' | 'busy' | 'done' | 'end' | 'cut' | 'failed' | 'merged' | 'aside';
  readonly tone: 'plain' | 'busy' | 'good' | 'dim' | 'bad';
}

/** One cell of a table about a node. */
export interface DetailCell {
  readonly text: string;
  /** The text is one of `KindDetails.texts`, which hosts may translate. */
  readonly isOurs?: true;
  readonly tone?: Look['tone'];
  /** It is a hash, a command or a path. */
  readonly isCode?: true;
}

/** A table about a node; a row's first cell names it. */
export interface DetailTable {
  /** In English, like the columns; without columns, a list. */
  readonly title: string;
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly DetailCell[])[];
}

/** The details of one node, as its kind shows them. */
export interface KindDetails {
  /** The texts that hosts may translate. */
  readonly texts: readonly string[];
  readonly of: (own: unknown) => readonly DetailTable[];
}
