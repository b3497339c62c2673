import type { MoveResult } from '../../../../core/kind/strategy.ts';
import { ThoughtTreeError } from '../../../../core/search/errors.ts';
import { digest } from '../../../../core/text/digest.ts';
import { oneLine } from '../../../../core/text/text.ts';
import type { Link } from '../../../../core/tree/node-file.ts';
import { childSlug, slugify } from '../../../../core/tree/slug.ts';
import { pathOf, type TreeNode } from '../../../../core/tree/tree.ts';
import type { Child } from '../../../../engine/nodes/written-nodes.ts';
import { checksOf } from '../../plan/implied-checks.ts';
import type { PlanFile, PlannedAtom } from '../../plan/plan.ts';
import { ensurePlan } from '../ensure-plan.ts';
import * as say from '../messages.ts';
import { planIn, planOf } from '../plan-of.ts';
import type { AtomFields, GoalFields, GroupFields, OwnFields } from '../tree/own-fields.ts';
import { partsDocument } from '../tree/parts-document.ts';
import { DEPENDS_ON, IF_FAILED, ownOf } from '../tree/read-graph.ts';
import { DONE, fitting, type WorkSearch } from '../work-search.ts';

/** The node that one of the plan becomes. */
interface Laid {
  readonly name: string;
  readonly title: string;
  /** The name of what it is below; undefined at the first level. */
  readonly parent: string | undefined;
  readonly own: OwnFields;
  readonly links: readonly Link[];
}

/** The longest text of an atom that node.json keeps; the longest of all its fields. */
const LONGEST_DOES = 8000;
const LONGEST_FIELDS = 12_500;

/**
 * Makes the nodes of a plan: groups with their alternatives, atoms with their parts, the goal last. After a kill, what is
 * missing is added: the ids of nodes follow from their names.
 */
export async function layOut(search: WorkSearch, signal: AbortSignal): Promise<MoveResult> {
  const { tree, nodes } = search;
  await ensurePlan(search, signal);
  await search.ready(signal);
  const plan = await planOf(search.store);
  await nodes.commit(tree.root, signal, () => addAll(search, plan));
  return DONE;
}

/** Adds what a kill left out: the goal is the last node, so that without it some are missing. */
export async function completeLayOut(search: WorkSearch): Promise<void> {
  const { root } = search.tree;
  const isBegun = root.children.some((node) => ownOf(node)?.type === 'atom' || ownOf(node)?.type === 'group');
  if (!isBegun || root.children.some((node) => ownOf(node)?.type === 'goal')) return;
  const plan = await planIn(search.store);
  if (plan) await addAll(search, plan);
}

async function addAll(search: WorkSearch, plan: PlanFile): Promise<void> {
  const { tree } = search;
  if (tree.root.children.some((node) => ownOf(node)?.type === 'goal')) return;
  await addBelow(
    search,
    tree.root,
    undefined,
    Map.groupBy(laidOut(plan), ({ parent }) => parent),
  );
  await addGoal(search, plan);
}

/** The id of the node of an atom or a group. */
export function idOf(name: string): string {
  const readable = slugify(name, 40).replace(/[^\w-]/g, '');
  return `${readable || 'n'}-${digest(name)}`;
}

/** The nodes of a plan in its order; a group comes where its first alternative does. */
export function laidOut(plan: PlanFile): Laid[] {
  const groups = new Map(plan.groups.map((group) => [group.name, group]));
  const done = new Set<string>();
  const laid: Laid[] = [];
  const addGroup = (name: string): void => {
    if (done.has(name)) return;
    done.add(name);
    const { title = name, part_of: parent, choices, selected } = groups.get(name) ?? { name };
    const own: GroupFields = {
      type: 'group',
      name,
      ...(choices && { choices }),
      ...(selected !== undefined && { selected }),
    };
    laid.push({ name, title, parent, own, links: [] });
  };
  for (const atom of plan.atoms) {
    if (atom.group !== undefined) addGroup(atom.group);
    laid.push(laidAtom(atom));
  }
  for (const name of groups.keys()) addGroup(name);
  return laid;
}

