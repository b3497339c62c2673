import type { Move, MoveResult, Strategy } from '../../../src/core/search/strategy.ts';
import { isPruned, type NodeId, type Tree, walk } from '../../../src/core/tree/tree.ts';

/** Every open errand is asked for at once, since whoever does them is outside; the first level is proposed first. */
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
    const moves: Move[] = tree.root.listed ? [] : [{ id: 'propose', kind: 'propose', nodes: [tree.root.id] }];
    for (const { id, status, parent } of walk(tree.root))
      if (parent && status === 'unexpanded') moves.push({ id: `do:${id}`, kind: 'do', nodes: [id] });
    const fresh = moves.filter((move) => !this.#asked.has(move.id) && !move.nodes.some((id) => this.#isCutOff(id)));
    for (const { id } of fresh) this.#asked.add(id);
    return fresh;
  }

  tell(move: Move, _result: MoveResult): void {
    this.#asked.delete(move.id);
  }

  changed(): void {}

  wish(): void {}

  grow(): void {}

  #isCutOff(id: NodeId): boolean {
    const node = this.#tree?.get(id);
    return node !== undefined && isPruned(node);
  }
}
