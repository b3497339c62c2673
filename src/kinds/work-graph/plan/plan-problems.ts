import type { Message } from '../../../core/messages/message.ts';
import { cyclesIn } from '../graph/cycles.ts';
import { misplacedFallbacks } from '../graph/misplaced-fallbacks.ts';
import type { WorkGraph } from '../graph/work-graph.ts';
import * as say from './messages.ts';
import type { CheckItem, PlanFile, PlannedAtom } from './plan.ts';
import { graphOfPlan } from './plan-graph.ts';

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
  const circle = found.length === 0 ? cyclesIn(graph)[0] : undefined;
  if (!circle) return found;
  const first = circle.find((name) => places.has(name));
  const path = first === undefined ? ['atoms'] : [...(places.get(first) as readonly [string, number]), 'depends_on'];
  return [{ path, why: say.cycle({ names: shown(circle) }) }];
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
