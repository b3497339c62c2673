import { oneLine } from '../../../../core/text/text.ts';
import { type TreeNode, walk } from '../../../../core/tree/tree.ts';
import { MOST_ATOMS, type PlannedAtom } from '../../plan/plan.ts';
import type { Discovered } from '../../roles/roles.ts';
import type { AtomFields } from '../tree/own-fields.ts';
import { graphFrom, ownOf } from '../tree/read-graph.ts';
import type { WorkSearch } from '../work-search.ts';
import { childrenFor, idOf, laidAtom } from './lay-out.ts';

/** The link from an atom to the one whose worker found out that it is needed. */
const DISCOVERED_FROM = 'discovered-from';
const MOST_DISCOVERED = 10;

/** Adds what a worker found that should be done, too: proposals, for which nothing waits until a person agrees. */
export async function proposeDiscovered(
  search: WorkSearch,
  node: TreeNode,
  discovered: readonly Discovered[],
  signal: AbortSignal,
): Promise<void> {
  if (discovered.length === 0) return;
  const { tree, nodes } = search;
  await nodes.commit(tree.root, signal, async () => {
    const titles = new Set([...walk(tree.root)].map(({ title }) => title));
    for (const { title: given, does } of discovered.slice(0, MOST_DISCOVERED)) {
      const title = oneLine(given, 200);
      if (title === '' || titles.has(title)) continue;
      await addAtom(search, { title, does: does.slice(0, 8000) }, { isProposed: true, from: node });
    }
  });
}

/** Fields of an atom besides those that a plan has. */
export interface Added {
  readonly isProposed?: true;
  readonly from?: TreeNode;
}

/** Adds an atom at the first level, before the goal. Its name is the next that is free, if it has none. */
export async function addAtom(
  { tree, nodes, file }: WorkSearch,
  atom: Partial<PlannedAtom> & { readonly title: string },
  { isProposed, from }: Added = {},
  above: TreeNode = tree.root,
): Promise<TreeNode | undefined> {
  if (tree.size >= MOST_ATOMS) return undefined;
  const id = atom.id ?? nextName({ tree } as WorkSearch);
  const laid = laidAtom({ depends_on: [], uses: [], probe: false, checks: [], ...atom, id }, idsIn(tree));
  const links = [...laid.links, ...(from?.fileId === undefined ? [] : [{ type: DISCOVERED_FROM, to: from.fileId }])];
  const own = { ...laid.own, ...(isProposed && { isProposed }) } as typeof laid.own;
  const last = tree.root.children.filter((child) => ownOf(child)?.type === 'goal');
  const behind = above === tree.root ? last.map(({ slug, title }) => ({ slug, title })) : [];
  const [added] = await nodes.add(
    above,
    [...childrenFor(above, [{ ...laid, own, links }], file.longestName), ...behind],
    above.parent ? 'list-first' : 'list-last',
  );
  return added;
}

/** Gives a node that a person added by hand what makes it an atom. */
export async function adopt(search: WorkSearch, node: TreeNode): Promise<void> {
  if (!node.parent || ownOf(node)) return;
  const own: AtomFields = { type: 'atom', name: nextName(search) };
  await search.nodes.change(node, { own: own as never });
}

/** The ids of the nodes of a tree by their names; an imported one has another than ours. */
function idsIn(tree: WorkSearch['tree']): (name: string) => string {
  const { atoms, groups } = graphFrom(tree);
  return (name) => (atoms.get(name) ?? groups.get(name))?.node.fileId ?? idOf(name);
}

/** A name that no atom and no group has: `N1`, `N2`, … */
function nextName({ tree }: Pick<WorkSearch, 'tree'>): string {
  const taken = namesIn(tree);
  let n = 1;
  while (taken.has(`N${n}`)) n++;
  return `N${n}`;
}

/** The names of all atoms and groups, those of pruned ones with them. */
export function namesIn(tree: WorkSearch['tree']): ReadonlySet<unknown> {
  return new Set([...walk(tree.root)].map((node) => (ownOf(node) as { name?: unknown } | undefined)?.name));
}
