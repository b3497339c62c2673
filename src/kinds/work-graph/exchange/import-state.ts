import type { IncomingWishes } from '../../../core/kind/kind-format.ts';
import { FORMAT_VERSION, type SearchFile } from '../../../core/search/search-file.ts';
import { LONGEST_FRONT_MATTER, writeDocument } from '../../../core/text/document.ts';
import { oneLine, withoutCommands } from '../../../core/text/text.ts';
import type { Link, NodeData } from '../../../core/tree/node-file.ts';
import { childSlug, SiblingNames } from '../../../core/tree/slug.ts';
import { pathOf, Tree, type TreeNode } from '../../../core/tree/tree.ts';
import { PlanFile, PlanName, type PlannedAtom, type PlannedGroup } from '../plan/plan.ts';
import { idOf } from '../run/lay-out.ts';
import type { AtomFields, GroupFields, OwnFields } from '../run/own-fields.ts';
import { DEPENDS_ON } from '../run/read-graph.ts';
import * as say from './messages.ts';
import { lineOf } from './read-state.ts';
import { parentsOfGroups, type State, type StateAtom, type StateGroup } from './state.ts';

/** A state file as a search: its plan, its tree, and what came about in atoms. */
export interface PlannedState {
  readonly plan: PlanFile;
  readonly tree: Tree;
  /** By the paths of nodes. */
  readonly documents: ReadonlyMap<string, string>;
}

const MOST_CHOICES = 100;
const LONGEST_TRAIL = 6000;

/** Makes the nodes that a state describes; nothing is written. */
export function searchOfState(state: State): PlannedState {
  const plan = planOfState(state);
  const tree = new Tree('');
  const documents = new Map<string, string>();
  const below = Map.groupBy(laidOut(state), ({ above }) => above);
  const add = (parent: TreeNode, name: string | undefined): void => {
    const taken = new SiblingNames();
    for (const { own, title, ...laid } of below.get(name) ?? []) {
      const known = own.type === 'goal' ? 'goal' : own.name;
      const slug = childSlug(known === 'goal' ? known : `${known} ${title}`, pathOf(parent), taken);
      taken.add(slug);
      const status = laid.status ?? (below.has(known) ? 'expanded' : 'unexpanded');
      const ends = status === 'leaf' ? { leafReason: 'model' as const } : {};
      const file = { title, slug, status, ...ends, id: idOf(known), links: laid.links, own } as unknown as NodeData;
      const node = tree.add(parent, slug, { file });
      if (laid.document !== undefined) documents.set(pathOf(node), laid.document);
      if (own.type !== 'goal') add(node, known);
    }
  };
  add(tree.root, undefined);
  return { plan, tree, documents };
}

/** search.json of a state file. */
export function fileOfState({ objective }: State, { title, titleFrom, now }: IncomingWishes): SearchFile {
  return {
    version: FORMAT_VERSION,
    kind: 'work-graph',
    title: oneLine(title ?? titleFrom(objective.goal), 1000) || 'Goal',
    prompt: objective.goal,
    options: {},
    createdAt: new Date(now).toISOString(),
  };
}

interface Laid {
  readonly above: string | undefined;
  readonly title: string;
  readonly own: OwnFields;
  readonly status?: NodeData['status'] | undefined;
  readonly links: readonly Link[];
  readonly document?: string | undefined;
}

/** Returns the nodes in the order of the file; a group comes where its first alternative does. */
function laidOut(state: State): Laid[] {
  const parents = parentsOfGroups(state.atoms);
  const groups = new Map(state.groups.map((group) => [group.name, group]));
  const failed = new Set(state.groups.flatMap((group) => group.failed));
  const names = new Set([...state.atoms.map(({ id }) => id), ...groups.keys()]);
  const split = new Set(state.atoms.map(({ parent }) => parent));
  const laid: Laid[] = [];
  const addGroup = (group: StateGroup | undefined): void => {
    if (!group || !groups.delete(group.name)) return;
    laid.push({
      above: parents.get(group.name),
      title: group.name,
      own: groupFields(group, state),
      status: 'expanded',
      links: [],
    });
  };
  for (const atom of state.atoms) {
    if (atom.group !== undefined) addGroup(groups.get(atom.group));
    laid.push(laidAtom(atom, state, { failed, names, split }));
  }
  for (const group of [...groups.values()]) addGroup(group);
  const title = oneLine(state.objective.goal, 200) || 'Goal';
  return [...laid, { above: undefined, title, own: { type: 'goal' }, links: [] }];
}

interface Known {
  readonly failed: ReadonlySet<string>;
  /** Atoms that others are parts of. */
  readonly split: ReadonlySet<string | undefined>;
  /** Those of all atoms and groups. */
  readonly names: ReadonlySet<string>;
}

function laidAtom(atom: StateAtom, state: State, { failed, names, split }: Known): Laid {
  const { id, group, parent, dependsOn, isResolved } = atom;
  const title = titleOf(atom);
  const reason = state.reasons.get(id);
  const does = detailsOf(atom);
  const own: AtomFields = {
    type: 'atom',
    name: id,
    ...(does === undefined ? {} : { does }),
    ...(isResolved ? { evidence: [{ item: '0', word: 'reported' as const }] } : {}),
    ...(reason === undefined ? {} : { splitBecause: reason.slice(0, 1000) }),
  };
  const status = split.has(id) ? undefined : isResolved ? 'leaf' : failed.has(id) ? 'failed' : undefined;
  // An atom that does not exist keeps its name, so that it can be said what the atom waits for.
  const links = dependsOn.map((name) => ({ type: DEPENDS_ON, to: names.has(name) ? idOf(name) : name }));
  return { above: group ?? parent, title, own, status, links, document: documentOf(atom, state, title) };
}

