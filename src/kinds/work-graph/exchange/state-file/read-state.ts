import { oneLine } from '../../../../core/text/text.ts';
import { MOST_ATOMS, PlanName } from '../../plan/plan.ts';
import { type ReadYaml, readYaml } from '../../yaml/read-yaml.ts';
import * as say from '../messages.ts';
import { splitState } from './front-matter.ts';
import { Part } from './part.ts';
import { lines, objectiveFrom } from './read-objective.ts';
import type { State, StateAtom, StateGroup } from './state.ts';
import { checkCircles } from './state-circles.ts';

const ATOM_STATUSES = ['pending', 'in_progress', 'resolved'];
const CONTROL_STATUSES = ['pending', 'running', 'stopped', 'completed'];

/** A state file, and its YAML. */
export interface ReadState {
  readonly state: State;
  readonly yaml: ReadYaml;
}

/**
 * Reads a state file of the original system, schema 1.3.
 * @param file what errors call it
 * @throws ThoughtTreeError `damaged` with file and line, saying what to do
 */
export function readState(text: string, file: string): ReadState {
  const { yaml: source, linesBefore } = splitState(text, file);
  const yaml = readYaml(source, { file, linesBefore });
  const whole = new Part(yaml, file);
  const control = whole.need('control');
  checkStatus(control.get('status'), CONTROL_STATUSES);
  const groupsSaid = groupsFrom(whole.get('or_groups'));
  const split = splitAtoms(whole.get('decompositions'));
  const { atoms, groups } = joined(atomsFrom(whole.need('atoms'), split.parents), groupsSaid);
  const state: State = {
    objective: objectiveFrom(whole.need('objective')),
    isCompleted: control.get('status')?.value === 'completed',
    iteration: control.get('iteration')?.count() ?? 0,
    atoms,
    groups,
    bindings: new Map((whole.get('bindings')?.entries() ?? []).map(([id, part]) => [id, bindingFrom(part)])),
    trail: (whole.get('trail')?.items() ?? []).map((part) => ({
      group: part.need('or_group').text(),
      selected: part.need('selected').text(),
      reason: part.get('reason')?.text() ?? '',
      time: part.get('timestamp')?.text() ?? '',
    })),
    corrections: (whole.get('corrections')?.items() ?? []).map((part) => ({
      time: part.get('timestamp')?.text() ?? '',
      type: part.get('type')?.text() ?? '',
      what: part.get('description')?.text() ?? '',
    })),
    reasons: split.reasons,
  };
  checkCircles(state, whole.need('atoms'));
  return { state, yaml };
}

interface ReadAtom extends Omit<StateAtom, 'group' | 'parent'> {
  readonly part: Part;
  readonly group: string | undefined;
  readonly parent: string | undefined;
}

interface ReadGroup extends StateGroup {
  readonly part: Part;
}

function atomsFrom(part: Part, parents: ReadonlyMap<string, string>): ReadAtom[] {
  const items = part.items();
  if (items.length === 0) throw part.wrong(say.noAtoms());
  if (items.length > MOST_ATOMS) throw part.wrong(say.tooMany({ most: MOST_ATOMS }));
  const names = new Set<string>();
  return items.map((each) => {
    const id = nameFrom(each.need('id'));
    if (names.has(id)) throw each.need('id').wrong(say.idTwice({ name: id }));
    names.add(id);
    const status = each.get('status');
    checkStatus(status, ATOM_STATUSES);
    const group = each.get('or_group');
    const from = each.get('decomposed_from');
    return {
      part: each,
      id,
      description: each.get('description')?.text() ?? '',
      isResolved: status?.value === 'resolved',
      dependsOn: [...new Set((each.get('depends_on')?.itemsOrOne() ?? []).map(nameFrom))],
      group: group && nameFrom(group),
      parent: from ? nameFrom(from) : parents.get(id),
    };
  });
}

/** A status that is missing is that of something new. */
function checkStatus(part: Part | undefined, known: readonly string[]): void {
  const status = part?.text();
  if (part && !known.includes(status ?? ''))
    throw part.wrong(say.unknownStatus({ status: oneLine(status ?? '', 60), known: known.join(', ') }));
}

