import type { Message } from '../../../core/messages/message.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { Atom, AtomName, OrGroup, WorkGraph } from '../graph/graph.ts';
import { cyclesIn, misplacedFallbacks } from '../graph/order.ts';
import * as say from '../messages.ts';
import { type CheckItem, checksIn, type NamedCheck, type PlanFile, type PlannedAtom } from './plan.ts';

/** Something wrong with a plan. */
export interface PlanProblem {
  /** Where it is in the file. */
  readonly path: readonly (string | number)[];
  readonly why: Message;
}

/** The most levels of `all_of` and `any_of` within each other. */
const MOST_LEVELS = 8;
/** A node's own data is bounded; this leaves room for what is found out later. */
const LONGEST_ATOM = 12_000;

/** Finds what is wrong with a plan that has the right form: the first problem of each sort. */
export function planProblems(plan: PlanFile): PlanProblem[] {
  const named = namedTwice(plan);
  // Until names are unique, nothing that names say means anything.
  if (named.length > 0) return named;
  const graph = graphOfPlan(plan);
  const places = new Map(plan.atoms.map(({ id }, i) => [id, ['atoms', i] as const]));
  const found = [
    ...plan.atoms.flatMap((atom, i) => atomProblems(atom, graph).map((why) => ({ path: ['atoms', i], why }))),
    ...plan.atoms.flatMap((atom, i) => partProblems(atom, plan, i)),
    ...groupProblems(plan, graph),
    ...misplacedFallbacks(graph).map((name) => ({
      path: [...(places.get(name) ?? ['atoms']), 'if_failed'],
      why: say.misplacedFallback({ name }),
    })),
    ...checklistProblems(plan),
  ];
  const cycle = found.length === 0 ? cyclesIn(graph)[0] : undefined;
  if (!cycle) return found;
  const first = cycle.find((name) => places.has(name));
  const path = first === undefined ? ['atoms'] : [...(places.get(first) as readonly [string, number]), 'depends_on'];
  return [{ path, why: say.cycle({ names: shown(cycle) }) }];
}

const MOST_SHOWN = 8;

function shown(names: readonly string[]): string {
  const first = names.slice(0, MOST_SHOWN);
  return names.length > first.length ? `${first.join(' → ')} → …` : [...first, names[0]].join(' → ');
}

function namedTwice({ atoms, groups }: PlanFile): PlanProblem[] {
  const names = new Set<string>();
  const all = [
    ...atoms.map(({ id }, i) => ({ name: id, path: ['atoms', i, 'id'] })),
    ...groups.map(({ name }, i) => ({ name, path: ['groups', i, 'name'] })),
  ];
  return all.flatMap(({ name, path }) => {
    const isTwice = names.has(name);
    names.add(name);
    return isTwice ? [{ path, why: say.nameTwice({ name }) }] : [];
  });
}

function atomProblems(atom: PlannedAtom, { atoms, groups }: WorkGraph): Message[] {
  const { id: name, depends_on, if_failed, part_of, group } = atom;
  const missing = depends_on.find((other) => !atoms.has(other) && !groups.has(other));
  const notAtoms = [if_failed, part_of].filter((other) => other !== undefined && !atoms.has(other)) as string[];
  const choices = group === undefined ? undefined : groups.get(group)?.choices;
  const size = JSON.stringify({ ...atom, title: '', does: '' }).length;
  return [
    ...(missing === undefined ? [] : [say.noSuchName({ name, missing })]),
    ...notAtoms.map((other) => say.noSuchAtom({ name, missing: other })),
    ...(group === undefined || choices?.includes(name) ? [] : [say.notAChoice({ name, group })]),
    ...(size > LONGEST_ATOM ? [say.tooLarge({ name, most: LONGEST_ATOM })] : []),
  ];
}

/** Alternatives are where their group is. */
function partProblems({ id, group, part_of }: PlannedAtom, { groups }: PlanFile, i: number): PlanProblem[] {
  if (group === undefined || part_of === undefined) return [];
  const above = groups.find(({ name }) => name === group)?.part_of;
  return above === part_of ? [] : [{ path: ['atoms', i, 'part_of'], why: say.partApart({ name: id, group }) }];
}

