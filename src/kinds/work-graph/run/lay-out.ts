import type { MoveResult } from '../../../core/kind/strategy.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../core/search/errors.ts';
import { digest, oneLine } from '../../../core/text/text.ts';
import type { Link } from '../../../core/tree/node-file.ts';
import { childSlug, slugify } from '../../../core/tree/slug.ts';
import { pathOf, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { consequenceOf } from '../../../engine/loop.ts';
import type { Child } from '../../../engine/nodes.ts';
import * as say from '../messages.ts';
import { checksOf, MOST_ATOMS, type PlanFile, type PlannedAtom } from '../plan/plan.ts';
import type { Discovered, Part } from '../roles/roles.ts';
import { changeAtom, failAtom, taskOf } from './atom-changes.ts';
import { partsDocument } from './documents.ts';
import { type AtomFields, begun, ended, type GoalFields, type GroupFields, type OwnFields } from './own-fields.ts';
import { DEPENDS_ON, graphFrom, IF_FAILED, ownOf } from './read-graph.ts';
import {
  atomFieldsOf,
  DONE,
  DROPPED,
  ensurePlan,
  fitting,
  isOpen,
  lookedAt,
  planIn,
  planOf,
  type WorkSearch,
} from './work-search.ts';

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

/** Returns the id of the node of an atom or a group. */
export function idOf(name: string): string {
  const readable = slugify(name, 40).replace(/[^\w-]/g, '');
  return `${readable || 'n'}-${digest(name)}`;
}

/** Returns the nodes of a plan in its order; a group comes where its first alternative does. */
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

/** Returns an atom of a plan as a node. @param idFor the id of the node of another one */
function laidAtom(atom: PlannedAtom, idFor: (name: string) => string = idOf): Laid {
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

/**
 * Returns the nodes as they are written. One that is there is found by its name; one that a kill left without any, by
 * its folder.
 */
function childrenFor(above: TreeNode, laid: readonly Laid[], longestName?: number): Child[] {
  const taken = new Set(above.children.map(({ slug }) => slug));
  return laid.map(({ name, title, own, links }) => {
    const existing = above.children.find((child) => nameIn(child) === name);
    if (existing) return { slug: existing.slug, title: existing.title };
    const wanted = childSlug(`${name} ${title}`, pathOf(above), new Set(), longestName);
    const isLeft = above.children.some((child) => child.slug === wanted && child.title === title && !ownOf(child));
    const slug = isLeft ? wanted : childSlug(`${name} ${title}`, pathOf(above), taken, longestName);
    taken.add(slug);
    const fields = { id: idOf(name), own: fitting(own), ...(links.length > 0 && { links: [...links] }) };
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
  await nodes.add(tree.root, [{ slug, title, fields: { id: 'goal', own } }], 'list-last');
}

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
  await search.nodes.change(node, { own });
}

/** Returns the ids of the nodes of a tree by their names; an imported one has another than ours. */
function idsIn(tree: WorkSearch['tree']): (name: string) => string {
  const { atoms, groups } = graphFrom(tree);
  return (name) => (atoms.get(name) ?? groups.get(name))?.node.fileId ?? idOf(name);
}

/** Returns a name that no atom and no group has: `N1`, `N2`, … */
function nextName({ tree }: Pick<WorkSearch, 'tree'>): string {
  const taken = namesIn(tree);
  let n = 1;
  while (taken.has(`N${n}`)) n++;
  return `N${n}`;
}

/** Returns the names of all atoms and groups, those of pruned ones with them. */
export function namesIn(tree: WorkSearch['tree']): ReadonlySet<unknown> {
  return new Set([...walk(tree.root)].map((node) => (ownOf(node) as { name?: unknown } | undefined)?.name));
}

/** Splits an atom that failed several times as a whole. Its last part is checked by what the whole was to be checked by. */
export async function decomposeAtom(
  search: WorkSearch,
  given: TreeNode,
  iteration: number,
  signal: AbortSignal,
): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && atomFieldsOf(node);
  if (!node || !own || !isOpen(node) || own.work || node.children.length > 0) return DROPPED;
  const { decompose } = search.roles;
  if (!decompose) throw new ThoughtTreeError('bad-input', say.noWorker({ name: own.name }));
  return await search.nodes.work(node, signal, async () => {
    const started: AtomFields = { ...own, tries: begun(own, iteration) };
    await changeAtom(search, node, started, { status: 'in-progress' });
    const answer = await partsFor(search, node, started, decompose, signal);
    const done = await search.nodes.commit(node, signal, async () => {
      const current = { ...(atomFieldsOf(node) ?? started), tries: started.tries };
      if (typeof answer === 'string') return await failAtom(search, node, current, { as: 'failed', seen: answer });
      const laid = partsOf(current, answer).map((part) => laidAtom(part));
      await search.nodes.add(node, childrenFor(node, laid, search.file.longestName), 'list-first');
      const { document } = partsDocument(search, node);
      const decomposed = { ...current, tries: ended(current, 'decomposed') };
      await changeAtom(search, node, decomposed, { status: 'expanded' }, document);
    });
    return done === 'gone' ? DROPPED : DONE;
  });
}

async function partsFor(
  search: WorkSearch,
  node: TreeNode,
  own: AtomFields,
  decompose: NonNullable<WorkSearch['roles']['decompose']>,
  signal: AbortSignal,
): Promise<readonly Part[] | string> {
  try {
    return await decompose(await taskOf(search, node, own), signal);
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    return search.show(toThoughtTreeError(error).say);
  }
}

/** Parts as atoms, named after the whole. */
function partsOf(own: AtomFields, parts: readonly Part[]): PlannedAtom[] {
  const nameOf = (i: number): string => `${own.name.slice(0, 90)}.${i + 1}`;
  return parts.map(({ title, does, after, touches, checks }, i) => ({
    id: nameOf(i),
    title,
    does,
    depends_on: after.filter((each) => each >= 0 && each < i).map(nameOf),
    uses: [...(own.uses ?? [])],
    probe: false,
    ...(touches ? { touches: [...touches] } : own.touches ? { touches: [...own.touches] } : {}),
    checks: [...checks],
  }));
}
