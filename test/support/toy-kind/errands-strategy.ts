import type { Move, MoveResult, Strategy } from '../../../src/core/kind/strategy.ts';
import { isPruned, type Tree, type TreeNode, walk } from '../../../src/core/tree/tree.ts';
import { AFTER } from './errands-offers.ts';

/**
 * Every errand that waits for no other one is asked for at once, since whoever does them is outside; the first level is
 * proposed first.
 */
export class ErrandsStrategy implements Strategy {
  readonly end = undefined;
  #tree: Tree | undefined;
  readonly #asked = new Set<string>();

  open(tree: Tree): void {
    this.#tree = tree;
  }

  ask(): Move[] {
    const tree = this.#tree;
    if (!tree) return [];
    const first: Move[] = tree.root.listed ? [] : [{ id: 'propose', kind: 'propose', nodes: [tree.root.id] }];
    const ready = [...walk(tree.root)].filter((node) => node.parent && isReady(tree, node));
    const moves = [...first, ...ready.map(({ id }) => ({ id: `do:${id}`, kind: 'do', nodes: [id] }))];
    const fresh = moves.filter(({ id }) => !this.#asked.has(id));
    for (const { id } of fresh) this.#asked.add(id);
    return fresh;
  }

  tell(move: Move, _result: MoveResult): void {
    this.#asked.delete(move.id);
  }

  changed(): void {}

  wish(): void {}

  grow(): void {}
}

/** Returns what has to be done first and is gone, or pruned, holds nobody up. */
function isReady(tree: Tree, node: TreeNode): boolean {
  if (!isOpen(node)) return false;
  return !tree.links.from(node).some(({ type, to }) => type === AFTER && to && isOpen(to));
}

function isOpen(node: TreeNode): boolean {
  return node.status === 'unexpanded' && !isPruned(node);
}
