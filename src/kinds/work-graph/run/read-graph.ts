import { isPruned, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { NodeId } from '../../../core/tree/tree-node.ts';
import type { Atom, AtomName, OrGroup, WorkGraph } from '../graph/graph.ts';
import {
  type AtomFields,
  type Evidence,
  type GoalFields,
  type GroupFields,
  type OwnFields,
  ownFieldsOf,
  type Try,
  type Word,
} from './own-fields.ts';

/** A node of a work graph, and what it keeps. `own` is undefined for an atom that a person added by hand. */
export interface AtomNode {
  readonly node: TreeNode;
  readonly own: AtomFields | undefined;
}

interface GroupNode {
  readonly node: TreeNode;
  readonly own: GroupFields;
}

export interface GoalNode {
  readonly node: TreeNode;
  readonly own: GoalFields;
}

/** The work graph of a tree, and the nodes behind it. What a person pruned is not in it. */
export interface GraphInTree {
  readonly graph: WorkGraph;
  readonly atoms: ReadonlyMap<AtomName, AtomNode>;
  readonly groups: ReadonlyMap<AtomName, GroupNode>;
  /** The names of the nodes of atoms and groups. */
  readonly names: ReadonlyMap<NodeId, AtomName>;
  /** Undefined before the plan is laid out. */
  readonly goal: GoalNode | undefined;
}

/** The links of atoms to what has to be resolved before, and to the atom whose failure lets them begin. */
export const DEPENDS_ON = 'depends-on';
export const IF_FAILED = 'if-failed';

/** The fields that were read already: a node's own fields are never changed, but replaced. */
const knownFields = new WeakMap<object, OwnFields | { readonly type: 'unknown' }>();

/** Returns what a work graph keeps of a node; the same object as long as the node keeps the same. */
export function ownOf(node: TreeNode): OwnFields | undefined {
  const own = node.file?.own;
  if (!own) return undefined;
  const before = knownFields.get(own);
  const found = before ?? ownFieldsOf(own) ?? { type: 'unknown' };
  if (!before) knownFields.set(own, found);
  return found.type === 'unknown' ? undefined : found;
}

/**
 * The graph that the nodes of a tree make. A node without fields of ours is an atom that a person added. Two nodes of one
 * name happen where somebody copies a folder: the first keeps it.
 */
export function graphFrom(tree: Tree): GraphInTree {
  const nodes = [...walk(tree.root)].filter((node) => node.parent && !isPruned(node));
  const goal = nodes.flatMap((node) => goalIn(node) ?? [])[0];
  const names = namesOf(nodes.filter((node) => ownOf(node)?.type !== 'goal'));
  const atoms = new Map<AtomName, AtomNode>();
  const groups = new Map<AtomName, GroupNode>();
  for (const node of nodes) {
    const name = names.get(node.id);
    const own = ownOf(node);
    if (name === undefined || own?.type === 'goal') continue;
    if (own?.type === 'group') groups.set(name, { node, own });
    else atoms.set(name, { node, own });
  }
  const graph = {
    atoms: new Map([...atoms].map(([name, each]) => [name, atomOf(name, each, names, tree)])),
    groups: new Map([...groups].map(([name, each]) => [name, groupOf(name, each, names)])),
  };
  return { graph, atoms, groups, names, goal };
}

/** Returns every try of an atom so far, oldest first. */
export function triesOf({ own }: AtomNode): readonly Try[] {
  return own?.tries ?? [];
}

function goalIn(node: TreeNode): GoalNode | undefined {
  const own = ownOf(node);
  return own?.type === 'goal' ? { node, own } : undefined;
}

function namesOf(nodes: readonly TreeNode[]): Map<NodeId, AtomName> {
  const taken = new Set<AtomName>();
  return new Map(
    nodes.map((node) => {
      const wanted = nameOf(node);
      let name = wanted;
      for (let n = 2; taken.has(name); n++) name = `${wanted}~${n}`; // no name of a plan has this sign
      taken.add(name);
      return [node.id, name];
    }),
  );
}

function nameOf(node: TreeNode): AtomName {
  const own = ownOf(node);
  return own && own.type !== 'goal' ? own.name : nameOfAdded(node);
}

/** Names a node that a person added without fields of ours. */
export function nameOfAdded({ slug }: TreeNode): AtomName {
  const name = slug.replace(/[^\p{L}\p{N}_.-]/gu, '_').slice(0, 90);
  return /^[\p{L}\p{N}_]/u.test(name) ? name : `_${name}`;
}

function atomOf(name: AtomName, { node, own }: AtomNode, names: ReadonlyMap<NodeId, AtomName>, tree: Tree): Atom {
  const above = node.parent as TreeNode;
  const isAlternative = ownOf(above)?.type === 'group';
  const parent = isAlternative ? above.parent : above;
  const linked = (type: string) =>
    tree.links.from(node).flatMap((link) => (link.type === type ? nameOfTarget(link, names) : []));
  return {
    name,
    state: stateOf({ node, own }),
    group: isAlternative ? names.get(above.id) : undefined,
    parent: parent && names.get(parent.id),
    dependsOn: linked(DEPENDS_ON),
    ifFailed: linked(IF_FAILED)[0],
    touches: own?.touches,
    uses: own?.uses ?? [],
    needsProbe: own?.probe === 'first',
    isProposed: own?.isProposed === true,
    needsPerson: own?.work !== undefined && worstWord(own.evidence) === 'uncheckable',
  };
}

/** Names what an atom waits for: it keeps a name where it is gone or pruned. */
function nameOfTarget(
  { to, id }: { to: TreeNode | undefined; id: string },
  names: ReadonlyMap<NodeId, AtomName>,
): AtomName {
  return to ? (names.get(to.id) ?? nameOf(to)) : id;
}

/**
 * Resolved is a leaf; work that is not joined yet is there although the node is open; failed is failed. What an atom with
 * parts says counts for nothing: its parts do.
 */
function stateOf({ node, own }: AtomNode): Atom['state'] {
  if (node.status === 'failed') return 'failed';
  if (node.status === 'leaf') return 'resolved';
  return own?.work ? 'done' : 'pending';
}

function groupOf(name: AtomName, { node, own }: GroupNode, names: ReadonlyMap<NodeId, AtomName>): OrGroup {
  const children = node.children.flatMap((child) => names.get(child.id) ?? []);
  const { selected, choices = [] } = own;
  const parent = node.parent && names.get(node.parent.id);
  return { name, parent, choices: [...new Set([...choices, ...children])], selected };
}

const WORST_FIRST = ['contradicted', 'uncheckable', 'reported', 'checked', 'verified'] as const;

/**
 * Tells how sure a whole checklist is: the worst word of its items; undefined if nothing is known. Parts of an item
 * (`2.1`) count through the item's own entry, since one of several may be enough.
 */
export function worstWord(evidence: readonly Evidence[] = []): Word | undefined {
  const words = new Set(evidence.flatMap(({ item, word }) => (item.includes('.') ? [] : word)));
  return WORST_FIRST.find((word) => words.has(word));
}
