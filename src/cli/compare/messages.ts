import { message } from '../../core/messages/message.ts';

export const judgeScores = message('cli.judge-scores', '{model}; {judge} scores');
export const solvedOf = message('cli.solved-of', '{solved:number} of {searches:number}');
export const endWords = {
  solved: message('cli.end-solved', 'solved'),
  unsolved: message('cli.end-unsolved', 'unsolved'),
  stopped: message('cli.end-stopped', 'stopped'),
};
export const limitForAll = message('cli.limit-for-all', 'The limit of {guard} for the whole comparison is reached.');
export const notAllEnded = message('cli.not-all-ended', '{missing} of {wanted} searches did not come to their end.');
export const runAgain = message('cli.run-again', 'Run the same command again to continue them.');
export const notStrategies = message('cli.not-strategies', 'They have to be some of {known}.');
