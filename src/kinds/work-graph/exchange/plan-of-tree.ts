import type { SearchFile } from '../../../core/search/search-file.ts';
import type { NodeData } from '../../../core/tree/node-file.ts';
import { Tree, type TreeNode } from '../../../core/tree/tree.ts';
import { PlanFile } from '../plan/plan.ts';
import { idOf, laidOut } from '../run/moves/lay-out.ts';
import { graphFrom } from '../run/tree/read-graph.ts';

/** The nodes that a plan will have once it is laid out. */
export function treeOfPlan(plan: PlanFile): Tree {
  const tree = new Tree('');
  const below = Map.groupBy(laidOut(plan), ({ parent }) => parent);
  const add = (above: TreeNode, name: string | undefined): void => {
    for (const { name: own, title, links, ...laid } of below.get(name) ?? []) {
      const status = below.has(own) ? 'expanded' : 'unexpanded';
      const file = { title, status, id: idOf(own), links: [...links], own: laid.own } as unknown as NodeData;
      add(tree.add(above, own, { file }), own);
    }
  };
  add(tree.root, undefined);
  return tree;
}

/** Makes a plan of what is known where plan.yaml is missing: the question, and the nodes. */
export function planOfTree({ prompt }: Pick<SearchFile, 'prompt'>, tree: Tree): PlanFile {
  const goal = prompt.slice(0, 20_000);
  const line = goal.replace(/\s+/g, ' ').slice(0, 1000).trim() || '?';
  const atoms = [...graphFrom(tree).atoms].map(([id, { node }]) => ({ id, title: node.title }));
  const known = atoms.filter((atom) => PlanFile.shape.atoms.safeParse([atom]).success);
  return PlanFile.parse({
    goal,
    base_case: [{ item: line, check: { assertion: line } }],
    atoms: known.length > 0 ? known : [{ id: 'A1', title: line }],
  });
}
