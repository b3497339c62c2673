import { counted, message } from '../../../core/messages/message.ts';

export const notAnAtom = message('work.not-an-atom', '"{title}" is no atom of the goal.');
export const notAGroup = message(
  'work.not-a-group',
  '"{title}" is neither a group of alternatives nor one of them. To add an atom, use redirect.',
);
export const notProposed = message('work.not-proposed', '"{title}" is not a proposal.');
export const nothingToSay = message(
  'work.nothing-to-say',
  'Nothing of "{title}" waits for a person: there is no work yet, or everything is checked.',
);
export const noSuchItem = message('work.no-such-item', '"{title}" has no item "{item}".');
export const asserted = message('work.asserted', '{by} says of "{title}": {says}.');
export const yes = message('work.yes', 'it holds');
export const no = message('work.no', 'it does not hold');
export const checkedAgain = message('work.checked-again', '"{title}" is checked again.');
export const forYou = message(
  'work.for-you',
  '"{title}" is for a person now. Once the search runs, it is an offer that names its checkout.',
);
export const proposalAccepted = message('work.proposal-accepted', '"{title}" is a part of the goal now.');
export const alternativeAdded = message('work.alternative-added', '"{title}" is an alternative now.');
export const goesOn = message('work.goes-on', 'Iterations are counted from here.');
export const tooManyAtoms = message('work.too-many-atoms', 'There are as many atoms as a goal may have.');

// Redirecting
export const wrongChange = message('work.wrong-change', 'This change cannot be made: {why}');
export const unknownAtom = message('work.unknown-atom', 'there is no atom called {name}');
export const takenName = message('work.taken-name', 'the name {name} is taken');
export const waitsForItself = message('work.waits-for-itself', 'these would wait for themselves: {names}');
export const reopens = counted(
  'work.reopens',
  'It reopens one atom: {names}.',
  'It reopens {count:number} atoms: {names}.',
);
export const reopensNone = message('work.reopens-none', 'It reopens nothing.');
export const stopsWork = counted(
  'work.redirect-stops',
  '{effect} Work on one atom is stopped: {names}.',
  '{effect} Work on {count:number} atoms is stopped: {names}.',
);
export const checksGoalAgain = message('work.checks-goal-again', 'The base case is checked again.');
export const redirected = message('work.redirected', 'Changed. {effect}');
