import { counted, message } from '../core/messages/message.ts';

// Git, and the repository that the workspace is in

export const noRepository = message(
  'work.no-repository',
  'Work graphs need a git repository, and {folder} is in none: run `git init` there, commit what is to be worked on, and start again.',
);
export const noGit = message(
  'work.no-git',
  'Work graphs need git, which was not found: install git 2.38 or newer, run `git init` in {folder}, and start again.',
);
export const oldGit = message(
  'work.old-git',
  'Git {version} cannot join changes without touching files: version 2.38 or newer is needed.',
);
export const gitFailed = message('work.git-failed', 'Git could not do this ({what}): {why}');
export const otherTop = message(
  'work.other-top',
  'The repository of {folder} says that its files are in {top}. Nothing is done there.',
);
export const partialClone = message(
  'work.partial-clone',
  'Some files of the last commit are not in this repository, which seems to be a partial clone. Fetch them, for example with `git fetch --refetch`.',
);
// Checkouts

export const notBegun = message('work.not-begun', 'Nothing was begun here yet.');
export const badName = message('work.bad-name', 'A checkout cannot be called {name}.');
export const replaced = message(
  'work.replaced',
  '{folder} is not the folder that was made for this work any more ({what}). Nothing in it is taken.',
);
export const isGone = message('work.replaced.gone', 'it is gone');
export const isOther = message('work.replaced.other', 'another folder or a link is in its place');
export const isPointedElsewhere = message('work.replaced.git', 'its .git leads elsewhere');
export const isUnclean = message('work.replaced.unclean', 'it was not clean when it was made');
export const nestedRepository = message(
  'work.nested-repository',
  '{paths} is a repository of its own inside of the checkout, so that its files cannot be taken. Remove its .git folder, or ignore it.',
);
export const oddName = message(
  'work.odd-name',
  'The name of {paths} is not in UTF-8, so that the file cannot be taken. Give it another name.',
);
export const inSubmodule = message(
  'work.in-submodule',
  '{paths} is in a submodule, which checkouts do not have: its files cannot be taken.',
);
export const ownFiles = message(
  'work.own-files',
  '{paths} belongs to the search itself, and is not changed by its work.',
);
export const setUpFailed = message(
  'work.set-up-failed',
  'The set-up command {line} failed ({how}). It wrote: {output}',
);
export const endedWith = message('work.ended-with', 'exit code {code:number}');
export const notEnded = message('work.not-ended', 'it did not end in time, or was stopped');

// Commands

export const notAllowed = message(
  'work.not-allowed',
  'Nobody agreed to this command: {line}. In a terminal you are asked; elsewhere, --allow-commands agrees to the commands of the plan.',
);
export const linesNotAllowed = message(
  'work.lines-not-allowed',
  'These commands run only once a person agrees to them: {lines}. In a terminal you are asked; elsewhere, --allow-commands agrees to the commands of the plan.',
);
export const stopped = message('work.stopped', 'The work was stopped with the search.');
export const cannotStart = message('work.cannot-start', 'The command could not be started: {why}');

// Accepted work

export const tipMoved = message('work.tip-moved', 'The accepted work is no longer at {commit}.');
export const notAfter = message(
  'work.not-after',
  '{to} was not made from {from}, so the accepted work stays where it is.',
);
export const unknownCommit = message('work.unknown-commit', 'There is no commit {commit} of this work here.');
export const editedMeanwhile = message(
  'work.edited-meanwhile',
  'These files were changed by somebody else since, so nothing was changed: {paths}. Put those changes aside, so that the files are as they were before them, and try again. Committing them does not help.',
);
export const acceptFailed = message(
  'work.accept-failed',
  'The files of the workspace could not all be changed, so they are as they were before: {why}',
);
export const notPutBack = counted(
  'work.not-put-back',
  'Accepting failed ({why}), and 1 file could not be put back: {paths}. Its original is in {folder}. Accept again, or undo accepting.',
  'Accepting failed ({why}), and {count:number} files could not be put back: {paths}. Their originals are in {folder}. Accept again, or undo accepting.',
);
export const acceptingElsewhere = message(
  'work.accepting-elsewhere',
  'The work of {search} is just being accepted into this folder, by process {pid} on {host}. Try again once it is done. If that process is no more, remove {file}.',
);
export const otherInterrupted = message(
  'work.other-interrupted',
  'Accepting the work of {search} into this folder was interrupted. Accept that again, or undo accepting it, before anything else is accepted here. If that search is gone, remove {file}.',
);
export const experimentDeclined = message('work.experiment-declined', 'Nobody agreed to run this program.');
export const tooLargeToCopy = message(
  'work.too-large-to-copy',
  'The folder is too large to be copied for programs: they run on copies of at most 20,000 files and 200 MB.',
);
