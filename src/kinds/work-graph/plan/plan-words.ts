import { counted, message } from '../../../core/messages/message.ts';

// A plan, for the person who is asked whether it may begin

export const planGoal = message('work.plan-goal', 'Goal: {goal}');
export const planBaseCase = message('work.plan-base-case', 'It is reached when:');
export const planAtoms = counted('work.plan-atoms', 'One atom:', '{count:number} atoms:');
export const moreAtoms = message('work.more-atoms', '  … {count:number} more');
export const planAtom = message('work.plan-atom', '  {id} {title}');
export const planAtomWith = message('work.plan-atom-with', '  {id} {title} ({notes})');
export const alternativeOf = message('work.alternative-of', 'alternative of {group}');
export const after = message('work.after', 'after {names}');
export const probedFirst = message('work.probed-first', 'probed first');
export const byPerson = message('work.by-person', 'a person does it');
export const byCommand = message('work.by-command', 'a command does it');
export const planItem = message('work.plan-item', '{indent}- {item}: {check}');
export const planAllOf = message('work.plan-all-of', '{indent}- {item}, all of:');
export const planAnyOf = message('work.plan-any-of', '{indent}- {item}, any of:');
export const checkedByCommand = message('work.checked-by-command', '{command} succeeds');
export const checkedByFailure = message('work.checked-by-failure', '{command} fails');
export const checkedByFile = message('work.checked-by-file', 'there is {glob}');
export const checkedByNoFile = message('work.checked-by-no-file', 'there is no {glob}');
export const checkedByPerson = message('work.checked-by-person', 'a person says so');
export const checkedByVotes = message('work.checked-by-votes', 'a model votes by a rubric');
export const planLimits = message(
  'work.plan-limits',
  'At most {iterations:number} iterations, {parallel:number} workers at once, and {stall:number} iterations without progress.',
);
