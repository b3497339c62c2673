import { isCollection, isMap, isNode } from 'yaml';
import { parseDocument } from '../../../core/text/document.ts';
import { isRecord, isSameJson } from '../../../core/text/loose-json.ts';
import { pathOf, type Tree } from '../../../core/tree/tree.ts';
import { type Atom, type AtomName, dependenciesOf, type WorkGraph, waitsOf } from '../graph/graph.ts';
import { choiceOf, isAllResolved, isResolved } from '../graph/resolution.ts';
import type { Check, CheckItem, PlanFile } from '../plan/plan.ts';
import { type AtomNode, type GraphInTree, graphFrom } from '../run/read-graph.ts';
import { afterMark, asSaid, editYaml, entriesOf, nameIn } from '../yaml/edit-yaml.ts';
import { blockYaml } from '../yaml/print-yaml.ts';
import { fieldOf, readYaml, type YamlSource } from '../yaml/read-yaml.ts';
import { searchOfState } from './import-state.ts';
import * as say from './messages.ts';
import { readState, type StateText, splitState } from './read-state.ts';
import type { State, StateChoice } from './state.ts';

/** The name in errors of a file that a search keeps. */
const FILE = 'the state file';

export interface StateWishes {
  /**
   * `stopped`, so that the hook of the original system stops approving; a mirror says what is so. Where the goal is reached,
   * `completed` is written instead, for which it does the same.
   */
  readonly status: string;
}

/**
 * A search as a state file.
 * @param original the file that it came from: every byte stays but of what changed since, and of the status
 */
export function writeState(now: StateOf, original: string | undefined, wishes: StateWishes): string {
  if (original === undefined) {
    const value = stateValue(now);
    const body = `# Original Prompt\n\n${now.plan.goal}\n`;
    return `---\n${blockYaml(withStatus(value, statusOf(now, wishes)))}---\n\n${body}`;
  }
  const { state, yaml } = readState(original, FILE);
  const { plan, tree, documents } = searchOfState(state);
  const before = stateValue({ plan, tree, bindings: bindingsIn(documents), earlier: state.trail });
  const after = stateValue({ ...now, earlier: state.trail });
  const value = withoutRunning(merged(yaml.value, before, after, state.iteration), yaml.value);
  const text = splitState(original, FILE);
  const source = { file: FILE, linesBefore: text.linesBefore };
  const status = statusOf(now, wishes, state);
  const edited = editYaml(text.yaml, withStatus(value, status), source);
  return joinedState({ ...text, yaml: withBareStatus(edited, status, source) });
}

/**
 * A file that said that its goal is reached is believed as long as nobody looked, and nothing is to be done.
 */
function statusOf({ tree }: StateOf, { status }: StateWishes, said?: State): string {
  const { goal, graph } = graphFrom(tree);
  const isBelieved = said?.isCompleted === true && goal?.own.tries === undefined && isAllResolved(graph);
  return status === 'stopped' && (goal?.node.status === 'leaf' || isBelieved) ? 'completed' : status;
}

/** Returns a file with another status; all else in it stays. */
export function withState(original: string, status: string): string {
  const text = splitState(original, FILE);
  const source = { file: FILE, linesBefore: text.linesBefore };
  const { value } = readYaml(text.yaml, source);
  const edited = editYaml(text.yaml, isRecord(value) ? withStatus({ ...value }, status) : value, source);
  return joinedState({ ...text, yaml: withBareStatus(edited, status, source) });
}

function joinedState({ head, yaml, tail }: StateText): string {
  return head + yaml + tail;
}

/** Returns what the file says, with what changed since it was read. */
function merged(said: unknown, before: object, after: object, iteration: number): Record<string, unknown> {
  const value = asSaid(said, before, after, after) as Record<string, unknown>;
  const [earlier, now] = [before, after].map((each) => fieldOf(fieldOf(each, 'objective'), 'base_case'));
  const objective = fieldOf(value, 'objective');
  const saidCase = fieldOf(fieldOf(said, 'objective'), 'base_case');
  // A file may write checks in one of several forms, which must not be mixed.
  const baseCase = isSameJson(earlier, now) ? saidCase : now;
  const ran = fieldOf(fieldOf(after, 'control'), 'iteration');
  const control = fieldOf(value, 'control');
  return {
    ...value,
    objective: isRecord(objective) ? { ...objective, base_case: baseCase } : objective,
    control: {
      ...(isRecord(control) ? control : {}),
      ...(typeof ran === 'number' && ran > 0 ? { iteration: iteration + ran } : {}),
    },
  };
}

/** Nobody works on an atom of a file: what was under way is pending. */
function withoutRunning(value: Record<string, unknown>, said: unknown): Record<string, unknown> {
  const atoms = fieldOf(value, 'atoms') ?? fieldOf(said, 'atoms');
  if (!Array.isArray(atoms)) return value;
  return {
    ...value,
    atoms: atoms.map((atom: unknown) =>
      isRecord(atom) && atom['status'] === 'in_progress' ? { ...atom, status: 'pending' } : atom,
    ),
  };
}

function withStatus(value: Record<string, unknown>, status: string): Record<string, unknown> {
  const control = fieldOf(value, 'control');
  return { ...value, control: { ...(isRecord(control) ? control : {}), status } };
}

/** The hook takes a line to its end, so that nothing but the status may be there: no comment, no quotes. */
function withBareStatus(yaml: string, status: string, source: YamlSource): string {
  const root = readYaml(yaml, source).document.contents;
  const control = entriesOf(root).find(({ key }) => nameIn(key) === 'control')?.value;
  if (!isMap(control) || (isCollection(root) && root.flow) || control.flow) return yaml;
  const entry = entriesOf(control).find(({ key }) => nameIn(key) === 'status');
  const mark = entry && afterMark(entry.token);
  const value = entry?.value;
  if (mark === undefined || !isNode(value) || !value.range) return yaml;
  const [from, to] = value.range;
  const end = lineEnd(yaml, to);
  const isOnLine = !yaml.slice(mark, from).includes('\n');
  return isOnLine
    ? yaml.slice(0, from) + status + yaml.slice(end)
    : `${yaml.slice(0, mark)} ${status}${yaml.slice(end)}`;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** The result of an atom. */
interface Binding {
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

/** Returns a search as a state file says it. */
function stateValue({ plan, tree, bindings, earlier = [] }: StateOf): Record<string, unknown> {
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

/** Returns all atoms that an atom was split into, whatever became of them. */
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
  // An atom with parts is described by these alone, whatever its document says.
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

/** Returns the choices of all groups: those that a file had, in its order, then the others by their times. */
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

/** Reads what came about from the documents of nodes. */
export function bindingsIn(documents: ReadonlyMap<string, string>): Map<string, Binding> {
  return new Map(
    [...documents].flatMap(([path, text]) => {
      const binding = bindingIn(text);
      return binding ? [[path, binding] as const] : [];
    }),
  );
}

function bindingIn(document: string): Binding | undefined {
  try {
    const { data } = parseDocument(document);
    const { summary, artifacts } = data;
    if (!isRecord(data) || typeof summary !== 'string') return undefined;
    return { summary, artifacts: Array.isArray(artifacts) ? artifacts.filter((each) => typeof each === 'string') : [] };
  } catch {
    return undefined; // a person's front matter need not be valid
  }
}
