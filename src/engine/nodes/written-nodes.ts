import type { NodeData } from '../../core/tree/node-file.ts';
import { type NodePatch, patched, type SplitPatch } from '../../core/tree/node-patch.ts';
import { toldChild } from '../../core/tree/told-child.ts';
import { pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import type { History } from '../history.ts';

export interface ChangeOptions {
  /** Who did it, if not the search itself. */
  readonly by?: string | undefined;
  /** True if the list of children is complete, if the new status does not tell. */
  readonly listed?: boolean | undefined;
  /** The text of its document, written first; null to keep the current one aside. */
  readonly document?: string | null | undefined;
}

/** One child of a node, as it should be. */
export interface Child {
  readonly slug: string;
  readonly title: string;
  /** The other fields of its node.json. For an existing child, those to be changed. */
  readonly fields?: NodePatch | undefined;
  /** Its text, if it has none yet. */
  readonly document?: string | undefined;
}

/** The parts of a node that were written; `document` is the hash of its text, null if it was moved aside. */
export interface Written extends SplitPatch {
  readonly document?: string | null | undefined;
}

interface WrittenNodesParts {
  readonly tree: Tree;
  readonly history: Pick<History, 'note'>;
}

/** Brings what was written to disk into the tree and then into the journal, in one step. */
export class WrittenNodes {
  readonly #parts: WrittenNodesParts;

  constructor(parts: WrittenNodesParts) {
    this.#parts = parts;
  }

  /** Fields of a node were set or removed. */
  changed(node: TreeNode, { set, gone, document }: Written, { by, listed }: ChangeOptions): void {
    const { tree, history } = this.#parts;
    const before = node.file ?? { title: node.title, status: node.status };
    const file = patched(before, { set, gone });
    tree.update(node, {
      file,
      // Without its own summary, a node has that of its document.
      summary: set.summary ?? (gone.includes('summary') ? undefined : node.summary),
      listed: listed ?? isListed(node, set.status),
      document: document === undefined ? node.document : (document ?? undefined),
    });
    const missing = document === null ? [...gone, 'document'] : [...gone];
    history.note({
      type: 'node-status',
      node: pathOf(node),
      status: file.status,
      ...(before.status !== file.status && { was: before.status }),
      ...set,
      ...(missing.length > 0 && { gone: missing }),
      ...(document && { document }),
      ...(by !== undefined && { by }),
    });
  }

  /** @returns the children of a node that were made or completed, in their order */
  added(parent: TreeNode, children: readonly Child[], written: readonly Written[], options: ChangeOptions): TreeNode[] {
    const { tree } = this.#parts;
    const standing = new Map(parent.children.map((child) => [child.slug, child]));
    const before = [...standing.keys()];
    const fresh: TreeNode[] = [];
    const nodes = children.map(({ slug, title }, index) => {
      const { document, ...split } = written[index] as Written;
      const known = standing.get(slug);
      if (known) {
        if (!isEmpty(split) || document !== undefined) this.changed(known, { ...split, document }, options);
        return known;
      }
      const file = patched({ title, status: 'unexpanded' }, split);
      const listed = file.status === 'leaf';
      const node = tree.add(parent, slug, { file, listed, document: document ?? undefined });
      fresh.push(node);
      return node;
    });
    const known = new Set(nodes);
    const order = [...parent.children.filter((child) => !known.has(child)), ...nodes].map(({ slug }) => slug);
    tree.reorder(parent, order);
    const isFirst = !parent.parent && !parent.listed;
    if (isFirst) tree.update(parent, { listed: true });
    if (fresh.length > 0 || isFirst) this.#tellAdded(parent, fresh, options);
    if (order.filter((slug) => standing.has(slug)).some((slug, index) => slug !== before[index]))
      this.#parts.history.note({ type: 'node-order', node: pathOf(parent), order });
    return nodes;
  }

  #tellAdded(parent: TreeNode, nodes: readonly TreeNode[], { by }: ChangeOptions): void {
    const { history } = this.#parts;
    const whose = by === undefined ? {} : { by };
    history.note({ type: 'node-added', node: pathOf(parent), children: nodes.map(toldChild), ...whose });
    // Repeated for readers that count statuses by this event.
    for (const node of nodes)
      if (node.file && node.status !== 'unexpanded')
        history.note({ type: 'node-status', node: pathOf(node), was: 'unexpanded', ...node.file, ...whose });
  }
}

/** Tells whether a patch changes nothing. */
export function isEmpty({ set, gone }: SplitPatch): boolean {
  return gone.length === 0 && Object.keys(set).length === 0;
}

const LISTED = { expanded: true, leaf: true, unexpanded: false, 'in-progress': false, failed: false };

/** Tells whether a node's list of children is complete, judging by its status; a pruned one keeps what it has. */
function isListed(node: TreeNode, status: NodeData['status'] | undefined): boolean {
  return status === undefined || status === 'pruned' ? node.listed : LISTED[status];
}