function groupsFrom(part: Part | undefined): ReadGroup[] {
  return (part?.entries() ?? []).map(([said, each]) => {
    const name = checkedName(said, each);
    if (each.value === null) return { part: each, name, choices: [], selected: undefined, failed: [] };
    const selected = each.get('selected');
    return {
      part: each,
      name,
      choices: [...new Set((each.get('choices')?.itemsOrOne() ?? []).map(nameFrom))],
      selected: selected && nameFrom(selected),
      failed: (each.get('failed')?.itemsOrOne() ?? []).map(nameFrom),
    };
  });
}

function nameFrom(part: Part): string {
  return checkedName(part.text(), part);
}

function checkedName(name: string, part: Part): string {
  if (!PlanName.safeParse(name).success) throw part.wrong(say.wrongName({ name: oneLine(name, 60) }));
  return name;
}

/** Reads what was split into what, and why. */
function splitAtoms(part: Part | undefined): { parents: Map<string, string>; reasons: Map<string, string> } {
  const parents = new Map<string, string>();
  const reasons = new Map<string, string>();
  for (const each of part?.items() ?? []) {
    const parent = nameFrom(each.need('parent'));
    for (const child of each.get('children')?.itemsOrOne() ?? []) parents.set(nameFrom(child), parent);
    reasons.set(parent, each.get('reason')?.text() ?? '');
  }
  return { parents, reasons };
}

/** Atoms and groups that agree with each other: what either says of the other counts. */
function joined(said: readonly ReadAtom[], listed: readonly ReadGroup[]): { atoms: StateAtom[]; groups: StateGroup[] } {
  const byName = new Map(said.map((atom) => [atom.id, atom]));
  const listing = new Map<string, string>();
  for (const { name, choices, part } of listed) {
    if (byName.has(name)) throw part.wrong(say.groupIsAtom({ name }));
    for (const choice of choices) {
      const other = listing.get(choice);
      if (other !== undefined) throw part.wrong(say.twoGroups({ name: choice, group: other, other: name }));
      listing.set(choice, name);
    }
  }
  const atoms = said.map(({ part, ...atom }) => {
    const group = groupOf(atom, byName);
    const other = listing.get(atom.id);
    if (group !== undefined && other !== undefined && group !== other)
      throw part.wrong(say.twoGroups({ name: atom.id, group, other }));
    if (group !== undefined && byName.has(group)) throw part.wrong(say.groupIsAtom({ name: group }));
    return { ...atom, group: group ?? other, parent: parentOf(atom, byName) };
  });
  return { atoms, groups: groupsOf(atoms, listed) };
}

/** The parts of an alternative are no alternatives, even if they were written as such. */
function groupOf(
  { group, parent }: Pick<ReadAtom, 'group' | 'parent'>,
  atoms: ReadonlyMap<string, ReadAtom>,
): string | undefined {
  const above = parent === undefined ? undefined : atoms.get(parent);
  return group !== undefined && above?.group === group ? undefined : group;
}

function parentOf({ parent }: Pick<ReadAtom, 'parent'>, atoms: ReadonlyMap<string, ReadAtom>): string | undefined {
  return parent !== undefined && atoms.has(parent) ? parent : undefined;
}

function groupsOf(atoms: readonly StateAtom[], listed: readonly ReadGroup[]): StateGroup[] {
  const groups = new Map<string, StateGroup>(listed.map(({ part: _, ...group }) => [group.name, group]));
  for (const { id, group: name } of atoms) {
    if (name === undefined) continue;
    const group = groups.get(name) ?? { name, choices: [], selected: undefined, failed: [] };
    if (!group.choices.includes(id)) groups.set(name, { ...group, choices: [...group.choices, id] });
  }
  for (const { part, name } of listed) {
    const { selected, choices = [] } = groups.get(name) ?? {};
    if (selected !== undefined && !choices.includes(selected))
      throw (part.get('selected') ?? part).wrong(say.notAChoice({ selected, group: name }));
  }
  return [...groups.values()].filter(({ choices }) => choices.length > 0);
}

function bindingFrom(part: Part): { summary: string; artifacts: string[] } {
  if (part.value === null) return { summary: '', artifacts: [] };
  if (!part.isMapping) return { summary: part.text(), artifacts: [] };
  return { summary: part.get('summary')?.text() ?? '', artifacts: lines(part.get('artifacts')) };
}
