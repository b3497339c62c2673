import * as z from 'zod';
import type { Message } from '../../../core/messages/message.ts';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { withoutMissing } from '../../../core/search/search-file.ts';
import { parseLeniently, writeDocument } from '../../../core/text/document.ts';
import { oneLine } from '../../../core/text/text.ts';
import { pathOf, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { Acting, Action } from '../../../engine/context.ts';
import type { Atom, AtomName, WorkGraph } from '../graph/graph.ts';
import { cyclesIn, dependentsOf, misplacedFallbacks } from '../graph/order.ts';
import * as say from '../messages.ts';
import { misplacedFallback } from '../messages.ts';
import { CheckItem, CommandLine, FileGlob, PlanFile, PlanName, PlannedAtom } from '../plan/plan.ts';
import { removeCheckout, startOver } from '../run/atom-changes.ts';
import { partsDocument } from '../run/documents.ts';
import { addAtom, namesIn } from '../run/lay-out.ts';
import type { AtomFields } from '../run/own-fields.ts';
import { DEPENDS_ON, type GraphInTree, graphFrom } from '../run/read-graph.ts';
import { isTaken } from '../run/strategy.ts';
import { atomFieldsOf, changePlan, fitting, planOf, type WorkSearch } from '../run/work-search.ts';
import { letGoOn } from './decide.ts';

const Args = z.object({
  type: z.enum(['objective', 'graph', 'constraint', 'binding']),
  change: z.unknown(),
  why: z.string().max(1000).optional(),
  dryRun: z.boolean().optional(),
});
const Result = z.object({
  reopened: z.array(z.string()),
  /** The atoms that are worked on now, which is stopped. */
  stopped: z.array(z.string()),
  checksGoal: z.boolean(),
  isDone: z.boolean(),
  /** The atoms that it reopens and stops, for people. */
  text: z.string(),
});
type Result = z.infer<typeof Result>;

const LONGEST_WHAT = 3900;
const MOST_CORRECTIONS = 400;

/** Changes the goal, the graph, limits, or what came of an atom. Each change is a correction in plan.yaml. */
export function redirectWith(search: WorkSearch): Action<z.infer<typeof Args>, Result> {
  return {
    args: Args,
    result: Result,
    async run(acting, { type, change: given, why, dryRun = false }) {
      const change = await changeOf(search, type, given);
      const { checksGoal } = change;
      const effect = { ...begunAmong(search, change), checksGoal };
      const text = search.show(effectOf(effect));
      if (dryRun) return { ...effect, isDone: false, text };
      await releaseAll(search, acting, change);
      const what = [why, JSON.stringify(given)].filter(Boolean).join(' — ').slice(0, LONGEST_WHAT);
      const time = new Date(search.clock.now()).toISOString();
      // First what is to be known of it: a kill in between leaves a correction that has to be made again.
      await changePlan(search.store, ({ corrections }) => ({
        corrections: [...corrections.slice(-MOST_CORRECTIONS), { time, type, what }],
      }));
      // Then nothing counts as done that the change is about, nor what was built on it, before it is made.
      if (checksGoal) await reopenGoal(search);
      for (const name of effect.reopened.toReversed()) await reopen(search, name);
      await change.make();
      await letGoOn(search);
      return { ...effect, isDone: true, text };
    },
    say: (result) => (result.isDone ? say.redirected({ effect: effectOf(result) }) : effectOf(result)),
  };
}

async function changeOf(search: WorkSearch, type: z.infer<typeof Args>['type'], given: unknown): Promise<Change> {
  const kinds = {
    objective: objectiveChange,
    constraint: constraintChange,
    graph: graphChange,
    binding: bindingChange,
  };
  return await kinds[type](search, given);
}

type Effect = Pick<Result, 'reopened' | 'stopped' | 'checksGoal'>;

/** Returns what is open again, and what is worked on now. */
function begunAmong(search: WorkSearch, { concerns, drops = [] }: Change): Pick<Effect, 'reopened' | 'stopped'> {
  const { atoms, graph } = graphFrom(search.tree);
  const dropped = new Set(drops);
  const working = [...new Set([...concerns, ...drops])].flatMap((name) => {
    const node = atoms.get(name)?.node;
    return node && (node.status === 'in-progress' || isTaken(search, node)) ? name : [];
  });
  const begun = concerns.filter((name) => {
    const { state = 'pending' } = graph.atoms.get(name) ?? {};
    const hasParts = (atoms.get(name)?.node.children.length ?? 0) > 0;
    return !hasParts && !dropped.has(name) && (state !== 'pending' || working.includes(name));
  });
  return { reopened: begun, stopped: working };
}

function effectOf({ reopened, stopped, checksGoal }: Effect): Message {
  const shown = (names: readonly string[]) => ({ count: names.length, names: names.slice(0, 50).join(', ') });
  const none = checksGoal ? say.checksGoalAgain() : say.reopensNone();
  const effect = reopened.length > 0 ? say.reopens(shown(reopened)) : none;
  return stopped.length > 0 ? say.stopsWork({ effect, ...shown(stopped) }) : effect;
}

/** Stops whoever works on what the change concerns, or looks at the goal as it was, and takes back what was offered. */
async function releaseAll(search: WorkSearch, { loop }: Acting, change: Change): Promise<void> {
  const { concerns, drops = [], checksGoal } = change;
  const { atoms, goal } = graphFrom(search.tree);
  const nodes = [...concerns, ...drops].flatMap((name) => atoms.get(name)?.node ?? []);
  const looking = checksGoal && goal ? [goal.node.id] : [];
  await loop.release(new Set([...nodes.map(({ id }) => id), ...looking]));
  for (const node of nodes) await removeCheckout(search, node);
}

async function reopen(search: WorkSearch, name: string): Promise<void> {
  const node = graphFrom(search.tree).atoms.get(name)?.node;
  if (node) await startOver(search, node);
}

async function reopenGoal({ tree, nodes }: WorkSearch): Promise<void> {
  const { goal } = graphFrom(tree);
  if (!goal) return;
  const { evidence: _, ...own } = goal.own;
  await nodes.change(goal.node, { status: 'unexpanded', leafReason: null, own });
}

const { goal, background, deliverables, done, constraints, in_scope, out_of_scope, base_case } = PlanFile.shape;

/** Without their defaults: what is not named stays. */
const Objective = z.strictObject({
  goal: goal.optional(),
  background: background.optional(),
  deliverables: deliverables.unwrap().optional(),
  done: done.unwrap().optional(),
  in_scope: in_scope.unwrap().optional(),
  out_of_scope: out_of_scope.unwrap().optional(),
  base_case: base_case.optional(),
});

const Limit = z.int().min(1);
const Constraint = z.strictObject({
  constraints: constraints.unwrap().optional(),
  limits: z
    .strictObject({
      iterations: Limit.max(1000).optional(),
      parallel: Limit.max(64).optional(),
      stall: Limit.max(100).optional(),
    })
    .optional(),
});

/**
 * Returns the goal itself, or what has to hold in the end: the base case is looked at again, and choices are made anew.
 */
async function objectiveChange(search: WorkSearch, given: unknown): Promise<Change> {
  const change = withoutMissing(checkedChange(Objective, given));
  return {
    concerns: [],
    checksGoal: true,
    make: async () => {
      await changePlan(search.store, () => change);
      const { goal: node, groups } = graphFrom(search.tree);
      const title = change.goal === undefined ? '' : oneLine(change.goal, 200);
      if (node && title !== '') await search.nodes.change(node.node, { title });
      if (title === '') return;
      for (const { node: group, own } of groups.values()) {
        const { trail: _, ...rest } = own;
        if (own.trail) await search.nodes.change(group, { own: rest });
      }
    },
  };
}

/** Changes what the work has to keep to, and how far the loop may go. Nothing that was done is undone. */
async function constraintChange(search: WorkSearch, given: unknown): Promise<Change> {
  const { limits, ...rest } = checkedChange(Constraint, given);
  const before = (await planOf(search.store)).limits;
  const next = limits && { limits: { ...before, ...withoutMissing(limits) } };
  return {
    concerns: [],
    checksGoal: false,
    make: () => changePlan(search.store, () => ({ ...withoutMissing(rest), ...next })),
  };
}

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
async function graphChange(search: WorkSearch, given: unknown): Promise<Change> {
  const change = checkedChange(GraphChange, given);
  const found = graphFrom(search.tree);
  checkNames(search, found, change);
  const changed = Object.entries(change.change);
  const drops = change.drop.flatMap((name) => withBelow(found, name));
  const next = changedGraph(found.graph, change, drops);
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
    drops,
    checksGoal: true,
    make: () => makeChange(search, found, change),
  };
}

