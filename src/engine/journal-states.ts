import type { JournalEvent } from '../core/search/events.ts';
import type { NodeData } from '../core/tree/node-file.ts';
import { patchBetween } from '../core/tree/node-patch.ts';
import { joinedPath } from '../core/tree/slug-path.ts';
import { nodeAt, type TreeNode } from '../core/tree/tree.ts';
import { TreeRecord } from '../core/tree/tree-record.ts';

/** The tree according to the journal, and what its nodes were before. */
export class JournalStates {
  readonly record: TreeRecord;
  readonly #files = new Map<TreeNode, NodeData[]>();
  readonly #documents = new Map<TreeNode, Set<string>>();

  constructor(title: string, journal: readonly JournalEvent[]) {
    this.record = new TreeRecord(title);
    const at = (path: string): TreeNode | undefined => nodeAt(this.record.tree, path);
    for (const event of journal) {
      // Its line may be lost that told of the node itself: the record would make up a title.
      if ((event.type === 'node-status' || event.type === 'node-added') && !at(event.node)) continue;
      this.record.apply(event);
      if (event.type === 'node-status') this.#keep(at(event.node));
      else if (event.type === 'node-added')
        for (const { slug } of event.children) this.#keep(at(joinedPath(event.node, slug)));
    }
  }

  /** Tells whether a file of a node is one that it had before. */
  wasOnce(node: TreeNode, file: NodeData): boolean {
    return this.#files.get(node)?.some((before) => !patchBetween(before, file)) ?? false;
  }

  /** Tells whether a document of a node is one that it had before, by its hash. */
  hadDocument(node: TreeNode, hash: string): boolean {
    return this.#documents.get(node)?.has(hash) ?? false;
  }

  #keep(node: TreeNode | undefined): void {
    if (!node) return;
    const files = this.#files.get(node) ?? [];
    if (node.file && files.at(-1) !== node.file) this.#files.set(node, [...files, node.file]);
    const documents = this.#documents.get(node) ?? new Set();
    if (node.document !== undefined) this.#documents.set(node, documents.add(node.document));
  }
}
