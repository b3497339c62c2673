import { counted, message } from '../../../core/messages/message.ts';

export const noWorkshop = message(
  'work.no-workshop',
  'This search changes files and runs commands, which nobody allowed here. Continue it where that is possible.',
);
export const noPlan = message(
  'work.no-plan',
  'There is no plan.yaml, and no model that could make one. Begin the search with a plan, or with a model.',
);
export const tooLongAtom = message(
  'work.too-long-atom',
  'The checks of {name} are too long together. Put them into a script, and let one check run that.',
);

// The plan, before it begins
export const heldBy = message('work.held-by', 'Commands are held in their own folder by {sandbox}.');
export const notHeld = message(
  'work.not-held',
  'Nothing here holds commands in their own folder: they could change any of your files. What changes in the workspace meanwhile stops them.',
);
export const uncommitted = counted(
  'work.uncommitted',
  'One file is not committed; the work begins without it: {paths}',
  '{count:number} files are not committed; the work begins without them: {paths}',
);
export const withoutSubmodules = counted(
  'work.without-submodules',
  'Without 1 submodule, whose files are neither seen nor changed: {paths}',
  'Without {count:number} submodules, whose files are neither seen nor changed: {paths}',
);
export const uncommittedTaken = counted(
  'work.uncommitted-taken',
  'One file is not committed; the work begins with it: {paths}',
  '{count:number} files are not committed; the work begins with them: {paths}',
);

// Work
export const working = message('work.working', 'Working on {name}: {title}');
export const joining = message('work.joining', 'Joining the work on {name}: {title}');
export const verifying = message('work.verifying', 'Looking whether the goal is reached');
export const commandFailed = message('work.command-failed', '{line} ended with exit code {code:number}. {seen}');
export const commandStopped = message('work.command-stopped', '{line} was stopped: {why}. {seen}');
export const strayed = message(
  'work.strayed',
  'Files of the workspace changed while it was worked on, which nothing here may change: {paths}. Look at them, then retry the atom.',
);
export const conflictIn = message('work.conflict-in', 'What others did meanwhile is in its way: {paths}.');
export const notFeasible = message('work.not-feasible', 'It cannot be done: {findings}');
export const workDone = message('work.work-done', 'A command did it: {line}');
export const reachedIf = message('work.reached-if', 'What the goal needs: {item}');
export const reachedIfSeen = message(
  'work.reached-if-seen',
  'Everything planned is done, and this does not hold: {item}. {seen}',
);
export const switched = message('work.switched', '{group}: {from} failed, {to} is next.');
export const saidNo = message('work.said-no', 'Whoever worked on it says that it is not done.');

export const noWorker = message(
  'work.no-worker',
  'No model is there to work on {name}. Give a model, or do it yourself: it can be taken as an offer.',
);

// Why it goes no further

// Faults of an answer
export const wrongAnswer = message('work.wrong-handed-in', 'An answer is {form}: {why}');
export const oneOf = counted(
  'work.one-of',
  'This is the only way so far:',
  'One of these {count:number} ways has to lead there:',
);
export const allOf = counted('work.all-of', 'It has one part:', 'It has {count:number} parts:');
export const gaveUp = message('work.gave-up', '{from} was given up.');
export const baseCase = message('work.base-case', 'What has to hold in the end');
export const noAlternative = message(
  'work.no-alternative',
  'No alternative is left of {groups}. Add one, or retry one that failed; then continue.',
);
export const noIterations = message(
  'work.no-iterations',
  'The iterations that the plan allows ({limit:number}) are over. Look at what is not resolved, then let it go on.',
);
export const stalled = message(
  'work.stalled',
  '{limit:number} iterations in a row brought nothing new. These failed last: {atoms}. Look at what was seen there, change the plan or help, then let it go on.',
);
export const atomsForPerson = message(
  'work.atoms-for-person',
  'What these atoms did cannot be checked here: {atoms}. Look at it, choose Say whether it holds… (or use the command assert), then resume the search.',
);
export const goalForPerson = message(
  'work.goal-for-person',
  'Everything planned is done. Only a person can say whether this is so: {items}. Look at it, choose Say whether it holds… (or use the command assert), then resume the search.',
);
export const baseCaseFails = message(
  'work.base-case-fails',
  'Everything planned is done, and this does not hold: {items}. Add an atom for it, or change the goal; then continue.',
);
export const stuck = message(
  'work.stuck',
  'These failed, and nothing takes their place: {failed}. These wait for what never comes: {never}. Retry the first ones, or change what the others depend on.',
);
export const notToDo = message('work.not-to-do', '{name} is not to be done any more.');
