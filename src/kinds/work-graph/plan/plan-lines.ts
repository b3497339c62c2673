import type { Message } from '../../../core/messages/message.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { Check, CheckItem, PlanFile, PlannedAtom } from './plan.ts';
import * as say from './plan-words.ts';

/** The most characters of a line, and the most atoms that are listed. */
const LONGEST = 300;
const MOST_LISTED = 100;

/** A plan for people: what is to be reached, when it is reached, and the atoms with what they wait for. */
export function planLines(plan: PlanFile): Message[] {
  const { goal, base_case: baseCase, atoms, limits } = plan;
  const more = atoms.length - MOST_LISTED;
  return [
    say.planGoal({ goal: oneLine(goal, LONGEST) }),
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
    ...(by === 'person' ? [say.byPerson()] : run === undefined ? [] : [say.byCommand()]),
  ];
  const named = { id, title: oneLine(title, LONGEST) };
  const line = notes.length === 0 ? say.planAtom(named) : say.planAtomWith({ ...named, notes });
  return [line, ...itemLines(checks, 2)];
}

/** @param depth how far they are set in, from 1 */
function itemLines(items: readonly CheckItem[], depth: number): Message[] {
  const indent = '  '.repeat(depth);
  return items.flatMap(({ item, check, all_of: all, any_of: any }) => {
    const text = oneLine(item, LONGEST);
    if (check) return [say.planItem({ indent, item: text, check: checkSaid(check) })];
    const title = (all ? say.planAllOf : say.planAnyOf)({ indent, item: text });
    return [title, ...itemLines(all ?? any ?? [], depth + 1)];
  });
}

/** Says in a few words how something is checked. */
function checkSaid(check: Check): Message {
  if ('command' in check) return say.checkedByCommand({ command: oneLine(check.command, LONGEST) });
  if ('not_command' in check) return say.checkedByFailure({ command: oneLine(check.not_command, LONGEST) });
  if ('file' in check) return say.checkedByFile({ glob: check.file });
  if ('not_file' in check) return say.checkedByNoFile({ glob: check.not_file });
  if ('assertion' in check) return say.checkedByPerson();
  return say.checkedByVotes();
}
