import { counted, message } from '../../core/messages/message.ts';

// Faults of a plan

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

// Things that are only warned about in a plan
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

// A plan, for the person who is asked whether it may begin

export const planGoal = message('work.plan-goal', 'Goal: {goal}');
export const planBaseCase = message('work.plan-base-case', 'It is reached when:');
export const planAtoms = counted('work.plan-atoms', 'One task:', '{count:number} tasks:');
export const moreAtoms = message('work.more-atoms', '  … {count:number} more');
export const planAtom = message('work.plan-atom', '  {id} {title}');
export const planAtomWith = message('work.plan-atom-with', '  {id} {title} ({notes})');
export const alternativeOf = message('work.alternative-of', 'alternative of {group}');
export const after = message('work.after', 'after {names}');
export const probedFirst = message('work.probed-first', 'probed first');
export const doneByPerson = message('work.by-person', 'a person does it');
export const doneByCommand = message('work.by-command', 'a command does it');
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

// Faults of a model's answer. These words go back to the model, so that it can correct the answer.

export const wrongAnswer = message('work.wrong-answer', 'The answer is not in the form asked for: {why}');
export const wrongPlanOfModel = message('work.wrong-plan-of-model', 'The plan cannot be carried out: {why}');
export const wrongScores = message(
  'work.wrong-scores',
  'Each of the {count} criteria needs one score from 1 to 5, in their order.',
);
export const wrongParts = message('work.wrong-parts', 'There have to be 2 to {most} parts.');
export const wrongOrder = message(
  'work.wrong-order-of-parts',
  'Part {part} can only wait for earlier parts, counted from 0.',
);
export const sameName = message('work.same-part', 'Two parts are called "{title}".');

// Running

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
  'Files of the workspace changed while it was worked on, which nothing here may change: {paths}. Look at them, then retry the task.',
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

// Faults of an answer
export const wrongHandedIn = message('work.wrong-handed-in', 'An answer is {form}: {why}');

// Documents of parts and alternatives
export const oneOf = counted(
  'work.one-of',
  'This is the only way so far:',
  'One of these {count:number} ways has to lead there:',
);
export const allOf = counted('work.all-of', 'It has one part:', 'It has {count:number} parts:');
export const gaveUp = message('work.gave-up', '{from} was given up.');
export const baseCase = message('work.base-case', 'What has to hold in the end');

// Why it goes no further
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
  'What these tasks did cannot be checked here: {atoms}. Look at it, choose Confirm or reject… (or use the command assert), then resume the search.',
);
export const goalForPerson = message(
  'work.goal-for-person',
  'Everything planned is done. Only a person can say whether this is so: {items}. Look at it, choose Confirm or reject… (or use the command assert), then resume the search.',
);
export const baseCaseFails = message(
  'work.base-case-fails',
  'Everything planned is done, and this does not hold: {items}. Add a task for it, or change the goal; then continue.',
);
export const stuck = message(
  'work.stuck',
  'These failed, and nothing takes their place: {failed}. These wait for what never comes: {never}. Retry the first ones, or change what the others depend on.',
);
export const stuckFailed = message(
  'work.stuck-failed',
  'These failed, and nothing takes their place: {failed}. Retry them, or change the plan.',
);
export const stuckWaiting = message(
  'work.stuck-waiting',
  'These wait for what never comes: {never}. Change what they depend on.',
);
export const notToDo = message('work.not-to-do', '{name} is not to be done any more.');

// Checking work

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

// Deciding as a person

