import { counted, message } from '../../../core/messages/message.ts';

export const reached = message(
  'work.report-reached',
  '**The goal is reached**: every item of the base case is verified.',
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
export const baseCase = message('work.report-base-case', 'What has to hold in the end');
export const verified = message('work.report-verified', 'What is verified, and by what');
export const notVerified = message('work.report-not-verified', 'What is not, and why');
export const choices = message('work.report-choices', 'Choices');
export const corrections = message('work.report-corrections', 'Corrections');
export const changes = message('work.report-changes', 'What was changed, atom by atom');
export const nothingChanged = message('work.report-nothing-changed', 'No file was changed.');
export const whole = counted(
  'work.report-whole',
  'In all: 1 file, +{added:number} −{removed:number}.',
  'In all: {count:number} files, +{added:number} −{removed:number}.',
);
export const moreFiles = counted('work.report-more-files', 'and 1 more', 'and {count:number} more');
export const judgesFirst = message('work.report-judges', '{path} (what the work is judged by)');
export const outside = message('work.report-outside', '{path} (outside of what the atom touches)');
export const iterations = counted(
  'work.report-iterations',
  '1 iteration, {tries:number} tries of {atoms:number} atoms',
  '{count:number} iterations, {tries:number} tries of {atoms:number} atoms',
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
