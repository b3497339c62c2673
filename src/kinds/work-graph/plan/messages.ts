import { message } from '../../../core/messages/message.ts';

export const wrongPlan = message('work.plan.wrong', '{file}: {why}.');
export const nameTwice = message(
  'work.plan.name-twice',
  'the name "{name}" is there twice; give each atom and group its own',
);
export const noSuchName = message(
  'work.plan.no-such-name',
  '"{name}" waits for "{missing}", which is neither an atom nor a group; correct the name',
);
export const noSuchAtom = message(
  'work.plan.no-such-atom',
  '"{name}" names "{missing}", which is no atom; correct the name',
);
export const otherGroup = message(
  'work.plan.other-group',
  '"{choice}" is a choice of "{group}", but its atom does not say "group: {group}"; make them agree',
);
export const notAChoice = message(
  'work.plan.not-a-choice',
  '"{name}" says the group "{group}", which does not list it; add it to the choices',
);
export const noChoices = message('work.plan.no-choices', 'the group "{group}" has no alternatives; add one');
export const noSuchChoice = message(
  'work.plan.no-such-choice',
  '"{selected}" is selected in "{group}", but is none of its choices; choose one of them',
);
export const partApart = message(
  'work.plan.part-apart',
  '"{name}" is an alternative of "{group}"; what it is part of is said at the group: move it there',
);
export const misplacedFallback = message(
  'work.plan.misplaced-fallback',
  '"{name}" has to be where the atom is that it replaces: a part of the same atom, and an alternative of the same group or of none; move it there',
);
export const cycle = message(
  'work.plan.cycle',
  'these wait for each other in a circle: {names}; remove one of the dependencies',
);
export const tooLarge = message(
  'work.plan.too-large',
  '"{name}" says more than {most:number} characters; say less, or split it',
);
export const itemsTooDeep = message(
  'work.plan.items-too-deep',
  'its checks are nested more than {most:number} levels deep; write them flatter',
);

// Things that are only warned about
export const choiceWithoutAtom = message(
  'work.plan.choice-without-atom',
  'The choice "{choice}" of "{group}" has no atom: it is never tried.',
);
export const parentRuns = message('work.plan.parent-runs', '"{name}" has parts, so its own command is never run.');
export const inverted = message(
  'work.plan.inverted',
  '"not_command: {command}" holds if the command fails. Programs such as npm audit fail if they find something: if nothing is to be found, write "command".',
);
export const weights = message(
  'work.plan.weights',
  'The weights of "{item}" add up to {sum}, not 1: they count relative to each other.',
);