/** Returns the names of an atom or a group, and of all alternatives and parts below it. */
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

/**
 * The graph as it would be, to see whether anything in it waits for itself.
 * @param drops the names of what is dropped, and of all below it
 */
function changedGraph(
  { atoms, groups }: WorkGraph,
  { add, drop, change }: GraphChange,
  drops: readonly AtomName[],
): WorkGraph {
  const next = new Map(atoms);
  for (const [name, { depends_on: after }] of Object.entries(change)) {
    const atom = next.get(name);
    if (atom && after) next.set(name, { ...atom, dependsOn: after });
  }
  for (const atom of add) next.set(atom.id, addedAtom(atom));
  const dropped = new Set([...drop, ...drops]);
  for (const name of dropped) next.delete(name);
  return { atoms: next, groups: new Map([...groups].filter(([name]) => !dropped.has(name))) };
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
    own: fitting(own as AtomFields),
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

const Binding = z.strictObject({
  atom: z.string().min(1).max(100),
  summary: z.string().trim().min(1).max(2000).optional(),
  artifacts: z.array(z.string().max(500)).max(100).optional(),
});

/** Changes what came of an atom, in other words than its worker's: whatever was built on it is done again. */
async function bindingChange(search: WorkSearch, given: unknown): Promise<Change> {
  const { atom: name, summary, artifacts } = checkedChange(Binding, given);
  const { graph, atoms } = graphFrom(search.tree);
  const found = atoms.get(name);
  if (!found) throw refused(say.unknownAtom({ name }));
  return {
    concerns: dependentsOf(graph, [name]).filter((each) => each !== name),
    checksGoal: true,
    make: async () => {
      const { node } = found;
      const document = (await search.store.readDocument(pathOf(node))) ?? `# ${node.title}\n`;
      const { data, body } = parseLeniently(document);
      const next = { ...data, ...(summary !== undefined && { summary }), ...(artifacts && { artifacts }) };
      const fields = summary === undefined ? {} : { summary: oneLine(summary, 300) };
      await search.nodes.change(node, fields, { document: writeDocument(next, body) });
    },
  };
}

/** A checked change: what it concerns, and how it is made. */
interface Change {
  /** Names of the atoms that it concerns: nobody goes on with these, and what was begun of them is open again. */
  readonly concerns: readonly string[];
  /** Names of atoms that are no more part of the goal. */
  readonly drops?: readonly string[];
  /** True if the base case is looked at again. */
  readonly checksGoal: boolean;
  readonly make: () => Promise<void>;
}

/** @throws ThoughtTreeError `bad-input` saying what is wrong */
function checkedChange<T>(schema: z.ZodType<T>, given: unknown): T {
  const checked = schema.safeParse(given);
  if (!checked.success) throw refused(wrongField(checked.error));
  return checked.data;
}

function refused(why: Message | string): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', say.wrongChange({ why }));
}
