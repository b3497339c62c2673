import { oneLine } from '../../../../core/text/text.ts';
import type { Tree, TreeNode } from '../../../../core/tree/tree.ts';
import { graphFrom } from '../../run/tree/read-graph.ts';
import { worstWord } from '../../run/tree/worst-word.ts';
import { chosenOf } from '../../seen/drawing.ts';

/** An atom as it is drawn. */
export interface DrawnAtom {
  /** Made of a letter and digits, so that it means nothing in any language. */
  readonly id: string;
  /** Its name, its title, and how far it is, in lines. */
  readonly lines: readonly string[];
  readonly state: 'pending' | 'done' | 'resolved' | 'failed';
  /** False for alternatives that are not chosen. */
  readonly isChosen: boolean;
}

/** A group of alternatives as it is drawn. */
export interface DrawnGroup {
  readonly id: string;
  readonly title: string;
  readonly atoms: readonly DrawnAtom[];
}

export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly type: 'depends-on' | 'if-failed' | 'discovered-from' | 'part-of';
}

/** A work graph as other programs draw it. */
export interface DrawnGraph {
  /** Those that are no alternatives. */
  readonly atoms: readonly DrawnAtom[];
  readonly groups: readonly DrawnGroup[];
  /** Ends are ids of atoms or groups; each leads from what comes first. */
  readonly edges: readonly DrawnEdge[];
}

const LONGEST_TITLE = 80;

export function drawnGraph(tree: Tree): DrawnGraph {
  const { graph, atoms, groups, names } = graphFrom(tree);
  const ids = new Map([...names.keys()].map((node, i) => [node, `n${i + 1}`]));
  const idOf = (node: TreeNode) => ids.get(node.id) ?? 'n0';
  const drawn = (name: string, isChosen: boolean): DrawnAtom[] => {
    const atom = atoms.get(name);
    if (!atom) return [];
    const { state = 'pending' } = graph.atoms.get(name) ?? {};
    const word = worstWord(atom.own?.evidence);
    const lines = [name, oneLine(atom.node.title, LONGEST_TITLE), word === undefined ? state : `${state}, ${word}`];
    return [{ id: idOf(atom.node), lines, state, isChosen }];
  };
  const alone = [...graph.atoms.values()].filter(({ group }) => group === undefined);
  // Waiting for one alternative is waiting for the group.
  const source = (node: TreeNode) =>
    idOf(node.parent && groups.has(names.get(node.parent.id) ?? '') ? node.parent : node);
  const edges = [...atoms.values(), ...groups.values()].flatMap(({ node }) => {
    const links = tree.links.from(node).flatMap(({ type, to }) => {
      const isKnown = type === 'depends-on' || type === 'if-failed' || type === 'discovered-from';
      return isKnown && to && ids.has(to.id)
        ? [{ from: type === 'depends-on' ? source(to) : idOf(to), to: idOf(node), type } as const]
        : [];
    });
    const above = node.parent && ids.has(node.parent.id) ? node.parent : undefined;
    const isAlternative = above && groups.has(names.get(above.id) ?? '');
    return above && !isAlternative
      ? [...links, { from: idOf(node), to: idOf(above), type: 'part-of' as const }]
      : links;
  });
  return {
    atoms: alone.flatMap(({ name }) => drawn(name, true)),
    groups: [...groups].map(([name, { node, own }]) => {
      const chosen = chosenOf(node.children.map(({ status, file }) => ({ status, own: file?.own })) as never[], own);
      const selected = (chosen as { own?: { name?: unknown } } | undefined)?.own?.name;
      const below = node.children.flatMap((child) => names.get(child.id) ?? []);
      return {
        id: idOf(node),
        title: oneLine(name, LONGEST_TITLE),
        atoms: below.flatMap((each) => drawn(each, each === selected)),
      };
    }),
    edges: [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()],
  };
}