function groupProblems({ groups, atoms: planned }: PlanFile, { atoms, groups: all }: WorkGraph): PlanProblem[] {
  const groupOf = new Map(planned.map(({ id, group }) => [id, group]));
  return groups.flatMap(({ name: group, selected, part_of }, i) => {
    const choices = all.get(group)?.choices ?? [];
    const others = choices.filter((choice) => groupOf.has(choice) && groupOf.get(choice) !== group);
    const wrong = [
      ...(choices.length === 0 ? [say.noChoices({ group })] : []),
      ...others.map((choice) => say.otherGroup({ choice, group })),
      ...(selected === undefined || choices.includes(selected) ? [] : [say.noSuchChoice({ selected, group })]),
      ...(part_of === undefined || atoms.has(part_of) ? [] : [say.noSuchAtom({ name: group, missing: part_of })]),
    ];
    return wrong.map((why) => ({ path: ['groups', i], why }));
  });
}

function checklistProblems({ base_case, atoms }: PlanFile): PlanProblem[] {
  const lists = [
    { items: base_case, path: ['base_case'] },
    ...atoms.map(({ checks }, i) => ({ items: checks, path: ['atoms', i, 'checks'] })),
  ];
  return lists
    .filter(({ items }) => isDeeper(items, MOST_LEVELS))
    .map(({ path }) => ({ path, why: say.itemsTooDeep({ most: MOST_LEVELS }) }));
}

function isDeeper(items: readonly CheckItem[], levels: number): boolean {
  if (items.length === 0) return false;
  return levels === 0 || items.some(({ all_of, any_of }) => isDeeper(all_of ?? any_of ?? [], levels - 1));
}

/** Finds what is allowed in a plan, and probably not meant. */
export function planWarnings(plan: PlanFile): Message[] {
  const { atoms, groups } = graphOfPlan(plan);
  const parents = new Set([...atoms.values(), ...groups.values()].map(({ parent }) => parent));
  const missing = [...groups.values()].flatMap(({ name, choices }) =>
    choices.filter((choice) => !atoms.has(choice)).map((choice) => say.choiceWithoutAtom({ choice, group: name })),
  );
  const idle = plan.atoms
    .filter(({ id, run }) => run !== undefined && parents.has(id))
    .map(({ id }) => say.parentRuns({ name: id }));
  const checks = [...checksIn(plan.base_case), ...plan.atoms.flatMap((atom) => checksIn(atom.checks))];
  return [...missing, ...idle, ...checks.flatMap(checkWarnings)];
}

/** Programs that fail if they find something. */
const FINDERS = /\b(?:audit|lint|test)\b/;

function checkWarnings({ item, check }: NamedCheck): Message[] {
  if ('not_command' in check && FINDERS.test(check.not_command))
    return [say.inverted({ command: oneLine(check.not_command, 100) })];
  if (!('quality' in check)) return [];
  const given = check.quality.rubric.map(({ weight }) => weight);
  const sum = given.reduce((all, weight) => all + weight, 0);
  const isSaid = given.some((weight) => weight !== 1);
  return isSaid && Math.abs(sum - 1) > 0.001
    ? [say.weights({ item: oneLine(item, 100), sum: String(Math.round(sum * 1000) / 1000) })]
    : [];
}

/** Returns a plan as a graph: nothing is done yet. A group that only atoms name is one, too. */
export function graphOfPlan({ atoms, groups }: PlanFile): WorkGraph {
  const members = Map.groupBy(
    atoms.filter(({ group }) => group !== undefined),
    ({ group }) => group as string,
  );
  const all = new Map<AtomName, OrGroup>();
  for (const { name, part_of, choices, selected } of groups) {
    const named = choices ?? members.get(name)?.map(({ id }) => id) ?? [];
    all.set(name, { name, parent: part_of, choices: named, selected });
  }
  for (const [name, alternatives] of members) {
    if (all.has(name)) continue;
    const parent = alternatives.find(({ part_of }) => part_of !== undefined)?.part_of;
    all.set(name, { name, parent, choices: alternatives.map(({ id }) => id), selected: undefined });
  }
  return { atoms: new Map(atoms.map((atom) => [atom.id, atomOf(atom, all)])), groups: all };
}

function atomOf(planned: PlannedAtom, groups: ReadonlyMap<AtomName, OrGroup>): Atom {
  const { id, group, part_of, depends_on, if_failed, touches, uses, probe } = planned;
  return {
    name: id,
    state: 'pending',
    group,
    parent: group === undefined ? part_of : groups.get(group)?.parent,
    dependsOn: [...new Set(depends_on)],
    ifFailed: if_failed,
    touches,
    uses,
    needsProbe: probe,
    isProposed: false,
  };
}