/** An atom of a plan as a node. @param idFor the id of the node of another one */
export function laidAtom(atom: PlannedAtom, idFor: (name: string) => string = idOf): Laid {
  const { id: name, title, group, part_of: parent, depends_on: after, if_failed: failed } = atom;
  const links = [
    ...after.map((other) => ({ type: DEPENDS_ON, to: idFor(other) })),
    ...(failed === undefined ? [] : [{ type: IF_FAILED, to: idFor(failed) }]),
  ];
  return { name, title: oneLine(title, 200) || name, parent: group ?? parent, own: fieldsOf(atom), links };
}

function fieldsOf(atom: PlannedAtom): AtomFields {
  const { id: name, does, touches, uses, run, probe, by } = atom;
  const checks = [...checksOf(atom)];
  const fields: AtomFields = {
    type: 'atom',
    name,
    ...(checks.length > 0 && { checks }),
    ...(touches && { touches }),
    ...(uses.length > 0 && { uses }),
    ...(run !== undefined && { run }),
    ...(probe && { probe: 'first' as const }),
    ...(by && { by }),
  };
  const room = LONGEST_FIELDS - JSON.stringify(fields).length;
  if (room < 0) throw new ThoughtTreeError('bad-input', say.tooLongAtom({ name }));
  if (does === undefined) return fields;
  let kept = does.slice(0, Math.min(room, LONGEST_DOES)).toWellFormed();
  while (JSON.stringify(kept).length > room) kept = kept.slice(0, Math.floor(kept.length / 2)).toWellFormed();
  return { ...fields, does: kept };
}

/** Adds the nodes below one, then those below them; what is there keeps its place. */
async function addBelow(
  search: WorkSearch,
  above: TreeNode,
  name: string | undefined,
  laid: ReadonlyMap<string | undefined, readonly Laid[]>,
): Promise<void> {
  const { nodes, store } = search;
  const below = laid.get(name) ?? [];
  if (below.length === 0 && name !== undefined) return;
  const added = await nodes.add(above, childrenFor(above, below, search.file.longestName), 'list-last');
  for (const [i, each] of below.entries()) await addBelow(search, added[i] as TreeNode, each.name, laid);
  // The state in memory already follows from the list of its children.
  if (above.parent && (await store.readNodeFile(pathOf(above)))?.status !== 'expanded')
    await nodes.change(above, { status: 'expanded' }, partsDocument(search, above));
}

/** The nodes as they are written. One that is there is found by its name; one that a kill left without any, by its folder. */
export function childrenFor(above: TreeNode, laid: readonly Laid[], longestName?: number): Child[] {
  const taken = new Set(above.children.map(({ slug }) => slug));
  return laid.map(({ name, title, own, links }) => {
    const existing = above.children.find((child) => nameIn(child) === name);
    if (existing) return { slug: existing.slug, title: existing.title };
    const wanted = childSlug(`${name} ${title}`, pathOf(above), new Set(), longestName);
    const isLeft = above.children.some((child) => child.slug === wanted && child.title === title && !ownOf(child));
    const slug = isLeft ? wanted : childSlug(`${name} ${title}`, pathOf(above), taken, longestName);
    taken.add(slug);
    const fields = { id: idOf(name), own: fitting(own) as never, ...(links.length > 0 && { links: [...links] }) };
    return { slug, title, fields };
  });
}

function nameIn(node: TreeNode): string | undefined {
  const own = ownOf(node);
  return own === undefined || own.type === 'goal' ? undefined : own.name;
}

async function addGoal({ tree, nodes }: WorkSearch, { goal }: PlanFile): Promise<void> {
  const own: GoalFields = { type: 'goal' };
  const slug = childSlug('goal', '', new Set(tree.root.children.map((child) => child.slug)));
  const title = oneLine(goal, 200) || 'Goal';
  await nodes.add(tree.root, [{ slug, title, fields: { id: 'goal', own: own as never } }], 'list-last');
}
