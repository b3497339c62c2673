import type { Message } from '../../../core/messages/message.ts';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { isSameJson, namesOf } from '../../../core/text/loose-json.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { GivenPlan } from '../../../engine/kind.ts';
import * as say from '../messages.ts';
import { asSaid, editYaml } from '../yaml/edit-yaml.ts';
import { blockYaml } from '../yaml/print-yaml.ts';
import { type Fields, readYaml, wrongLine } from '../yaml/read-yaml.ts';
import { planProblems, planWarnings } from './check-plan.ts';
import { type Check, type CheckItem, commandsOf, PlanFile, type PlannedAtom } from './plan.ts';

/** The name of the file in errors. */
const PLAN_FILE = 'plan.yaml';

/**
 * A plan from the text of a file, whoever wrote it.
 * @param file what errors call it
 * @throws ThoughtTreeError `damaged` with file and line, saying what to do
 */
export function readPlan(text: string, file: string = PLAN_FILE): PlanFile {
  const { value, lineOf } = readYaml(text.replace(/^\ufeff/, ''), { file });
  const checked = PlanFile.safeParse(value);
  if (!checked.success) throw wrongLine(file, lineOf(checked.error.issues[0]?.path ?? []), wrongField(checked.error));
  const [problem] = planProblems(checked.data);
  if (problem) throw wrongLine(file, lineOf(problem.path), problem.why);
  return checked.data;
}

/**
 * Checks a plan that did not come from a file.
 * @returns what is probably not meant as it says
 * @throws ThoughtTreeError `damaged` saying what to do
 */
export function checkPlan(plan: PlanFile): readonly Message[] {
  const [problem] = planProblems(plan);
  if (problem)
    throw new ThoughtTreeError('damaged', say.wrongPlan({ file: PLAN_FILE, why: problem.why }), { file: PLAN_FILE });
  return planWarnings(plan);
}

/**
 * A plan as the text of a file.
 * @param before the text that it was read from, if it was: comments, and every byte of what did not change, stay
 * @throws ThoughtTreeError `damaged` if `before` cannot be read
 */
export function writePlan(plan: PlanFile, before?: string): string {
  const said = withoutDefaults(plan);
  if (before === undefined) return blockYaml(said);
  const mark = before.startsWith('\ufeff') ? '\ufeff' : '';
  const text = before.slice(mark.length);
  const source = { file: 'plan.yaml' };
  const { value } = readYaml(text, source);
  const earlier = PlanFile.safeParse(value).data;
  return mark + editYaml(text, earlier ? asSaid(value, earlier, plan, said) : said, source);
}

/** Returns what a person would write. */
function withoutDefaults(plan: PlanFile): Fields {
  const { limits, atoms, groups, ...goal } = plan;
  const { iterations, parallel, stall } = limits;
  const isUsual = isSameJson(limits, PlanFile.shape.limits.parse(undefined));
  return {
    ...withoutEmpty(goal),
    ...(isUsual ? {} : { limits: { iterations, parallel, stall } }),
    atoms: atoms.map(({ probe, ...atom }) => withoutEmpty({ ...atom, ...(probe ? { probe } : {}) })),
    ...withoutEmpty({ groups }),
  };
}

function withoutEmpty(fields: Fields): Fields {
  const kept = namesOf(fields).filter((name) => !Array.isArray(fields[name]) || fields[name].length > 0);
  return Object.fromEntries(kept.map((name) => [name, fields[name]]));
}

/** Returns a plan that a person gives, checked. @throws ThoughtTreeError `damaged` naming the line */
export function givenPlan(text: string, file: string): GivenPlan {
  const plan = readPlan(text, file);
  return {
    prompt: plan.goal,
    text,
    lines: [...planLines(plan), ...planWarnings(plan)],
    commands: commandsOf(plan),
    nodes: plan.atoms.length,
  };
}

/** The most characters of a line, and the most atoms that are listed. */
const LONGEST_SHOWN = 300;
const MOST_LISTED = 100;

/** Returns a plan for people: what is to be reached, when it is reached, and the atoms with what they wait for. */
export function planLines(plan: PlanFile): Message[] {
  const { goal, base_case: baseCase, atoms, limits } = plan;
  const more = atoms.length - MOST_LISTED;
  return [
    say.planGoal({ goal: oneLine(goal, LONGEST_SHOWN) }),
    say.planBaseCase(),
    ...itemLines(baseCase, 1),
    say.planAtoms({ count: atoms.length }),
    ...atoms.slice(0, MOST_LISTED).flatMap(atomLines),
    ...(more > 0 ? [say.moreAtoms({ count: more })] : []),
    say.planLimits(limits),
  ];
}

function atomLines({ id, title, depends_on: after, group, by, run, probe, checks }: PlannedAtom): Message[] {
  const notes = [
    ...(group === undefined ? [] : [say.alternativeOf({ group })]),
    ...(after.length === 0 ? [] : [say.after({ names: after.join(', ') })]),
    ...(probe ? [say.probedFirst()] : []),
    ...(by === 'person' ? [say.doneByPerson()] : run === undefined ? [] : [say.doneByCommand()]),
  ];
  const named = { id, title: oneLine(title, LONGEST_SHOWN) };
  const line = notes.length === 0 ? say.planAtom(named) : say.planAtomWith({ ...named, notes });
  return [line, ...itemLines(checks, 2)];
}

/** @param depth how far they are set in, from 1 */
function itemLines(items: readonly CheckItem[], depth: number): Message[] {
  const indent = '  '.repeat(depth);
  return items.flatMap(({ item, check, all_of: all, any_of: any }) => {
    const text = oneLine(item, LONGEST_SHOWN);
    if (check) return [say.planItem({ indent, item: text, check: checkSaid(check) })];
    const title = (all ? say.planAllOf : say.planAnyOf)({ indent, item: text });
    return [title, ...itemLines(all ?? any ?? [], depth + 1)];
  });
}

/** Says in a few words how something is checked. */
function checkSaid(check: Check): Message {
  if ('command' in check) return say.checkedByCommand({ command: oneLine(check.command, LONGEST_SHOWN) });
  if ('not_command' in check) return say.checkedByFailure({ command: oneLine(check.not_command, LONGEST_SHOWN) });
  if ('file' in check) return say.checkedByFile({ glob: check.file });
  if ('not_file' in check) return say.checkedByNoFile({ glob: check.not_file });
  if ('assertion' in check) return say.checkedByPerson();
  return say.checkedByVotes();
}
