import type { SearchFile } from '../../../core/search/search-file.ts';
import type { Tree } from '../../../core/tree/tree.ts';
import { PlanFile } from '../plan/plan.ts';
import { graphFrom } from '../run/read-graph.ts';

/** What is known of the plan of a search whose plan.yaml is missing: its question, and its nodes. */
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
