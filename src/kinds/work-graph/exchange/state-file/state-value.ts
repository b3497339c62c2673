import { pathOf, type Tree } from '../../../../core/tree/tree.ts';
import { isResolved } from '../../graph/resolved.ts';
import { choiceOf } from '../../graph/selection.ts';
import { dependenciesOf, waitsOf } from '../../graph/structure.ts';
import type { Atom, AtomName, WorkGraph } from '../../graph/work-graph.ts';
import type { Check, CheckItem, PlanFile } from '../../plan/plan.ts';
import type { AtomNode, GraphInTree } from '../../run/tree/read-graph.ts';
import { graphFrom } from '../../run/tree/read-graph.ts';
import * as say from '../messages.ts';
import type { StateChoice } from './state.ts';

/** The result of an atom. */
export interface Binding {
  readonly summary: string;
  readonly artifacts: readonly string[];
}

/** The data from which a search's state follows. */
export interface StateOf {
  readonly plan: PlanFile;
  readonly tree: Tree;
  /** By the paths of nodes. */
  readonly bindings: ReadonlyMap<string, Binding>;
  /** The choices that a file had, which come first and in its order. */
  readonly earlier?: readonly StateChoice[];
}

/** A search as a state file says it. */
export function stateValue({ plan, tree, bindings, earlier = [] }: StateOf): Record<string, unknown> {
  const graph = graphFrom(tree);
  const place = new Map(plan.atoms.map(({ id }, i) => [id, i]));
  const atoms = [...graph.atoms]
    .filter(([, { own }]) => own?.isProposed !== true)
    .toSorted(([a], [b]) => (place.get(a) ?? place.size) - (place.get(b) ?? place.size));
  const names = new Set(atoms.map(([name]) => name));
  const bound = atoms.flatMap(([name, atom]) => {
    const binding = bindingOf(name, atom, graph, bindings);
    return binding ? [[name, binding] as const] : [];
  });
  const split = atoms.flatMap(([name, atom]) => splitOf(name, atom, graph, names));
  const groups = [...graph.groups.keys()].map((name) => [name, groupValue(name, graph)] as const);
  return {
    objective: objectiveValue(plan),
    control: controlValue(graph),
    atoms: atoms.map(([name, atom]) => atomValue(name, atom, graph)),
    ...(split.length > 0 ? { decompositions: split } : {}),
    ...(groups.length > 0 ? { or_groups: Object.fromEntries(groups) } : {}),
    bindings: Object.fromEntries(bound),
    trail: trailOf(graph, earlier),
    corrections: plan.corrections.map(({ time, type, what }) => ({
      timestamp: time,
      type: CORRECTIONS[type],
      description: what,
      trail_cleared: type === 'objective',
    })),
  };
}

const CORRECTIONS = {
  objective: 'objective_change',
  graph: 'dag_adjustment',
  constraint: 'constraint_change',
  binding: 'bindings_override',
} as const;

function objectiveValue(plan: PlanFile): Record<string, unknown> {
  const { goal, background, deliverables, done, constraints, in_scope, out_of_scope, limits, clarifications } = plan;
  return {
    goal,
    ...(background === undefined ? {} : { background_intent: background }),
    ...(deliverables.length > 0 ? { deliverables } : {}),
    ...(done.length > 0 ? { definition_of_done: done } : {}),
    base_case: { checklist: plan.base_case.map(itemValue) },
    constraints: {
      max_iterations: limits.iterations,
      max_parallel_agents: limits.parallel,
      max_stall_count: limits.stall,
      ...(constraints.length > 0 ? { others: constraints } : {}),
    },
    ...(clarifications.length > 0
      ? { clarifications: clarifications.map(({ question, answer }) => ({ question, resolution: answer })) }
      : {}),
    ...(in_scope.length + out_of_scope.length > 0 ? { scope: { in_scope, out_of_scope } } : {}),
  };
}

function itemValue({ item, check, all_of: all, any_of: any }: CheckItem): Record<string, unknown> {
  if (check) return { item, check: checkValue(check) };
  return all ? { item, group: all.map(itemValue) } : { item, any_of: (any ?? []).map(itemValue) };
}

function checkValue(check: Check): Record<string, unknown> {
  if ('quality' in check) {
    const { rubric, threshold, scope } = check.quality;
    return { type: 'quality', rubric, pass_threshold: threshold, ...(scope === undefined ? {} : { scope }) };
  }
  if ('assertion' in check) return { type: 'assertion', value: check.assertion, requires_user_confirmation: true };
  const [type, value] = Object.entries(check).find(([name]) => name !== 'timeout') ?? [];
  return { type, value };
}

