import { counted, message } from '../messages/message.ts';

export const answerProblem = message('offers.answer-problem', '{offer}: {why}');
export const moreProblems = counted(
  'offers.more-problems',
  '… and 1 more is wrong.',
  '… and {count:number} more are wrong.',
);
