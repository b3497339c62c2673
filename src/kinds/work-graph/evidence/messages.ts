import { message } from '../../../core/messages/message.ts';

export const checking = message(
  'work.checking',
  'Checking {name}: items of its own: {own:number}; of what was joined before: {earlier:number}',
);
export const personSays = message('work.person-says', 'A person has to say so.');
export const noFile = message('work.no-file', 'No file matches {glob}.');
export const intricateGlob = message('work.intricate-glob', 'This pattern is too intricate to be looked for: {glob}');
export const changedOutside = message(
  'work.changed-outside',
  'Files of the workspace changed meanwhile, which nothing here may change: {paths}.',
);
export const tookTooLong = message('work.took-too-long', 'It took too long and was stopped.');
export const tooMuchOutput = message('work.too-much-output', 'It wrote too much and was stopped.');
export const cannotRun = message('work.cannot-run', 'It cannot be run here: a program is missing, or may not be run.');
export const noJudge = message('work.no-judge', 'No model is there to judge it.');
export const noVotes = message('work.no-votes', 'The model gave no votes.');
export const votes = message('work.votes', 'The mean of the votes is {mean}; it has to be {threshold:number}.');
export const changedChecks = message(
  'work.changed-checks',
  'It changed what it is judged by: {paths}. Only an atom whose "touches" names these files may change them.',
);
export const oldCheckFails = message(
  'work.old-check-fails',
  'It changed what it is judged by, as its "touches" allows: {paths}. As it was before, this check says: {seen}',
);