function groupFields({ name, choices, selected }: StateGroup, { trail }: State): GroupFields {
  const own = lastThatFit(trail.filter(({ group }) => group === name));
  return {
    type: 'group',
    name,
    choices: choices.slice(0, MOST_CHOICES),
    ...(selected === undefined ? {} : { selected }),
    ...(own.length === 0 ? {} : { trail: own }),
  };
}

/** Returns the newest choices that node.json has room for. */
function lastThatFit(trail: State['trail']): NonNullable<GroupFields['trail']> {
  const kept: NonNullable<GroupFields['trail']> = [];
  let room = LONGEST_TRAIL;
  for (const { selected, reason, time } of trail.slice(-MOST_CHOICES).reverse()) {
    const choice = { selected, reason: reason.slice(0, 1000).toWellFormed(), time: time.slice(0, 40) };
    room -= JSON.stringify(choice).length;
    if (room < 0 || !PlanName.safeParse(selected).success) break;
    kept.unshift(choice);
  }
  return kept;
}

/**
 * Writes what came about as the document of the node: its binding is the front matter. A node is done once it has a
 * document, so a resolved atom gets one even if the file says nothing about it.
 */
function documentOf({ id, isResolved }: StateAtom, { bindings }: State, title: string): string | undefined {
  const binding = bindings.get(id);
  if (!binding) return isResolved ? writeDocument({ title }, `# ${title}\n`) : undefined;
  const room = LONGEST_FRONT_MATTER / 4;
  const summary = binding.summary.slice(0, room / 2).toWellFormed();
  const artifacts: string[] = [];
  let used = 0;
  for (const artifact of binding.artifacts) {
    used += artifact.length + 8;
    if (used < room) artifacts.push(artifact);
  }
  const list = artifacts.map((artifact) => `- \`${artifact.replaceAll('`', "'")}\`\n`).join('');
  return writeDocument({ title, summary, artifacts }, `${summary}\n${list === '' ? '' : `\n${list}`}`);
}

const LONGEST_TITLE = 200;
const LONGEST_DOES = 8000;
const MOST_CORRECTIONS = 500;
const CORRECTIONS = {
  objective_change: 'objective',
  dag_adjustment: 'graph',
  constraint_change: 'constraint',
  bindings_override: 'binding',
} as const;

/** Makes a plan of what a state file asks for. A dependency on what does not exist is kept with the nodes alone. */
export function planOfState(state: State): PlanFile {
  const { objective, atoms, corrections } = state;
  const { goal, background, deliverables, done, constraints, inScope, outOfScope, baseCase } = objective;
  const from = say.clarifiedBefore().text;
  const known = new Set([...atoms.map(({ id }) => id), ...state.groups.map(({ name }) => name)]);
  return PlanFile.parse({
    goal,
    ...(background === '' ? {} : { background }),
    deliverables,
    done,
    constraints,
    in_scope: inScope,
    out_of_scope: outOfScope,
    clarifications: objective.clarifications.map((each) => ({ ...each, from })),
    base_case: baseCase,
    limits: objective.limits,
    atoms: atoms.map((atom) => plannedAtom(atom, known)),
    groups: plannedGroups(state),
    corrections: corrections.slice(-MOST_CORRECTIONS).map(({ time, type, what }) => ({
      time: time.slice(0, 40),
      type: correctionType(type),
      what: what.slice(0, 4000),
    })),
  });
}

/** Returns an atom's description: one line of it is the title. */
function titleOf({ id, description }: Pick<StateAtom, 'id' | 'description'>): string {
  const line = lineOf(description);
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).toWellFormed()}…` : line || id;
}

/** The whole of a description that its title does not say. */
function detailsOf(atom: Pick<StateAtom, 'id' | 'description'>): string | undefined {
  const details = withoutCommands(atom.description).slice(0, LONGEST_DOES).toWellFormed();
  return details.trim() === '' || details === titleOf(atom) ? undefined : details;
}

function plannedAtom(atom: StateAtom, known: ReadonlySet<string>): Partial<PlannedAtom> {
  const { id, dependsOn, group, parent } = atom;
  const does = detailsOf(atom);
  return {
    id,
    title: titleOf(atom),
    ...(does === undefined ? {} : { does }),
    depends_on: dependsOn.filter((name) => known.has(name)),
    ...(group === undefined ? {} : { group }),
    ...(group === undefined && parent !== undefined ? { part_of: parent } : {}),
  };
}

function plannedGroups(state: State): Partial<PlannedGroup>[] {
  const parents = parentsOfGroups(state.atoms);
  return state.groups.map(({ name, choices, selected }) => {
    const part_of = parents.get(name);
    return {
      name,
      choices: [...choices],
      ...(selected === undefined ? {} : { selected }),
      ...(part_of === undefined ? {} : { part_of }),
    };
  });
}

function correctionType(type: string): PlanFile['corrections'][number]['type'] {
  return Object.hasOwn(CORRECTIONS, type) ? CORRECTIONS[type as keyof typeof CORRECTIONS] : 'graph';
}
