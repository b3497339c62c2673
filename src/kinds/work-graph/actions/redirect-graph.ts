import * as z from 'zod';
import { type TreeNode, walk } from '../../../core/tree/tree.ts';
import { cyclesIn } from '../graph/cycles.ts';
import { dependentsOf } from '../graph/dependents.ts';
import { misplacedFallbacks } from '../graph/misplaced-fallbacks.ts';
import type { Atom, WorkGraph } from '../graph/work-graph.ts';
import { misplacedFallback } from '../plan/messages.ts';
import { CheckItem, CommandLine, FileGlob, PlanName, PlannedAtom } from '../plan/plan.ts';
import { addAtom, namesIn } from '../run/moves/discovered.ts';
import type { AtomFields } from '../run/tree/own-fields.ts';
import { partsDocument } from '../run/tree/parts-document.ts';
import { DEPENDS_ON, type GraphInTree, graphFrom } from '../run/tree/read-graph.ts';
import { atomFieldsOf, fitting, type WorkSearch } from '../run/work-search.ts';
import { type Change, checkedChange, refused } from './change.ts';
import * as say from './messages.ts';

const Names = z.array(PlanName).max(200);

/** Fields of an atom; null takes one away. */
const AtomChange = z.strictObject({
  title: z.string().trim().min(1).max(200).optional(),
  does: z.string().max(8000).nullish(),
  run: CommandLine.nullish(),
  checks: z.array(CheckItem).max(50).optional(),
  touches: z.array(FileGlob).max(100).nullish(),
  uses: z.array(z.string().max(1000)).max(50).optional(),
  depends_on: Names.optional(),
});
type AtomChange = z.infer<typeof AtomChange>;

const GraphChange = z.strictObject({
  add: z.array(PlannedAtom).max(50).default([]),
  drop: Names.default([]),
  change: z.record(z.string().max(100), AtomChange).default({}),
});
type GraphChange = z.infer<typeof GraphChange>;

/** The fields that have a say in whether an atom is done: if they change, it is done again. */
const DECISIVE = ['does', 'run', 'checks'] as const satisfies readonly (keyof AtomChange)[];

/** Atoms that are added, changed or dropped. What was resolved under another criterion is open again, with what waits for it. */
export async function graphChange(search: WorkSearch, given: unknown): Promise<Change> {
  const change = checkedChange(GraphChange, given);
  const found = graphFrom(search.tree);
  checkNames(search, found, change);
  const changed = Object.entries(change.change);
  const next = changedGraph(found.graph, change);
  const [cycle] = cyclesIn(next);
  if (cycle) throw refused(say.waitsForItself({ names: cycle.join(', ') }));
  const [apart] = misplacedFallbacks(next);
  if (apart !== undefined) throw refused(misplacedFallback({ name: apart }));
  const decisive = changed.flatMap(([name, fields]) => (DECISIVE.some((each) => each in fields) ? name : []));
  // A resolved atom stays so; work that is not joined yet was begun with what it waited for then.
  const moved = changed.flatMap(([name, fields]) =>
    fields.depends_on && found.graph.atoms.get(name)?.state !== 'resolved' ? name : [],
  );
  return {
    concerns: [...new Set([...dependentsOf(found.graph, decisive), ...moved])],
    drops: change.drop.flatMap((name) => withBelow(found, name)),
    checksGoal: true,
    make: () => makeChange(search, found, change),
  };
}

/** The names of an atom or a group, and of all alternatives and parts below it. */
function withBelow({ atoms, groups, names }: GraphInTree, name: string): string[] {
  const node = (atoms.get(name) ?? groups.get(name))?.node;
  return node ? [...walk(node)].flatMap(({ id }) => names.get(id) ?? []) : [];
}

