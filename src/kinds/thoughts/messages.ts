import { message } from '../../core/messages/message.ts';

// What a person asked for

export const askedForOthers = message('thoughts.asked-for-others', '"{title}" is asked for other thoughts.');
export const judgedAnew = message('thoughts.judged-anew', '"{title}" will be judged anew.');
export const solvedNeedsNoJudge = message(
  'thoughts.solved-needs-no-judge',
  '"{title}" needs no judge: it is a solution.',
);
export const duplicateNeedsNoJudge = message(
  'thoughts.duplicate-needs-no-judge',
  '"{title}" needs no judge: it is a duplicate.',
);

// A person's own task

export const taskNameTaken = message(
  'thoughts.task-name-taken',
  'A task "{task}" is here already. Give yours another name.',
);
export const problemRefused = message(
  'thoughts.problem-refused',
  'The task "{task}" does not take this problem: {why}',
);