function controlValue({ atoms, goal }: GraphInTree): Record<string, unknown> {
  const tries = [...[...atoms.values()].map(({ own }) => own?.tries ?? []), goal?.own.tries ?? []].flat();
  const iteration = tries.reduce((most, each) => Math.max(most, each.iteration), 0);
  return {
    status: 'stopped',
    iteration,
    stall_count: 0,
    prev_pending_count: -1,
    stop_requested: false,
    stop_reason: null,
    redirect_requested: false,
  };
}

function atomValue(name: string, { node, own }: AtomNode, { graph }: GraphInTree): Record<string, unknown> {
  const atom = graph.atoms.get(name);
  const { group, parent } = atom ?? {};
  return {
    id: name,
    description: own?.does ?? node.title,
    status: isResolved(graph, name) ? 'resolved' : 'pending',
    depends_on: atom ? waitedFor(graph, atom) : [],
    ...(group === undefined ? {} : { or_group: group }),
    ...(parent === undefined ? {} : { decomposed_from: parent }),
  };
}

/**
 * Returns what an atom waits for, in the words of the original: it knows no dependency on a group, and never sees an
 * alternative resolved that was not chosen, so that the one that counts stands for both.
 */
function waitedFor(graph: WorkGraph, atom: Atom): AtomName[] {
  const targets = waitsOf(graph, atom.name);
  const said = dependenciesOf(graph, atom).map((name, i) => {
    const group = graph.groups.get(targets[i] ?? '');
    return (group && choiceOf(graph, group)) ?? name;
  });
  return [...new Set(said)];
}

/** All atoms that an atom was split into, whatever became of them. */
function partsOf(name: string, { graph }: GraphInTree): string[] {
  return [...graph.atoms.values()].filter(({ parent }) => parent === name).map((atom) => atom.name);
}

function bindingOf(
  name: string,
  { node, own }: AtomNode,
  graph: GraphInTree,
  bindings: StateOf['bindings'],
): Binding | undefined {
  if (!isResolved(graph.graph, name)) return undefined; // programs that read such files take a bound atom for a resolved one
  // Of an atom with parts, only these are told, whatever its document says.
  const found = node.status === 'leaf' ? bindings.get(pathOf(node)) : undefined;
  if (found) return found;
  const parts = node.children.length > 0 ? partsOf(name, graph) : [];
  if (parts.length > 0) return { summary: say.completedVia({ names: parts.join(', ') }).text, artifacts: [] };
  return { summary: own?.work?.summary ?? node.summary ?? '', artifacts: own?.work?.artifacts ?? [] };
}

function splitOf(name: string, { own, node }: AtomNode, graph: GraphInTree, names: ReadonlySet<string>): object[] {
  const children = node.children.length > 0 ? partsOf(name, graph).filter((each) => names.has(each)) : [];
  if (children.length === 0) return [];
  const said = own?.['splitBecause'];
  const why = own?.tries?.findLast(({ ended }) => ended === 'decomposed')?.seen;
  return [{ parent: name, children, reason: typeof said === 'string' ? said : (why ?? '') }];
}

function groupValue(name: string, { graph, atoms }: GraphInTree): Record<string, unknown> {
  const { choices = [], selected } = graph.groups.get(name) ?? {};
  const failed = choices.filter((choice) => atoms.get(choice)?.node.status === 'failed');
  return { choices: [...choices], selected: selected ?? null, failed };
}

/** The choices of all groups: those that a file had, in its order, then the others by their times. */
function trailOf({ groups }: GraphInTree, earlier: readonly StateChoice[]): object[] {
  const all = [...groups].flatMap(([group, { own }]) => (own.trail ?? []).map((choice) => ({ group, ...choice })));
  const places = new Map(earlier.map((choice, i) => [keyOf(choice), i]));
  const place = (choice: StateChoice) => places.get(keyOf(choice)) ?? places.size;
  return all
    .toSorted((a, b) => place(a) - place(b) || (a.time < b.time ? -1 : Number(a.time > b.time)))
    .map(({ group, selected, reason, time }) => ({ or_group: group, selected, reason, timestamp: time }));
}

function keyOf({ group, selected, reason, time }: StateChoice): string {
  return JSON.stringify([group, selected, reason.slice(0, 1000), time.slice(0, 40)]);
}