export const notAnAtom = message('work.not-an-atom', '"{title}" is no task of the goal.');
export const notAGroup = message(
  'work.not-a-group',
  '"{title}" is neither a group of alternatives nor one of them. To add a task, use redirect.',
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
export const tooManyAtoms = message('work.too-many-atoms', 'There are as many tasks as a goal may have.');

// Redirecting
export const wrongChange = message('work.wrong-change', 'This change cannot be made: {why}');
export const unknownAtom = message('work.unknown-atom', 'there is no task called {name}');
export const takenName = message('work.taken-name', 'the name {name} is taken');
export const waitsForItself = message('work.waits-for-itself', 'these would wait for themselves: {names}');
export const reopens = counted(
  'work.reopens',
  'It reopens one task: {names}.',
  'It reopens {count:number} tasks: {names}.',
);
export const reopensNone = message('work.reopens-none', 'It reopens nothing.');
export const stopsWork = counted(
  'work.redirect-stops',
  '{effect} Work on one task is stopped: {names}.',
  '{effect} Work on {count:number} tasks is stopped: {names}.',
);
export const checksGoalAgain = message('work.checks-goal-again', 'The base case is checked again.');
export const redirected = message('work.redirected', 'Changed. {effect}');

// Accepting work

export const notHere = message(
  'work.not-here',
  'Nothing here may look at the work or accept it. Do it in a terminal or in the editor.',
);
export const nothingChanges = message('work.nothing-changes', 'Nothing is changed.');
export const changedFiles = counted(
  'work.changes',
  '1 file changes: {added:number} lines more, {removed:number} lines less.',
  '{count:number} files change: {added:number} lines more, {removed:number} lines less.',
);
export const changesOutside = message(
  'work.changes-outside',
  '{changes} Changed by tasks that do not name them: {paths}',
);
export const brought = counted(
  'work.brought',
  'Accepted: 1 file of yours is changed, which can be undone. {kept}',
  'Accepted: {count:number} files of yours are changed, which can be undone. {kept}',
);
export const gitHasAll = message('work.git-has-all', 'All that was there before is in your last commit, too.');
export const gitLacks = message(
  'work.git-lacks',
  'Git cannot bring back these as they were, since they are not so in your last commit: {paths}.',
);
export const allNew = message('work.all-new', 'No file of yours was replaced.');
export const nothingToAccept = message(
  'work.nothing-to-accept',
  'Nothing was changed: your files have all of it already.',
);
export const undone = counted(
  'work.undone',
  'Undone: 1 file is as it was before it was accepted.',
  'Undone: {count:number} files are as they were before they were accepted.',
);
export const nothingToUndo = message('work.nothing-to-undo', 'Nothing was changed: nothing of this is in your files.');

// Report

export const reached = message(
  'work.report-reached',
  '**The goal is reached**: every item of the base case is verified.',
);
/** The outcome, in the notice at its end. */
export const goalReached = counted(
  'work.goal-reached',
  'Goal reached: {done:number} of 1 task.',
  'Goal reached: {done:number} of {count:number} tasks.',
);
export const goalOpen = counted(
  'work.goal-open',
  'Goal not reached yet: {done:number} of 1 task.',
  'Goal not reached yet: {done:number} of {count:number} tasks.',
);
export const notReached = message('work.report-not-reached', '**The goal is not reached yet.**');
export const goalHolds = message(
  'work.report-goal-holds',
  '{held:number} of {all:number} things that have to hold in the end are verified.',
);
export const doneBy = message('work.report-done-by', 'Done: {atoms}.');
export const firstOpen = message('work.report-first-open', 'Missing first of all: {atom}: {why}.');
export const asked = message('work.report-asked', 'What was asked');
export const doneWhen = message('work.report-done-when', 'Done means: {what}');
export const keepsTo = message('work.report-keeps-to', 'It has to keep to: {what}');
export const delivers = message('work.report-delivers', 'It delivers: {what}');
export const reportBaseCase = message('work.report-base-case', 'What has to hold in the end');
export const verified = message('work.report-verified', 'What is verified, and by what');
export const notVerified = message('work.report-not-verified', 'What is not, and why');
export const choices = message('work.report-choices', 'Choices');
export const corrections = message('work.report-corrections', 'Corrections');
export const changesByAtom = message('work.report-changes', 'What was changed, task by task');
export const nothingChanged = message('work.report-nothing-changed', 'No file was changed.');
export const whole = counted(
  'work.report-whole',
  'In all: 1 file, +{added:number} −{removed:number}.',
  'In all: {count:number} files, +{added:number} −{removed:number}.',
);
export const moreFiles = counted('work.report-more-files', 'and 1 more', 'and {count:number} more');
export const judgesFirst = message('work.report-judges', '{path} (what the work is judged by)');
export const outside = message('work.report-outside', '{path} (outside of what the task touches)');
export const iterations = counted(
  'work.report-iterations',
  '1 iteration, {tries:number} tries of {atoms:number} tasks',
  '{count:number} iterations, {tries:number} tries of {atoms:number} tasks',
);

// Ways in which something is known
export const byCommand = message('work.by-exit-code', 'exit code {code:number} at {commit}');
export const byVotes = message('work.by-votes', 'votes {votes} at {commit}');
export const bySaying = message('work.by-saying', '{by} at {commit}');
export const byParts = message('work.by-parts', 'its parts at {commit}');
export const byFiles = message('work.by-files', 'files at {commit}');
export const unknown = message('work.report-unknown', 'not looked at yet');
export const cannotCheck = message('work.report-cannot-check', 'cannot be checked here');
export const contradicted = message('work.report-contradicted', 'does not hold');
export const holds = message('work.report-holds', 'verified');
export const onlySaid = message('work.report-only-said', 'only said by whoever worked on it');
export const noChecks = message('work.report-no-checks', 'joined; it has no checks of its own');
export const onlyCommand = message(
  'work.report-only-command',
  'its command ended with exit code 0; it has no checks of its own',
);
export const failed = message('work.report-failed', 'failed: {why}');
export const waitsForPerson = message('work.report-for-person', 'waits for a person: {items}');
export const proposed = message('work.report-proposed', 'proposed; nobody agreed to it');
export const notChosen = message('work.report-not-chosen', 'not chosen');
export const notDone = message('work.report-not-done', 'not done yet');
export const lastSeen = message('work.report-last-seen', 'not done yet; last: {why}');

// Status

export const ready = message('work.row-ready', 'Ready');
export const running = message('work.row-running', 'Running');
export const forPerson = message('work.row-person', 'For you');
export const waiting = message('work.row-waiting', 'Waiting');
export const goal = message('work.row-goal', 'Goal');
export const atom = message('work.row-atom', '{name} {title}');
export const atomTried = message('work.row-atom-tried', '{name} {title} (last try: {why})');
export const rowOutside = message('work.row-outside', 'Outside');
export const rowChangedOutside = message(
  'work.row-changed-outside',
  '{name} {title} changed files that it does not name: {paths}',
);
export const waitsFor = message('work.row-waits-for', '{name} {title} (waits for {names})');
export const waitsForEver = message(
  'work.row-waits-for-ever',
  '{name} {title} (can never be ready: it waits for {names})',
);
export const more = message('work.row-more', '… {count:number} more');

/** The items of a checklist, by how sure they are. */
export const items = {
  verified: counted('work.items-verified', '1 item is verified', '{count:number} items are verified'),
  checked: counted('work.items-checked', '1 item is checked', '{count:number} items are checked'),
  reported: counted('work.items-reported', '1 item is reported', '{count:number} items are reported'),
  contradicted: counted('work.items-contradicted', '1 item does not hold', '{count:number} items do not hold'),
  uncheckable: counted(
    'work.items-uncheckable',
    '1 item cannot be checked here',
    '{count:number} items cannot be checked here',
  ),
};
