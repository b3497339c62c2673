import { oneLine, withoutCommands } from '../../../core/text/text.ts';
import { Check, type CheckItem, CommandLine, FileGlob, MOST_ATOMS, PlanName } from '../plan/plan.ts';
import { type ReadYaml, readYaml, wrongLine } from '../yaml/read-yaml.ts';
import * as say from './messages.ts';
import { checkCycles, Part, type State, type StateAtom, type StateGroup, type StateObjective } from './state.ts';

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
  checkCycles(state, whole.need('atoms'));
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

const LONGEST_TEXT = 20_000;
const LONGEST_ANSWER = 4000;
const MOST_LINES = 200;
const MOST_CLARIFICATIONS = 50;
const LIMITS = { max_iterations: 'iterations', max_parallel_agents: 'parallel', max_stall_count: 'stall' } as const;
const MOST_ALLOWED = { iterations: 1000, parallel: 64, stall: 100 } as const;

/** Returns the objective of a state file. Only its goal and base case have to be there. */
function objectiveFrom(part: Part): StateObjective {
  const goal = part.need('goal');
  if (goal.text().trim() === '') throw goal.wrong(say.missingPart({ name: 'goal' }));
  const constraints = part.get('constraints');
  const scope = part.get('scope');
  return {
    goal: goal.text().trim().slice(0, LONGEST_TEXT).toWellFormed(),
    background: lines(part.get('background_intent')).join('\n').slice(0, LONGEST_TEXT).toWellFormed(),
    deliverables: lines(part.get('deliverables')),
    done: lines(part.get('definition_of_done')),
    constraints: constraints?.isMapping ? otherConstraints(constraints) : lines(constraints),
    limits: constraints?.isMapping ? limitsIn(constraints) : {},
    inScope: scope?.isMapping ? lines(scope.get('in_scope')) : lines(scope),
    outOfScope: scope?.isMapping ? lines(scope.get('out_of_scope')) : [],
    clarifications: clarificationsIn(part.get('clarifications')),
    baseCase: baseCaseFrom(part.need('base_case')),
  };
}

function limitsIn(constraints: Part): StateObjective['limits'] {
  return Object.fromEntries(
    Object.entries(LIMITS).flatMap(([theirs, ours]) => {
      const given = constraints.get(theirs);
      return given ? [[ours, Math.min(given.count(1), MOST_ALLOWED[ours])]] : [];
    }),
  );
}

/** Where we write constraints that are texts. */
const OURS = 'others';

function otherConstraints(constraints: Part): string[] {
  const others = constraints.entries().filter(([name, { value }]) => !Object.hasOwn(LIMITS, name) && value !== null);
  return others
    .flatMap(([name, each]) => lines(each).map((text) => lineOf(name === OURS ? text : `${name}: ${text}`)))
    .slice(0, MOST_LINES);
}

function clarificationsIn(part: Part | undefined): StateObjective['clarifications'] {
  const all = (part?.items() ?? []).map((each) => {
    if (!each.isMapping) return { question: lineOf(each.text()), answer: '' };
    const answer = each.get('resolution') ?? each.get('answer');
    return { question: lineOf(each.need('question').text()), answer: (answer?.text() ?? '').slice(0, LONGEST_ANSWER) };
  });
  return all.filter(({ question }) => question !== '').slice(0, MOST_CLARIFICATIONS);
}

/** Texts of a list, or of one text; of what is neither, what it says in short. */
function lines(part: Part | undefined): string[] {
  if (!part) return [];
  const texts = part.isList ? part.items().map(shown) : [shown(part)];
  return texts
    .map(lineOf)
    .filter((text) => text !== '')
    .slice(0, MOST_LINES);
}

function shown(part: Part): string {
  if (part.value === null) return '';
  return part.isMapping || part.isList ? (JSON.stringify(part.value) ?? '') : part.text();
}

const MOST_LEVELS = 8;
const LONGEST_LINE = 1000;

/** Returns the base case of a state file as a checklist of ours: older files have one check, newer ones a list. */
function baseCaseFrom(part: Part): CheckItem[] {
  const list = part.isMapping ? part.get('checklist') : part;
  const items = !list
    ? [itemFrom(part, 0)]
    : list.isList
      ? list.items().map((each) => itemFrom(each, 0))
      : [itemFrom(list, 0)];
  if (items.length === 0) throw part.wrong(say.noChecks());
  return items;
}

function itemFrom(part: Part, depth: number): CheckItem {
  if (depth === MOST_LEVELS) throw part.wrong(say.tooDeep());
  if (!part.isMapping) return asserted(part.text());
  const check = part.get('check');
  const several = [part.get('group'), part.get('all_of'), part.get('any_of')].map(
    (list) => list && nested(list, depth),
  );
  const [group, allOf, anyOf] = several;
  const all = group ?? allOf;
  const item = lineOf(part.get('item')?.text() ?? part.get('description')?.text() ?? '');
  const named = (fallback: string) => ({ item: item || lineOf(fallback) || '?' });
  if (check) return { ...named(nameOf(check)), check: checkFrom(check) };
  if (all) return { ...named(all.map((each) => each.item).join('; ')), all_of: all };
  if (anyOf) return { ...named(anyOf.map((each) => each.item).join('; ')), any_of: anyOf };
  return part.get('type') ? { ...named(nameOf(part)), check: checkFrom(part) } : asserted(part.need('item').text());
}