function checkNames({ tree }: WorkSearch, { atoms, groups }: GraphInTree, { add, drop, change }: GraphChange): void {
  const added = new Set(add.map(({ id }) => id));
  const isKnown = (name: string): boolean => atoms.has(name) || groups.has(name) || added.has(name);
  const named = [
    ...drop,
    ...Object.values(change).flatMap(({ depends_on: after = [] }) => after),
    ...add.flatMap(({ depends_on: after, if_failed: failed, group, part_of: above }) => [
      ...after,
      failed,
      group,
      above,
    ]),
  ];
  const missing =
    Object.keys(change).find((name) => !atoms.has(name)) ?? named.find((name) => name !== undefined && !isKnown(name));
  if (missing !== undefined) throw refused(say.unknownAtom({ name: missing }));
  // What was dropped keeps its name: its files and what is said of it are still there.
  const all = new Set([...atoms.keys(), ...groups.keys(), ...namesIn(tree)]);
  const taken = add.find(({ id }, i) => all.has(id) || add.findIndex((each) => each.id === id) < i);
  if (taken) throw refused(say.takenName({ name: taken.id }));
}

/** The graph as it would be, to see whether anything in it waits for itself. */
function changedGraph({ atoms, groups }: WorkGraph, { add, drop, change }: GraphChange): WorkGraph {
  const next = new Map(atoms);
  for (const [name, { depends_on: after }] of Object.entries(change)) {
    const atom = next.get(name);
    if (atom && after) next.set(name, { ...atom, dependsOn: after });
  }
  for (const atom of add) next.set(atom.id, addedAtom(atom));
  for (const name of drop) next.delete(name);
  return { atoms: next, groups };
}

function addedAtom({ id, depends_on, if_failed, group, part_of, touches, uses, probe }: PlannedAtom): Atom {
  const rest = { touches, uses, needsProbe: probe, isProposed: false };
  return { name: id, state: 'pending', group, parent: part_of, dependsOn: depends_on, ifFailed: if_failed, ...rest };
}

async function makeChange(search: WorkSearch, found: GraphInTree, change: GraphChange): Promise<void> {
  const { tree, nodes } = search;
  for (const atom of change.add) {
    const at = graphFrom(tree);
    const name = atom.group ?? atom.part_of;
    const above = name === undefined ? undefined : (at.groups.get(name)?.node ?? at.atoms.get(name)?.node);
    await addAtom(search, atom, {}, above ?? tree.root);
    if (above && above.status !== 'expanded')
      await nodes.change(above, { status: 'expanded', leafReason: null }, partsDocument(search, above));
  }
  for (const [name, fields] of Object.entries(change.change)) {
    const node = found.atoms.get(name)?.node;
    if (node) await changeFields(search, node, fields);
  }
  for (const name of change.drop) {
    const node = found.atoms.get(name)?.node ?? found.groups.get(name)?.node;
    if (node) await nodes.change(node, { status: 'pruned', prunedBy: 'user' });
  }
}

async function changeFields(search: WorkSearch, node: TreeNode, fields: AtomChange): Promise<void> {
  const { title, depends_on: after, ...rest } = fields;
  const own = { ...(atomFieldsOf(node) as AtomFields) } as Record<string, unknown>;
  for (const [name, value] of Object.entries(rest)) {
    if (value === null || value === undefined) delete own[name];
    else own[name] = value;
  }
  const others = node.links.filter(({ type }) => type !== DEPENDS_ON);
  const links = after && [...others, ...idsOf(search, after).map((to) => ({ type: DEPENDS_ON, to }))];
  await search.nodes.change(node, {
    own: fitting(own as AtomFields) as never,
    ...(title !== undefined && { title }),
    ...(links && { links }),
  });
}

/** The ids of the nodes with these names. */
function idsOf({ tree }: WorkSearch, names: readonly string[]): string[] {
  const { names: byNode } = graphFrom(tree);
  const ids = new Map([...walk(tree.root)].map((node) => [byNode.get(node.id), node.fileId]));
  return names.flatMap((name) => ids.get(name) ?? []);
}