function nested(list: Part, depth: number): CheckItem[] {
  const items = list.items().map((each) => itemFrom(each, depth + 1));
  if (items.length === 0) throw list.wrong(say.noChecks());
  return items;
}

function asserted(text: string): CheckItem {
  const line = lineOf(text) || '?';
  return { item: line, check: { assertion: line } };
}

function nameOf(check: Part): string {
  if (!check.isMapping) return check.text();
  const value = check.get('value') ?? check.get('command') ?? check.get('path') ?? check.get('type');
  return value && !value.isMapping && !value.isList ? value.text() : '';
}

const FILES: Readonly<Record<string, 'file' | 'not_file'>> = { file: 'file', not_file: 'not_file' };
const COMMANDS: Readonly<Record<string, 'command' | 'not_command'>> = {
  command: 'command',
  not_command: 'not_command',
};

/** Returns a check of ours. What cannot be looked at here, such as a file elsewhere, is for a person to say. */
function checkFrom(part: Part): Check {
  if (!part.isMapping) return { assertion: lineOf(part.text()) || '?' };
  const type = part.need('type').text();
  const command = Object.hasOwn(COMMANDS, type) ? COMMANDS[type] : undefined;
  const file = Object.hasOwn(FILES, type) ? FILES[type] : undefined;
  const value =
    part.get('value') ?? (command && part.get('command')) ?? (file && (part.get('path') ?? part.get('file')));
  if (type === 'quality') return qualityFrom(part, value);
  if (command) {
    const given = value ?? part.need('value');
    const line = CommandLine.safeParse(given.text());
    if (!line.success) throw given.wrong(say.wrongCommand({ why: line.error.issues[0]?.message ?? '' }));
    return command === 'command' ? { command: line.data } : { not_command: line.data };
  }
  const said = value && !value.isMapping && !value.isList ? value.text() : '';
  if (file) {
    const glob = FileGlob.safeParse((value ?? part.need('value')).text().replace(/^(?:\.\/)+/, ''));
    if (glob.success) return file === 'file' ? { file: glob.data } : { not_file: glob.data };
  }
  const text = type === 'assertion' ? said : say.checkedByHand({ what: type, value: said }).text;
  return { assertion: lineOf(text) || '?' };
}

/** Returns a rubric, or criteria in words. */
function qualityFrom(part: Part, value: Part | undefined): Check {
  const whole = value?.isMapping ? value : part;
  const criteria = whole.get('rubric') ?? whole.get('criteria') ?? value;
  if (!criteria) throw part.wrong(say.missingPart({ name: 'rubric' }));
  const rubric = criteria.itemsOrOne().map((each) => {
    if (!each.isMapping) return { criterion: lineOf(each.text()) || '?', weight: 1 };
    const levels = each.get('levels');
    const description = each.get('description')?.text();
    return {
      criterion: lineOf((each.get('criterion') ?? each.need('name')).text()) || '?',
      weight: each.get('weight')?.value ?? 1,
      ...(description === undefined ? {} : { description: description.slice(0, 4000) }),
      ...(levels?.isMapping
        ? { levels: Object.fromEntries(levels.entries().map(([n, text]) => [n, text.text().slice(0, LONGEST_LINE)])) }
        : {}),
    };
  });
  const threshold = (whole.get('pass_threshold') ?? whole.get('threshold'))?.value;
  const scope = whole.get('scope')?.value;
  const glob = typeof scope === 'string' ? FileGlob.safeParse(scope.replace(/^(?:\.\/)+/, '')).data : undefined;
  const quality = {
    rubric,
    ...(threshold === undefined ? {} : { threshold }),
    ...(glob === undefined ? {} : { scope: glob }),
  };
  const checked = Check.safeParse({ quality });
  if (!checked.success) throw part.wrong(say.notNumber({ name: 'weight / pass_threshold' }));
  return checked.data;
}

/** Returns a text as one line of a plan. */
export function lineOf(text: string): string {
  return withoutCommands(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_LINE).toWellFormed().trim();
}

/** A state file: YAML between two lines of hyphens, then text. All parts together are the whole file. */
export interface StateText {
  /** Up to and including the first line of hyphens. */
  readonly head: string;
  readonly yaml: string;
  /** From the second line of hyphens on. */
  readonly tail: string;
  /** Lines before the YAML. */
  readonly linesBefore: number;
}

/** The first line, after a byte order mark. */
const OPENING = /^\ufeff?---[ \t]*\r?(?:\n|$)/;
const CLOSING = /^---[ \t]*\r?$/;
/** Sections that only this format has, at the beginning of a line. */
const SECTIONS = /^(?:objective|control|atoms):/m;
const LOOKED_AT = 100_000;

/** Tells whether a file looks like a state file, so that it can be told what is wrong with it. */
export function isStateText(text: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  return OPENING.test(start) || (!/^\ufeff?\s*[[{"]/.test(start) && SECTIONS.test(start));
}

/** @throws ThoughtTreeError `damaged` with file and line */
export function splitState(text: string, file: string): StateText {
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) throw wrongLine(file, 1, say.noFrontMatter());
  let at = opening.length;
  let line = 1;
  while (at < text.length) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    line++;
    if (CLOSING.test(text.slice(at, end)))
      return { head: opening, yaml: text.slice(opening.length, at), tail: text.slice(at), linesBefore: 1 };
    at = end + 1;
  }
  throw wrongLine(file, line, say.notClosed());
}
